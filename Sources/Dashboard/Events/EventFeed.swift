import Browsing
import Catalog
import FoundationEssentials
import Queue
import Records
import Reporting
import Serving
import Text

/// One browser's stream of events: what changed since it was last told.
actor EventFeed {
    private let contents: PageContents?
    private let host: any PageHost
    private let seen: SeenAssets
    private var status: Report?
    private var revision: String?
    private var works: [PageWork]?
    /// The number of the last line of the log that was sent; `nil` before the first look.
    private var logged: Int?
    /// The number of the last change of an asset that was sent.
    private var toldChanges = 0
    private var nextStatus = ContinuousClock.now
    private var lastEvent = ContinuousClock.now

    /// How often it looks; after `silence` an empty line is sent, so that both sides notice when the other is gone.
    private static let interval = Duration.seconds(1)
    private static let silence = Duration.seconds(15)
    /// The report of a large gallery takes long to make, so it may take at most this fraction of the time.
    private static let share = 20

    init(contents: PageContents?, host: any PageHost, seen: SeenAssets) {
        (self.contents, self.host, self.seen) = (contents, host, seen)
    }

    /// The answer that goes on until the browser leaves.
    nonisolated var response: Response {
        Response(
            status: 200, headers: ["content-type": "text/event-stream", "cache-control": "no-store"],
            body: .stream(length: nil) { try await self.next() })
    }

    /// Waits for the next events; throws when the server stops.
    func next() async throws -> [UInt8] {
        while true {
            let events = try await events()
            let now = ContinuousClock.now
            if !events.isEmpty || now - lastEvent >= Self.silence {
                lastEvent = now
                return events.isEmpty ? Array(":\n\n".utf8) : events
            }
            try await Task.sleep(for: Self.interval)
        }
    }

    private func events() async throws -> [UInt8] {
        var events: [UInt8] = []
        let news = host.works
        if news != works {
            works = news
            events += Self.event("works", WorksEvent(works: news))
        }
        events += logEvent()
        if let timeline = contents?.timeline {
            let new = try await timeline.revision(TimelineFilter())
            // The first revision is sent too, because the page may have loaded before this stream began.
            if revision != new {
                let count = try await timeline.days(TimelineFilter()).reduce(0) { $0 + $1.count }
                events += Self.event("timeline", TimelineEvent(revision: new, count: count))
            }
            revision = new
            let changed = try await seen.changes(in: timeline, after: toldChanges)
            toldChanges = changed.last
            if !changed.assets.isEmpty { events += Self.event("assets", AssetsEvent(changed.assets)) }
        }
        return try await statusEvent() + events
    }

    /// The log's lines since the last look; the page reads earlier ones by itself.
    private func logEvent() -> [UInt8] {
        let lines = host.log(after: logged ?? 0)
        defer { logged = lines.last?.number ?? logged ?? 0 }
        return logged == nil || lines.isEmpty ? [] : Self.event("log", LogDocument(lines))
    }

    private func statusEvent() async throws -> [UInt8] {
        let start = ContinuousClock.now
        guard start >= nextStatus else { return [] }
        var report = try await host.report(.counts)
        let moment = report.createdAt
        // A report that differs only in its time is not sent.
        report.createdAt = Date(timeIntervalSince1970: 0)
        nextStatus = ContinuousClock.now + max(Self.interval, (ContinuousClock.now - start) * Self.share)
        guard report != status else { return [] }
        status = report
        report.createdAt = moment
        return Array("event: status\ndata: ".utf8) + (try report.json(isLine: true)) + [UInt8(ascii: "\n")]
    }

    private static func event(_ name: String, _ document: some Encodable) -> [UInt8] {
        guard case .bytes(let json) = Response.json(document).body else { return [] }
        return Array("event: \(name)\ndata: ".utf8) + json + Array("\n\n".utf8)
    }
}

private struct TimelineEvent: Encodable {
    let revision: String
    let count: Int
}

private struct WorksEvent: Encodable {
    let works: [PageWork]
}

private struct AssetsEvent: Encodable {
    let ids: [String]
    let states: [String]
    let notes: [String?]
    let kept: [Bool]

    init(_ assets: [TimelineAsset]) {
        ids = assets.map { AssetIdentifier($0.place).text }
        states = assets.map(\.standing.word)
        notes = assets.map(\.sentence)
        kept = assets.map(\.isKept)
    }
}
