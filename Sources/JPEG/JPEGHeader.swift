import Facts

/// The size in a JPEG's frame header, read before anything is decoded.
///
/// ITU-T T.81, B.1.1.4 (marker segments) and B.2.2 (frame header).
package struct JPEGHeader: Hashable {
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int
    /// The number of colours; four of them are inks.
    package let components: Int
    /// Whether its samples are stored as differences (T.81, H).
    package let isLossless: Bool

    /// Walks the marker segments up to the frame header; `nil` if there is none.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var offset = 2
        while offset + 10 <= bytes.count {
            guard bytes[offset] == 0xFF else { return nil }
            let marker = bytes[offset + 1]
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            switch marker {
            case 0xFF:
                // A fill byte before the marker.
                offset += 1
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                components = Int(bytes[offset + 9])
                isLossless = marker & 3 == 3
                height = Int(bytes[offset + 5]) << 8 | Int(bytes[offset + 6])
                width = Int(bytes[offset + 7]) << 8 | Int(bytes[offset + 8])
                return
            default:
                offset += 2 + length
            }
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a JPEG has no coded pixels at all, from which FFmpeg silently makes a blank picture.
    package var endsBeforeScan: Bool {
        guard let scan = JPEGSegments(self).first(where: { $0.marker == 0xDA }) else {
            let start: [UInt8] = [0xFF, 0xDA]
            return place(of: start) == nil || UnsafeBufferPointer(rebasing: suffix(14)).place(of: start) != nil
        }
        // The shortest scan has one byte of codes, and then comes the marker of the end.
        return count < scan.content.upperBound + 3
    }
}
