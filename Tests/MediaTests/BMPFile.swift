/// A BMP of 2 × 2 pixels as programs with other ideas of a pixel write it.
struct BMPFile {
    var bits = 32
    var masks: [UInt32] = []
    /// The number of bytes of the header that follows the file's own.
    var headLength = 40
    var isTopDown = false
    /// Rows from the one stored first, each filled up to four bytes.
    var rows: [[UInt8]]

    var bytes: [UInt8] {
        func number(_ value: Int, _ width: Int = 4) -> [UInt8] {
            (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let maskBytes = masks.flatMap { number(Int($0)) }
        let side = number(isTopDown ? -2 : 2)
        var head = number(headLength) + number(2) + side + number(1, 2) + number(bits, 2)
        head += number(masks.isEmpty ? 0 : 3) + [UInt8](repeating: 0, count: 20) + maskBytes
        head += [UInt8](repeating: 0, count: max(0, headLength - head.count))
        let pixels = rows.flatMap { $0 + [UInt8](repeating: 0, count: (4 - $0.count % 4) % 4) }
        let start = 14 + head.count
        return Array("BM".utf8) + number(start + pixels.count) + number(0) + number(start) + head + pixels
    }
}
