/// The part of a body that a client requests (RFC 9110, section 14.2); single ranges only.
package enum RangeHeader {
    /// The bytes that `bytes=a-b`, `bytes=a-` or `bytes=-n` requests, cut to `size`; `nil` for none.
    package static func range(_ header: String, of size: Int64) -> Range<Int64>? {
        guard header.hasPrefix("bytes="), let dash = header.firstIndex(of: "-") else { return nil }
        let first = header[header.index(header.startIndex, offsetBy: 6)..<dash]
        let last = header[header.index(after: dash)...]
        guard (first + last).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        if first.isEmpty {
            guard !last.isEmpty, size > 0, case let count = Int64(last) ?? .max, count > 0 else { return nil }
            return max(0, size - count)..<size
        }
        guard let start = Int64(first), start < size else { return nil }
        if last.isEmpty { return start..<size }
        // A number that does not fit lies behind the end in any case.
        guard case let end = Int64(last) ?? .max, end >= start else { return nil }
        return start..<min(end, size - 1) + 1
    }
}
