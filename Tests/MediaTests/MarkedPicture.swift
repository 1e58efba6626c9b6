import Media

/// EXIF put into finished pictures, as cameras and editors do.
enum MarkedPicture {
    /// A PNG with an `eXIf` chunk after its header (PNG 3rd edition, 11.3.4.4).
    static func png(_ png: [UInt8], exif: [UInt8]) -> [UInt8] { inserting("eXIf", exif, into: png) }

    /// A PNG with a chunk after its header, or elsewhere.
    static func inserting(_ name: String, _ content: [UInt8], into png: [UInt8], at place: Int = 33) -> [UInt8] {
        let body = Array(name.utf8) + content
        let chunk = bigEndian(content.count) + body + bigEndian(Int(crc(body)))
        // Signature of 8, header chunk of 25.
        return Array(png[..<place]) + chunk + png[place...]
    }

    /// A WebP in the extended layout with an `EXIF` chunk at its end (RFC 9649, 2.7).
    static func webp(_ webp: [UInt8], exif: [UInt8], width: Int, height: Int) -> [UInt8] {
        let hasExif: UInt8 = 0x08
        let canvas = [hasExif, 0, 0, 0] + littleEndian(width - 1, 3) + littleEndian(height - 1, 3)
        let chunks = chunk("VP8X", canvas) + webp[12...] + chunk("EXIF", exif)
        return Array("RIFF".utf8) + littleEndian(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + littleEndian(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    /// A little-endian TIFF with an orientation in a new directory at its end (TIFF 6.0, 2 and tag 274).
    static func tiff(_ bytes: [UInt8], orientation: Int) -> [UInt8] { tiff(bytes, setting: [274: orientation]) }

    /// A little-endian TIFF with these numbers as tags in a new directory at its end.
    static func tiff(_ tiff: [UInt8], setting tags: [Int: Int]) -> [UInt8] {
        var bytes = tiff + (tiff.count % 2 == 1 ? [0] : [])
        let old = number(bytes, 4, 4)
        let count = number(bytes, old, 2)
        var entries = (0..<count).map { Array(bytes[old + 2 + $0 * 12..<old + 14 + $0 * 12]) }
        entries.removeAll { tags.keys.contains(number($0, 0, 2)) }
        for (tag, value) in tags {
            let type = value > 65_535 ? 4 : 3
            entries.append(littleEndian(tag, 2) + littleEndian(type, 2) + littleEndian(1, 4) + littleEndian(value, 4))
        }
        entries.sort { number($0, 0, 2) < number($1, 0, 2) }
        bytes.replaceSubrange(4..<8, with: littleEndian(bytes.count, 4))
        return bytes + littleEndian(entries.count, 2) + entries.flatMap(\.self) + littleEndian(0, 4)
    }

    private static func number(_ bytes: [UInt8], _ at: Int, _ width: Int) -> Int {
        (0..<width).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }

    /// A zlib stream of one block that is not packed, of at most 65,535 bytes (RFC 1950, 2.2; RFC 1951, 3.2.4).
    static func zlib(_ content: [UInt8]) -> [UInt8] {
        let sum = content.reduce((1, 0)) { sum, byte in
            let low = (sum.0 + Int(byte)) % 65_521
            return (low, (sum.1 + low) % 65_521)
        }
        let length = littleEndian(content.count, 2)
        return [0x78, 1, 1] + length + length.map { ~$0 } + content + bigEndian(sum.1 << 16 | sum.0)
    }

    /// A PNG with an ICC profile (PNG 3rd edition, 11.3.2.3).
    static func png(_ png: [UInt8], profile: [UInt8]) -> [UInt8] {
        inserting("iCCP", Array("own\0\0".utf8) + zlib(profile), into: png)
    }

    /// A number in `width` bytes.
    static func littleEndian(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func bigEndian(_ value: Int) -> [UInt8] { littleEndian(value, 4).reversed() }

    /// ISO 3309, as PNG uses it.
    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
