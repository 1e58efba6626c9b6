/// The marker segments of a JPEG up to its first scan.
package struct JPEGSegments: Sequence, IteratorProtocol {
    /// One segment.
    package struct Segment {
        /// What kind it is.
        package let marker: UInt8
        /// What follows the length field.
        package let content: Range<Int>

        /// A segment with this content, for those that walk a file in another way.
        package init(marker: UInt8, content: Range<Int>) {
            self.marker = marker
            self.content = content
        }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 2

    /// - Parameter bytes: The file, which must outlive this value.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The next segment; `nil` at the first scan, and where none begins.
    package mutating func next() -> Segment? {
        while offset + 4 <= bytes.count {
            let marker = bytes[offset + 1]
            // Like decoders, skips bytes that begin no segment, and fill bytes before a marker.
            guard bytes[offset] == 0xFF, marker != 0xFF, marker != 0 else {
                offset += 1
                continue
            }
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            let end = offset + 2 + length
            guard length >= 2, end <= bytes.count, marker != 0xD9 else { return nil }
            defer { offset = marker == 0xDA ? bytes.count : end }
            return Segment(marker: marker, content: offset + 4..<end)
        }
        return nil
    }
}
