import Formats

/// A `Content-Range`, such as `bytes 2-5/6`, where each part may be missing (RFC 9110, section 14.4).
package struct ContentRange: Hashable, Sendable {
    /// Offset of the first byte; `nil` where it is not told.
    package let start: Int64?
    /// Offset of the last byte; `nil` where it is not told or lies before the first.
    package let end: Int64?
    /// Bytes of the whole; `nil` where the sender does not know it.
    package let size: Int64?

    /// `nil` for a header that is missing, of another unit, or tells nothing.
    package init?(_ text: String?) {
        guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
        let sides = text.dropFirst("bytes ".count).split(separator: "/", maxSplits: 1)
        guard sides.count == 2 else { return nil }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64(digits: $0) }
        let first = ends.count == 2 ? ends[0] : nil
        start = first
        end = ends.count == 2 ? ends[1].flatMap { $0 >= first ?? .max ? $0 : nil } : nil
        size = Int64(digits: sides[1])
        guard start != nil || size != nil else { return nil }
    }
}
