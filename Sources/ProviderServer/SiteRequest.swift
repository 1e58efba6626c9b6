import Formats
import FoundationEssentials
import Serving
import Supabase

/// One request to a provider, with its whole body.
struct SiteRequest: Sendable {
    let request: Request
    let body: [UInt8]
    let now: Date
    /// The path without the site's prefix.
    let path: Substring

    var method: String { request.method }

    /// A header's value.
    func header(_ name: String) -> String? { request.headers[name] }

    /// The decoded segments for `:` and `*` in `pattern`; `nil` for another method or path.
    func match(_ method: String, _ pattern: String) -> [String]? {
        guard method == self.method else { return nil }
        return PathPattern(pattern).match(path)?.map { segment in
            PercentEncoding.decoded(segment).map { String(decoding: $0, as: UTF8.self) } ?? String(segment)
        }
    }

    /// The body's JSON; null if it is not JSON.
    var json: JSONValue {
        (try? JSONDecoder().decode(JSONValue.self, from: Data(body))) ?? .null
    }

    /// A text member of the body, else the query item of that name.
    func input(_ name: String) -> String? {
        if case .object(let members) = json, let text = members[name]?.string { return text }
        return request.queryItem(name)
    }

    /// A number of rows in the query; `nil` if it is no number, or below zero.
    func count(_ name: String) -> Int? { request.queryItem(name).flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }

    /// The page of `rows` that the query asks for by its number, from 1.
    ///
    /// A page may have fewer rows than asked for, because services may limit it, too.
    func page<Row>(of rows: [Row], number: String, size: String) -> ArraySlice<Row> {
        let size = min(count(size) ?? 10, Self.largestPage)
        let (first, overflows) = (max(1, count(number) ?? 1) - 1).multipliedReportingOverflow(by: size)
        return overflows ? [] : rows.dropFirst(first).prefix(size)
    }

    private static let largestPage = 30

    /// The origin by which the client reached us, such as `http://127.0.0.1:4711`.
    var origin: String { "http://" + (header("host") ?? "127.0.0.1") }

    /// The same origin with another host; the port stays.
    func origin(host: String?) -> String {
        guard let host, let colon = origin.lastIndex(of: ":") else { return origin }
        return "http://" + host + origin[colon...]
    }

    /// The request whose path begins with a provider's `prefix`.
    init(_ request: Request, body: [UInt8], now: Date, prefix: String) {
        self.request = request
        self.body = body
        self.now = now
        path = request.path.dropFirst(prefix.count)
    }
}
