import Facts
import Glibc

/// The segments of a whole progressive JPEG, up to the end of its last scan.
struct ProgressiveOutline {
    /// In order; the coded bits of a scan follow its segment.
    private(set) var segments: [JPEGSegments.Segment] = []

    /// The most scans that are read; encoders make at most thirty, and each may cost time for every block.
    private static let scanLimit = 200
    /// The most segments; with the largest possible they fill a quarter of a gigabyte.
    private static let segmentLimit = 4096

    /// `nil` if the file is not progressive, has far too many segments, or does not end directly after a scan, as it does
    /// not when it was cut.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var (offset, scans) = (2, 0)
        while offset + 4 <= bytes.count {
            guard bytes[offset] == 0xFF else { return nil }
            let marker = bytes[offset + 1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            let end = offset + 2 + (Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]))
            guard marker != 0xD9, end >= offset + 4, end < bytes.count, !Self.isOtherCoding(marker) else { return nil }
            segments.append(JPEGSegments.Segment(marker: marker, content: offset + 4..<end))
            offset = end
            guard marker == 0xDA else { continue }
            scans += 1
            guard scans <= Self.scanLimit, segments.count <= Self.segmentLimit,
                let next = Self.marker(in: bytes, after: end)
            else { return nil }
            if bytes[next + 1] == 0xD9 { return }
            offset = next
        }
        return nil
    }

    /// Whether it is the header of a frame that is not progressive, or not in Huffman codes.
    private static func isOtherCoding(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && marker != 0xC2 && marker != 0xC4
    }

    /// The offset of the marker after the coded bits from `start` on; `nil` if the file ends before it.
    private static func marker(in bytes: UnsafeBufferPointer<UInt8>, after start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var from = start
        while from + 1 < bytes.count, let found = memchr(base + from, 0xFF, bytes.count - from - 1) {
            let place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            let next = bytes[place + 1]
            if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return place }
            from = place + 1
        }
        return nil
    }
}
