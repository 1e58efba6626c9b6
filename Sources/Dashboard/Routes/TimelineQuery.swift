import Browsing
import Catalog
import Formats
import Platform
import Records
import Roots
import Serving

/// What a request asks of the timeline.
struct TimelineQuery: Hashable, Sendable {
    let filter: TimelineFilter
    let offset: Int
    let count: Int

    /// Reads `state`, `root`, `path`, `kind`, `camera`, `text`, `since`, `until`, `from` and `count`.
    ///
    /// Throws `PageRefusal` if one of them makes no sense.
    ///
    /// - Parameter limit: The largest `count`, and its value if the request has none.
    init(_ request: Request, of timeline: Timeline, limit: Int = 0) async throws {
        let roots = try await timeline.roots()
        var filter = TimelineFilter()
        filter.standing = try Self.value("state", request, Standing.init(word:))
        filter.kind = try Self.value("kind", request, TimelineKind.init(word:))
        filter.root = try Self.value("root", request) { name in roots.first { $0.name == name }?.id }
        filter.text = try Self.value("text", request) {
            // SQLite compares only up to a NUL, so a NUL at the start would match everything.
            $0.utf8.count <= 200 && !$0.utf8.contains(0) ? $0 : nil
        }
        filter.folder = try Self.value("path", request, FilePath.init(inPage:))
        guard filter.folder == nil || filter.root != nil else {
            throw PageRefusal.unreadable("A folder is one of a root: this address names none.")
        }
        if let name = request.queryItem("camera"), !name.isEmpty {
            // A camera that took no picture matches nothing.
            filter.camera = try await timeline.camera(named: name) ?? -1
        }
        let (since, until) = (try Self.value("since", request, Self.day), try Self.value("until", request, Self.day))
        if since != nil || until != nil {
            let (first, last) = (since ?? Self.firstDay, until ?? Self.lastDay)
            guard first <= last else { throw PageRefusal.unreadable("These days end before they begin.") }
            filter.days = first...last
        }
        self.filter = filter
        offset = try Self.value("from", request) { Int(digits: $0) } ?? 0
        count =
            try Self.value("count", request) { Int(digits: $0).flatMap { (1...max(1, limit)).contains($0) ? $0 : nil } }
            ?? limit
    }

    /// Days since 1970 of the years 1 and 9999, which the timeline does not leave.
    private static let (firstDay, lastDay) = (-719_162, 2_932_896)

    /// Days since 1970 of one that is written as `2024-06-30`.
    private static func day(_ text: String) -> Int? {
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        let parts = words.compactMap { Int(digits: $0) }
        guard words.count == 3, parts.count == 3, (1...9_999).contains(parts[0]) else { return nil }
        return CivilDay(year: parts[0], month: parts[1], day: parts[2]).number
    }

    /// The value under `name` in the query; `nil` without one.
    static func value<Value>(
        _ name: String, _ request: Request, _ read: (String) -> Value?
    ) throws(PageRefusal) -> Value? {
        guard let text = request.queryItem(name), !text.isEmpty else { return nil }
        guard let value = read(text) else { throw .unreadable("\"\(name)\" of this address has no such value.") }
        return value
    }
}
