/// A PCX that was cut, filled up to a file that FFmpeg reads: it refuses one that lacks rows or a palette.
struct FilledPCX {
    /// The file with zeros in the missing rows and, where the palette at its end is lost, with one of greys.
    let bytes: [UInt8]
    /// What is missing.
    let words: String

    /// The most runs that are added: enough for 300 megapixels of three colours, while a header may claim any size.
    private static let runLimit = 16 << 20

    /// `nil` if nothing or far too much is missing, or no row is whole (ZSoft PCX, technical reference).
    init?(_ file: UnsafeBufferPointer<UInt8>) {
        guard file.count > 128, file[2] == 1 else { return nil }
        func number(_ place: Int) -> Int { Int(file[place]) | Int(file[place + 1]) << 8 }
        let (height, line) = (number(10) - number(6) + 1, Int(file[65]) * number(66))
        guard height > 0, line > 0 else { return nil }
        let needsPalette = file[3] == 8 && file[65] == 1
        let hasPalette = needsPalette && file.count >= 128 + 769 && file[file.count - 769] == 12
        let end = hasPalette ? file.count - 769 : file.count
        // A run ends with its row, whatever it states.
        var (at, row, column) = (128, 0, 0)
        while at < end, row < height {
            let isRun = file[at] >= 0xC0
            if isRun, at + 1 == end { break }
            column += isRun ? Int(file[at] & 0x3F) : 1
            at += isRun ? 2 : 1
            if column >= line { (row, column) = (row + 1, 0) }
        }
        guard row > 0, row < height || needsPalette && !hasPalette else { return nil }
        let runs = row == height ? 0 : (line - column + 62) / 63 + (height - row - 1) * ((line + 62) / 63)
        guard runs <= Self.runLimit else { return nil }
        var bytes = Array(file[..<at])
        for _ in 0..<runs { bytes += [0xFF, 0] }
        if hasPalette {
            bytes += file[end...]
        } else if needsPalette {
            bytes += [12] + (0...255).flatMap { [UInt8](repeating: $0, count: 3) }
        }
        self.bytes = bytes
        words = row < height ? "\(row) of \(height) rows are there" : "The palette is missing"
    }
}
