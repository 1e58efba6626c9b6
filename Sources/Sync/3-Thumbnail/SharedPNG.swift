/// The parts of a PNG file (PNG specification, section 5), without a look at its pixels.
struct SharedPNG: Hashable, Sendable {
    /// One part: four letters, and what it holds.
    struct Chunk: Hashable, Sendable {
        let type: [UInt8]
        let data: [UInt8]
    }

    private(set) var chunks: [Chunk]

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The parts in `bytes`; `nil` if they are no whole PNG.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.signature) else { return nil }
        var rest = bytes.dropFirst(Self.signature.count)
        var chunks: [Chunk] = []
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= rest.count - 12 else { return nil }
            let type = Array(rest.dropFirst(4).prefix(4))
            chunks.append(Chunk(type: type, data: Array(rest.dropFirst(8).prefix(length))))
            rest = rest.dropFirst(12 + length)
        }
        guard rest.isEmpty, chunks.first?.type == Self.header, chunks.last?.type == Self.end else { return nil }
        self.chunks = chunks
    }

    /// The texts of the file, by keyword; only the plain ones, as thumbnails have them.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        for chunk in chunks where chunk.type == Self.text {
            let parts = chunk.data.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            texts[String(decoding: parts[0], as: UTF8.self)] = String(decoding: parts[1], as: UTF8.self)
        }
        return texts
    }

    /// Whether it is at most `side` pixels on each side, and red, green and blue in bytes, row after row.
    func isPlain(side: Int) -> Bool {
        guard let data = chunks.first?.data, data.count == 13 else { return false }
        let sides = [data[0..<4], data[4..<8]].map { $0.reduce(0) { $0 << 8 | Int($1) } }
        return sides.allSatisfy { (1...side).contains($0) } && data[8...] == [8, 2, 0, 0, 0]
    }

    /// The same picture with these texts, and otherwise only what is needed to show it.
    func file(with texts: [(keyword: String, text: String)]) -> [UInt8] {
        var bytes = Self.signature
        for chunk in chunks where chunk.type == Self.header { Self.append(chunk, to: &bytes) }
        for (keyword, text) in texts {
            Self.append(Chunk(type: Self.text, data: Array(keyword.utf8) + [0] + Array(text.utf8)), to: &bytes)
        }
        for chunk in chunks where chunk.type == Self.pixels { Self.append(chunk, to: &bytes) }
        Self.append(Chunk(type: Self.end, data: []), to: &bytes)
        return bytes
    }

    private static let header = Array("IHDR".utf8)
    private static let text = Array("tEXt".utf8)
    private static let pixels = Array("IDAT".utf8)
    private static let end = Array("IEND".utf8)

    private static func append(_ chunk: Chunk, to bytes: inout [UInt8]) {
        bytes += bigEndian(UInt32(chunk.data.count)) + chunk.type + chunk.data
        bytes += bigEndian(checkSum(chunk.type, chunk.data))
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// CRC-32 as section 5.5 has it.
    private static func checkSum(_ type: [UInt8], _ data: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in type { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
        for byte in data { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }
}
