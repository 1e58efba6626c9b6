/// A `Content-Range`, such as `bytes 2-5/6`, where each part may be missing (RFC 9110, section 14.4).
package struct ContentRange: Hashable, Sendable {
    /// Offset of the first byte; `nil` where the range is not told or makes no sense.
    package let start: Int64?
    /// Offset of the last byte; `nil` exactly where `start` is.
    package let end: Int64?
    /// Bytes of the whole; `nil` where the sender does not know it.
    package let size: Int64?

    /// `nil` for a header that is missing, of another unit, or tells nothing.
    package init?(_ text: String?) {
        guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
        let sides = text.dropFirst("bytes ".count).split(separator: "/", maxSplits: 1)
        guard sides.count == 2 else { return nil }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        if ends.count == 2, let first = ends[0], let last = ends[1], first <= last {
            (start, end) = (first, last)
        } else {
            (start, end) = (nil, nil)
        }
        size = Int64(sides[1]).flatMap { $0 >= 0 ? $0 : nil }
        guard start != nil || size != nil else { return nil }
    }
}
