import Formats

/// One request as it arrived; nothing in it has been decoded.
package struct Request: Sendable {
    /// The verb as sent, such as `GET`.
    package let method: String
    /// Path and query exactly as sent, percent signs included.
    package let target: String
    package let headers: Headers
    /// Bytes of the request line and all header lines.
    package let headerSize: Int
    package let body: RequestBody

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
    /// The target before its first `?`, still percent-encoded.
    package var path: Substring { target.prefix { $0 != "?" } }

    /// The target behind its first `?`, still percent-encoded; `nil` without one.
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

    /// Text of a query: `+` is a space, and what is no percent escape stays as it is.
    private static func formDecoded(_ text: Substring) -> String {
        let spaced = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: PercentEncoding.decodedLeniently(spaced), as: UTF8.self)
    }
}
