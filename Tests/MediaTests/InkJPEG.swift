/// A baseline JPEG of four inks, or of grey, each flat, as print shops export it (ITU-T T.872; Adobe TN 5116).
struct InkJPEG {
    /// Cyan, magenta, yellow, black, or YCCK; as stored, which is inverted by Adobe's programs.
    var samples: [UInt8]
    /// 0 for CMYK, 2 for YCCK.
    var transform: UInt8
    var blocks = 8
    /// Whether it has the segment that tells of the transform.
    var isMarked = true

    var bytes: [UInt8] {
        let side = UInt8(blocks * 8)
        let count = UInt8(samples.count)
        let frame: [UInt8] = [8, 0, side, 0, side, count] + (1...count).flatMap { [$0, 0x11, 0] }
        let scan: [UInt8] = [count] + (1...count).flatMap { [$0, 0x00] } + [0, 63, 0]
        // A code of 4 bits for each of the 12 sizes of a difference; one bit for the end of a block.
        let sizes: [UInt8] = [0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + (0..<12)
        let ends: [UInt8] = [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0]
        var bytes: [UInt8] = [0xFF, 0xD8]
        if isMarked { bytes += segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]) }
        bytes += segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
        bytes += segment(0xC0, frame) + segment(0xC4, sizes) + segment(0xC4, ends) + segment(0xDA, scan)
        return bytes + entropy + [0xFF, 0xD9]
    }

    private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }

    /// The first block of each ink has its level, the others a difference of zero.
    private var entropy: [UInt8] {
        var bits: [Int] = []
        for block in 0..<blocks * blocks {
            for sample in samples {
                let difference = block == 0 ? Int(sample) - 128 : 0
                let size = Int.bitWidth - abs(difference).leadingZeroBitCount
                let value = difference < 0 ? difference + (1 << size) - 1 : difference
                bits += (0..<4).reversed().map { size >> $0 & 1 } + (0..<size).reversed().map { value >> $0 & 1 } + [0]
            }
        }
        bits += [Int](repeating: 1, count: (8 - bits.count % 8) % 8)
        return stride(from: 0, to: bits.count, by: 8).flatMap { at in
            let byte = bits[at..<at + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
            return byte == 0xFF ? [byte, 0] : [byte]
        }
    }
}
