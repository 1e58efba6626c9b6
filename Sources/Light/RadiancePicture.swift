import Glibc
package import MediaModel

/// A picture of Radiance, whose pixels are three bytes and a common exponent (Radiance file formats, "Picture").
package struct RadiancePicture: LightPicture {
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int
    /// How its rows lie.
    package let orientation: Orientation
    private let bytes: UnsafeBufferPointer<UInt8>
    private let start: Int
    /// Whether its colours are XYZ of CIE 1931 instead of red, green and blue.
    private let isXYZ: Bool
    /// The exponent with which light became its values; 1 if the file states none.
    private let gamma: Float

    /// - Parameter bytes: The file, which must outlive this value.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var lines = Lines(bytes)
        guard lines.next()?.starts(with: "#?") == true else { return nil }
        var (isXYZ, gamma) = (false, Float(1))
        while true {
            guard let line = lines.next() else { return nil }
            if line.isEmpty { break }
            if line.starts(with: "FORMAT=") { isXYZ = line.hasSuffix("xyze") }
            if line.starts(with: "GAMMA="), let stated = Float(line.dropFirst(6)), (0.2...1).contains(stated) {
                gamma = stated
            }
        }
        guard let words = lines.next()?.split(separator: " "), words.count == 4, let major = Int(words[1]),
            let minor = Int(words[3]), (1...(1 << 24)).contains(major), (1...(1 << 24)).contains(minor),
            let orientation = Self.orientations["\(words[0])\(words[2])"]
        else { return nil }
        (self.bytes, self.isXYZ, self.gamma, start) = (bytes, isXYZ, gamma, lines.place)
        (width, height, self.orientation) = (minor, major, orientation)
    }

    /// The orientations by the direction from row to row and that within a row; Y runs upwards.
    private static let orientations: [String: Orientation] = [
        "-Y+X": Orientation(exif: 1), "-Y-X": Orientation(exif: 2), "+Y-X": Orientation(exif: 3),
        "+Y+X": Orientation(exif: 4), "+X-Y": Orientation(exif: 5), "-X-Y": Orientation(exif: 6),
        "-X+Y": Orientation(exif: 7), "+X+Y": Orientation(exif: 8),
    ].compactMapValues(\.self)

    /// Reads the rows in the file's order, and stops where the file ends.
    package func eachRow(_ use: (_ y: Int, _ light: UnsafeBufferPointer<Float>) -> Void) {
        var place = start
        var coded = [UInt8](repeating: 0, count: width * 4)
        var light = [Float](repeating: 0, count: width * 3)
        for y in 0..<height {
            guard let next = unpack(from: place, into: &coded) else { return }
            place = next
            coded.withUnsafeBufferPointer { coded in
                light.withUnsafeMutableBufferPointer { light in
                    lighten(coded, into: light)
                    use(y, UnsafeBufferPointer(light))
                }
            }
        }
    }

    /// The light of each pixel: its bytes over 256, times a power of two.
    private func lighten(_ coded: UnsafeBufferPointer<UInt8>, into light: UnsafeMutableBufferPointer<Float>) {
        for x in 0..<width {
            let exponent = Int(coded[x * 4 + 3])
            // The unit is 2 to the power of exponent - 136; the smallest ones are black.
            let unit = exponent > 9 ? Float(bitPattern: UInt32(exponent - 9) << 23) : 0
            for channel in 0..<3 { light[x * 3 + channel] = Float(coded[x * 4 + channel]) * unit }
            if gamma < 1 { for channel in 0..<3 { light[x * 3 + channel] = powf(light[x * 3 + channel], 1 / gamma) } }
            guard isXYZ else { continue }
            let (a, b, c) = (light[x * 3], light[x * 3 + 1], light[x * 3 + 2])
            // IEC 61966-2-1, from XYZ.
            light[x * 3] = 3.2406 * a - 1.5372 * b - 0.4986 * c
            light[x * 3 + 1] = -0.9689 * a + 1.8758 * b + 0.0415 * c
            light[x * 3 + 2] = 0.0557 * a - 0.2040 * b + 1.0570 * c
        }
    }

    /// Unpacks the row at `place` and returns the place after it; `nil` if the file has no whole row there.
    private func unpack(from place: Int, into row: inout [UInt8]) -> Int? {
        guard place + 4 <= bytes.count else { return nil }
        let isPacked = bytes[place] == 2 && bytes[place + 1] == 2 && bytes[place + 2] < 128
        let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
        return row.withUnsafeMutableBufferPointer { row in
            isPacked && length == width ? unpackChannels(from: place + 4, into: row) : unpackPixels(place, into: row)
        }
    }

    /// Unpacks runs and literals, one channel after the other.
    private func unpackChannels(from start: Int, into row: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        var place = start
        for channel in 0..<4 {
            var x = 0
            while x < width {
                guard place + 1 < bytes.count else { return nil }
                let isRun = bytes[place] > 128
                let count = isRun ? Int(bytes[place]) - 128 : Int(bytes[place])
                guard count > 0, count <= width - x, isRun || place + 1 + count <= bytes.count else { return nil }
                for index in 0..<count { row[(x + index) * 4 + channel] = bytes[place + 1 + (isRun ? 0 : index)] }
                place += isRun ? 2 : 1 + count
                x += count
            }
        }
        return place
    }

    /// Unpacks plain pixels; three bytes of 1 and a count repeat the last one, and counts in a row are higher digits.
    private func unpackPixels(_ start: Int, into row: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        var (place, x, shift) = (start, 0, 0)
        while x < width {
            guard place + 4 <= bytes.count else { return nil }
            let isRun = bytes[place] == 1 && bytes[place + 1] == 1 && bytes[place + 2] == 1
            if isRun {
                guard x > 0, shift <= 16 else { return nil }
                let count = min(Int(bytes[place + 3]) << shift, width - x)
                for index in 0..<count * 4 { row[x * 4 + index] = row[(x - 1) * 4 + index % 4] }
                (x, shift) = (x + count, shift + 8)
            } else {
                for index in 0..<4 { row[x * 4 + index] = bytes[place + index] }
                (x, shift) = (x + 1, 0)
            }
            place += 4
        }
        return place
    }
}

/// The lines of text at the start of a picture.
struct Lines {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Where the next line begins.
    private(set) var place = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The next line without its end; `nil` at the end of the file, and if the line is too long to be text.
    mutating func next() -> String? {
        guard let end = bytes[place...].prefix(4096).firstIndex(of: 10) else { return nil }
        defer { place = end + 1 }
        return String(decoding: bytes[place..<end].filter { $0 != 13 }, as: UTF8.self)
    }
}
