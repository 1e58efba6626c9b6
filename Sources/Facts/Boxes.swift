package import MediaModel

/// The boxes in a part of a file, up to the first that does not fit into it (ISO/IEC 14496-12, 4.2).
package struct Boxes: Sequence, IteratorProtocol {
    /// One box.
    package struct Box {
        /// Its name and length.
        package let header: BoxHeader
        /// Its bytes with its head.
        package let range: Range<Int>
        /// The bytes behind its head.
        package var content: Range<Int> { range.dropFirst(header.headLength) }

        /// Whether it has this name of four letters.
        package func isNamed(_ letters: String) -> Bool { header.isNamed(letters) }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var rest: Range<Int>

    /// - Parameter bytes: The file, which must outlive this value.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, in part: Range<Int>? = nil) {
        self.bytes = bytes
        rest = part ?? 0..<bytes.count
    }

    /// The next box; `nil` at the end.
    package mutating func next() -> Box? {
        guard let header = BoxHeader(bytes[rest]), let length = header.length(within: rest.count) else { return nil }
        defer { rest = rest.dropFirst(length) }
        return Box(header: header, range: rest.prefix(length))
    }
}
