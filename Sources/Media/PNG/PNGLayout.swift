import Facts

/// How the unpacked pixels of a PNG lie in memory: row after row, each after the byte that names its filter.
struct PNGLayout {
    /// Rows of the same length; an interlaced picture has up to seven such passes.
    struct Pass {
        let rows: Int
        /// Bytes of a row without that of its filter.
        let length: Int
    }

    let passes: [Pass]
    /// Bytes from a sample to that of the pixel before, at least 1.
    let step: Int

    /// The most bytes of unpacked pixels; larger pictures are unpacked row by row.
    private static let limit = 48 << 20

    /// Bytes of all passes.
    var count: Int { passes.reduce(0) { $0 + $1.rows * (1 + $1.length) } }

    /// `nil` for a header that is not valid, and for a picture with too many pixels or bytes.
    ///
    /// - Parameter bytes: The file.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, maxPixels: Int) {
        guard bytes.count > 33, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        let (width, height) = (bytes.number(at: 16, bigEndian: true), bytes.number(at: 20, bigEndian: true))
        guard width > 0, height > 0, width <= Int32.max, width <= min(maxPixels, Self.limit) / height,
            let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][bytes[25]]
        else { return nil }
        let bits = samples * Int(bytes[24])
        step = max(1, bits / 8)
        passes = (bytes[28] == 0 ? [(0, 0, 1, 1)] : Self.interlacing).compactMap { column, row, across, down in
            let columns = max(0, width - column + across - 1) / across
            let rows = max(0, height - row + down - 1) / down
            return columns > 0 ? Pass(rows: rows, length: (columns * bits + 7) / 8) : nil
        }
        guard (1...Self.limit).contains(count) else { return nil }
    }

    /// First column, first row, steps between columns and rows of each pass (PNG 3rd edition, 8.1).
    private static let interlacing = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]
}
