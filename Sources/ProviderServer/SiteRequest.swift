import Formats
import FoundationEssentials
import Serving
import Supabase

/// One request with its body, on its way to a site.
struct SiteRequest: Sendable {
    let request: Request
    let body: [UInt8]
    let now: Date
    /// The path without the site's prefix.
    let path: Substring

    var method: String { request.method }

    /// A header's value.
    func header(_ name: String) -> String? { request.headers[name] }

    /// The decoded segments that `:` and `*` in `pattern` stand for; `nil` for another method or path.
    func match(_ method: String, _ pattern: String) -> [String]? {
        guard method == self.method else { return nil }
        return PathPattern(pattern).match(path)?.map { segment in
            PercentEncoding.decoded(segment).map { String(decoding: $0, as: UTF8.self) } ?? String(segment)
        }
    }

    /// The body's JSON; null where it is none.
    var json: JSONValue {
        (try? JSONDecoder().decode(JSONValue.self, from: Data(body))) ?? .null
    }

    /// A member of the body, or else the query's.
    func input(_ name: String) -> String? {
        if case .object(let members) = json, let text = members[name]?.string { return text }
        return request.queryItem(name)
    }

    /// Where the client says that it found us, such as `http://127.0.0.1:4711`.
    var origin: String { "http://" + (header("host") ?? "127.0.0.1") }

    /// The same at another host, the port kept.
    func origin(host: String?) -> String {
        guard let host, let colon = origin.lastIndex(of: ":") else { return origin }
        return "http://" + host + origin[colon...]
    }

    /// The call below a site's prefix.
    init(_ request: Request, body: [UInt8], now: Date, prefix: String) {
        self.request = request
        self.body = body
        self.now = now
        path = request.path.dropFirst(prefix.count)
    }
}
