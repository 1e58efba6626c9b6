import Platform

/// Whether an MP4 or QuickTime file ends where its boxes end, or was cut off.
///
/// A file whose index comes first opens even if half of its frames are missing, but its boxes show the loss (ISO/IEC
/// 14496-12, section 4.2).
enum MovieExtent: Hashable, Sendable {
    /// Its boxes end where the file ends, or it has no boxes.
    case whole
    /// The file ends before its last box; it should have at least this many bytes.
    case cut(Int64)

    /// Follows the outermost boxes of a file of `size` bytes; `read` returns bytes at an offset.
    init(size: Int64, read: (_ offset: Int64, _ count: Int) throws(SystemError) -> [UInt8]) throws(SystemError) {
        self = .whole
        var offset: Int64 = 0
        // Real files have a handful; fragments make a few thousand.
        for _ in 0..<100_000 where offset < size {
            let head = try read(offset, 16)
            guard head.count >= 8 else {
                self = offset > 0 ? .cut(offset + 8) : .whole
                return
            }
            guard offset > 0 || head[4..<8].elementsEqual("ftyp".utf8) else { return }
            var length = Self.number(head[0..<4])
            if length == 1 {
                guard head.count == 16 else {
                    self = .cut(offset + 16)
                    return
                }
                length = Self.number(head[8..<16])
            }
            // A length of 0 means to the end of the file; any other length below 8 is no box.
            guard length >= 8, length < .max / 2 else { return }
            offset += length
        }
        if offset > size { self = .cut(offset) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) } & .max
    }
}
