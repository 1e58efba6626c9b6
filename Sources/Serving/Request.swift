import Formats

/// One request as it arrived; nothing in it has been decoded.
package struct Request: Sendable {
    /// The verb as sent, such as `GET`.
    package let method: String
    /// Path and query exactly as sent, percent signs included.
    package let target: String
    /// The header lines in the order they arrived.
    package let headers: Headers
    /// The size in bytes of the request line and all header lines.
    package let headerSize: Int
    /// The body, which may still be arriving; to be read once.
    package let body: RequestBody

    /// A request as it arrived, or one that a test or a fault makes up.
    package init(
        method: String, target: String, headers: Headers = [:], headerSize: Int = 0, body: RequestBody = .empty
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.headerSize = headerSize
        self.body = body
    }
}

extension Request {
    /// The part of the target before its first `?`, still percent-encoded.
    package var path: Substring { target.prefix { $0 != "?" } }

    /// The part of the target after its first `?`, still percent-encoded; `nil` without one.
    package var query: Substring? {
        target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
    }

    /// The decoded value of the first query item called `name`; empty for an item without `=`.
    package func queryItem(_ name: String) -> String? {
        for item in (query ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard Self.formDecoded(parts[0]) == name else { continue }
            return parts.count == 2 ? Self.formDecoded(parts[1]) : ""
        }
        return nil
    }

    /// Decodes text of a query: `+` is a space, and an invalid escape is kept.
    private static func formDecoded(_ text: Substring) -> String {
        let spaced = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: PercentEncoding.decodedLeniently(spaced), as: UTF8.self)
    }
}
