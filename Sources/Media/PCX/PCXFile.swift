/// A PCX as its header describes it, and its rows in runs (ZSoft PCX, technical reference).
struct PCXFile {
    /// The whole file, header included.
    let bytes: UnsafeBufferPointer<UInt8>
    /// Pixels.
    let width: Int
    /// Pixels.
    let height: Int
    /// The bits of a pixel in each plane.
    let bits: Int
    /// The planes of each row, one after the other.
    let planes: Int
    /// The bytes of one plane's part of a row.
    let stride: Int

    /// The header's bytes, behind which the rows begin.
    private static let headerLength = 128
    /// The bytes of the palette at the end, its mark included.
    private static let paletteLength = 769

    /// `nil` for what is not in runs or has no pixels.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > Self.headerLength, bytes[2] == 1 else { return nil }
        func number(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
        self.bytes = bytes
        (width, height) = (number(8) - number(4) + 1, number(10) - number(6) + 1)
        (bits, planes, stride) = (Int(bytes[3]), Int(bytes[65]), number(66))
        guard width > 0, height > 0, planes > 0, stride > 0 else { return nil }
    }

    /// The bytes of a row, all planes together.
    var line: Int { planes * stride }

    /// Whether its colours are numbers of a palette at its end.
    var needsPalette: Bool { bits == 8 && planes == 1 }

    /// The palette's place; `nil` if the file needs none or has lost it.
    var palette: Range<Int>? {
        let start = bytes.count - Self.paletteLength
        return needsPalette && start >= Self.headerLength && bytes[start] == 12 ? start..<bytes.count : nil
    }

    /// How far the rows go that a file has.
    struct Extent {
        /// The rows that are whole.
        var rows = 0
        /// The bytes of the next row that are there.
        var column = 0
        /// The place in the file behind the last run.
        var end = PCXFile.headerLength
    }

    /// Calls `paint` with each run's row, its bytes in that row, which may be more than there are, and their value.
    ///
    /// A run ends with its row, whatever it states.
    func eachRun(_ paint: (_ row: Int, _ columns: Range<Int>, _ value: UInt8) -> Void) -> Extent {
        let end = palette?.lowerBound ?? bytes.count
        var extent = Extent()
        while extent.end < end, extent.rows < height {
            let byte = bytes[extent.end]
            let isRun = byte >= 0xC0
            if isRun, extent.end + 1 == end { break }
            let count = isRun ? Int(byte & 0x3F) : 1
            paint(extent.rows, extent.column..<extent.column + count, isRun ? bytes[extent.end + 1] : byte)
            extent.column += count
            extent.end += isRun ? 2 : 1
            if extent.column >= line { (extent.rows, extent.column) = (extent.rows + 1, 0) }
        }
        return extent
    }
}
