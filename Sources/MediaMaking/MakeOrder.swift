/// What the arguments of `make` ask for.
package struct MakeOrder: Sendable {
    /// The directory to write the files into.
    package let directory: String
    /// The files in the order they are made.
    package let files: [MadeFile]

    /// What is wrong with the arguments.
    package struct Misuse: Error, Hashable {
        /// A sentence for the user, without its full stop.
        package let message: String
    }

    /// The help for `make`.
    package static let usage = """
        Usage: gallery-sync-media make DIR [--only FORMAT]... [--count N] [--size WxH]
                                       [--seconds S] [--fps N] [--orientation 1-8] [--seed N]

        Makes media files in DIR, the same bytes each time. Without --only, a gallery of every
        format and every oddity; with it, N files of each FORMAT named, FORMAT-WxH-0001 and so on.

        Formats: \(MadeFormat.all.map(\.name).joined(separator: " "))
        """

    /// Parses the arguments of `make`; a missing DIR is misuse, too.
    package init(_ words: [String]) throws(Misuse) {
        var directories: [String] = []
        var series = Series()
        var rest = words[...]
        while let word = rest.popFirst() {
            if word.hasPrefix("--") {
                guard let value = rest.popFirst() else { throw Misuse(message: "\(word) wants a value") }
                try series.set(word, value)
            } else {
                directories.append(word)
            }
        }
        guard directories.count == 1, let directory = directories.first else {
            throw Misuse(message: directories.isEmpty ? "Where to? Name a directory" : "One directory at a time")
        }
        self.directory = directory
        files = series.formats.isEmpty ? MadeFile.gallery : series.files
    }

    /// Many files of the same kind.
    private struct Series {
        var formats: [MadeFormat] = []
        var count = 1
        var width = 1600
        var height = 1200
        var seconds = 2
        var framesPerSecond = 25
        var orientation = 1
        var seed = 1

        mutating func set(_ option: String, _ value: String) throws(Misuse) {
            switch option {
            case "--only":
                guard let format = MadeFormat(name: value) else { throw Misuse(message: "No format \(value)") }
                formats.append(format)
            case "--count": count = try Self.number(option, value, in: 1...1_000_000)
            case "--size": (width, height) = try Self.size(value)
            case "--seconds": seconds = try Self.number(option, value, in: 1...3600)
            case "--fps": framesPerSecond = try Self.number(option, value, in: 1...240)
            case "--orientation": orientation = try Self.number(option, value, in: 1...8)
            case "--seed": seed = try Self.number(option, value, in: 0...Int.max - 1_000_000)
            default: throw Misuse(message: "No option \(option)")
            }
        }

        var files: [MadeFile] {
            formats.flatMap { format in (1...count).map { file(format, number: $0) } }
        }

        private func file(_ format: MadeFormat, number: Int) -> MadeFile {
            let digits = String(number)
            let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            let path = "\(format.name)-\(width)x\(height)-\(padded).\(format.fileExtension)"
            let seed = UInt64(seed + number - 1)
            switch format {
            case .picture(let format):
                let exif = format == .jpeg ? ExifSegment(orientation: orientation) : nil
                return .picture(path, format, MadeFile.Picture(width: width, height: height, seed: seed, exif: exif))
            case .movie(let format):
                let film = MovieWriter.Film(
                    width: width, height: height, frames: seconds * framesPerSecond, framesPerSecond: framesPerSecond,
                    keyInterval: framesPerSecond)
                return .movie(path, format, film, seed: seed)
            }
        }

        private static func number(
            _ option: String, _ value: String, in range: ClosedRange<Int>
        ) throws(Misuse) -> Int {
            guard let number = Int(value), range.contains(number) else {
                throw Misuse(message: "\(option) wants a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }

        /// The size in `value`; its sides must be even, because video codecs halve them for colour.
        private static func size(_ value: String) throws(Misuse) -> (Int, Int) {
            let sides = value.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard sides.count == 2, sides.allSatisfy({ (16...16_384).contains($0) && $0 % 2 == 0 }) else {
                throw Misuse(message: "--size wants WIDTHxHEIGHT, both even, from 16 to 16384")
            }
            return (sides[0], sides[1])
        }
    }
}
