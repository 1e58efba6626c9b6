import CFFmpeg
import Frames

/// Photoshop's format for large documents (PSB): a PSD with longer lengths, which FFmpeg's decoder refuses.
enum LargePhotoshop {
    /// The merged picture as a PSD without layers; `nil` where the bytes are no such document, or cut short.
    ///
    /// Adobe Photoshop File Formats Specification: file header, layer and mask information, image data.
    static func plain(_ packet: borrowing Packet) throws(FFmpegError) -> Packet? {
        let bytes = packet.buffer
        guard bytes.count > 26, bytes.starts(with: Array("8BPS".utf8) + [0, 2]) else { return nil }
        guard let colours = number(bytes, at: 26, 4), let resources = number(bytes, at: 30 + colours, 4) else {
            return nil
        }
        let layers = 34 + colours + resources
        guard let skipped = number(bytes, at: layers, 8), let channels = number(bytes, at: 12, 2),
            let height = number(bytes, at: 14, 4), let coding = number(bytes, at: layers + 8 + skipped, 2)
        else { return nil }
        var rest = layers + 8 + skipped + 2
        var plain = Array(bytes[..<4]) + [0, 1] + bytes[6..<layers] + [0, 0, 0, 0] + bytes[rest - 2..<rest]
        plain.reserveCapacity(plain.count + bytes.count - rest)
        if coding == 1 {
            // The packed length of each row.
            for _ in 0..<channels * height {
                guard let length = number(bytes, at: rest, 4), length <= UInt16.max else { return nil }
                plain += [UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
                rest += 4
            }
        }
        return try Packet.copy(of: plain + bytes[rest...])
    }

    /// A whole number, the highest byte first, that is no larger than the file has bytes.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ width: Int) -> Int? {
        guard place <= bytes.count - width else { return nil }
        let value = bytes[place..<place + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return value <= UInt64(bytes.count) ? Int(value) : nil
    }
}
