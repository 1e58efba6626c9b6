extension PCXFile {
    /// A file that was cut, filled up to one that FFmpeg reads: it refuses one that lacks rows or a palette.
    struct Filled {
        /// The file with zeros in the missing rows and, where the palette at its end is lost, with one of greys.
        let bytes: [UInt8]
        /// What is missing.
        let words: String
    }

    /// The most runs that are added: enough for 300 megapixels of three colours, while a header may claim any size.
    private static let runLimit = 16 << 20

    /// `nil` if nothing or far too much is missing, or no row is whole.
    var filled: Filled? {
        let extent = eachRun { _, _, _ in }
        let lacksPalette = needsPalette && palette == nil
        guard extent.rows > 0, extent.rows < height || lacksPalette else { return nil }
        let isWhole = extent.rows == height
        let runs = isWhole ? 0 : (line - extent.column + 62) / 63 + (height - extent.rows - 1) * ((line + 62) / 63)
        guard runs <= Self.runLimit else { return nil }
        var filled = Array(bytes[..<extent.end])
        for _ in 0..<runs { filled += [0xFF, 0] }
        if let palette {
            filled += bytes[palette]
        } else if lacksPalette {
            filled += [12] + (0...255).flatMap { [UInt8](repeating: $0, count: 3) }
        }
        let words = isWhole ? "The palette is missing" : "\(extent.rows) of \(height) rows are there"
        return Filled(bytes: filled, words: words)
    }
}
