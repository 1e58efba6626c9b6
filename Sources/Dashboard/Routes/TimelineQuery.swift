import Catalog
import Serving

/// What a request wants to see of the timeline.
struct TimelineQuery: Hashable, Sendable {
    let filter: TimelineFilter
    let offset: Int
    let count: Int

    /// Reads `state`, `root`, `kind`, `text`, `from` and `count`; throws where one makes no sense.
    ///
    /// - Parameter limit: The most that `count` may be; also what it is when it is not given.
    init(_ request: Request, roots: [KnownRoot], limit: Int = 0) throws(PageRefusal) {
        var filter = TimelineFilter()
        filter.standing = try Self.value("state", request, Standing.init(word:))
        filter.kind = try Self.value("kind", request, TimelineKind.init(word:))
        filter.root = try Self.value("root", request) { name in roots.first { $0.name == name }?.id }
        filter.text = try Self.value("text", request) { $0.utf8.count <= 200 ? $0 : nil }
        self.filter = filter
        offset = try Self.value("from", request) { Int($0).flatMap { $0 >= 0 ? $0 : nil } } ?? 0
        count =
            try Self.value("count", request) { Int($0).flatMap { (1...max(1, limit)).contains($0) ? $0 : nil } }
            ?? limit
    }

    private static func value<Value>(
        _ name: String, _ request: Request, _ read: (String) -> Value?
    ) throws(PageRefusal) -> Value? {
        guard let text = request.queryItem(name), !text.isEmpty else { return nil }
        guard let value = read(text) else { throw .unreadable("\"\(name)\" of this address has no such value.") }
        return value
    }
}
