/// The chunks of a PNG, up to the first incomplete one (PNG 3rd edition, 5.3).
package struct PNGChunks: Sequence, IteratorProtocol {
    /// One chunk.
    package struct Chunk {
        fileprivate let name: Slice<UnsafeBufferPointer<UInt8>>
        /// The bytes between its name and its checksum.
        package let content: Range<Int>

        /// Whether it has this name of four letters.
        package func isNamed(_ letters: String) -> Bool { name.elementsEqual(letters.utf8) }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 8

    /// - Parameter bytes: The file, which must outlive this value.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The next chunk; `nil` at the end.
    package mutating func next() -> Chunk? {
        guard offset + 12 <= bytes.count else { return nil }
        let length = bytes.number(at: offset, bigEndian: true)
        guard length <= bytes.count - offset - 12 else { return nil }
        defer { offset += 12 + length }
        return Chunk(name: bytes[offset + 4..<offset + 8], content: offset + 8..<offset + 8 + length)
    }
}
