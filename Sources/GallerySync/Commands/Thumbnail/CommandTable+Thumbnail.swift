import CommandLine
import Formats

extension CommandTable {
    static let thumbnail = CommandForm(
        "thumbnail", "Make thumbnails only",
        arguments: "FILE…", count: 1...100_000, candidates: .files,
        options: [
            OptionForm("output", letter: "o", value: "DIR", "Where to (required)"),
            OptionForm("size", value: "N", "Pixels along the longer side, from 16 to 4096", isRepeatable: true),
        ],
        examples: [
            .init("thumbnail *.jpg -o thumbs", "in the sizes of the settings"),
            .init("thumbnail clip.mp4 -o . --size 256 --size 1024", "in two sizes"),
        ],
        documents: [.thumbnail]
    ) { words throws(UsageError) in
        guard let target = words.path("output") else { throw UsageError(message: "\"thumbnail\" needs --output DIR.") }
        let sizes = try words.values("size", "a number from 16 to 4096") { text in
            Int(digits: text).flatMap { (16...4096).contains($0) ? $0 : nil }
        }
        if let size = sizes.first(where: { size in sizes.count { $0 == size } > 1 }) {
            throw UsageError(message: "--size names \(size) twice.")
        }
        return ThumbnailRequest(files: words.paths, target: target, sizes: sizes)
    }
}
