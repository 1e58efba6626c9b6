import Browsing
import Catalog
import Queue
import Records
import Reporting
import Roots
import Serving

/// The timeline: its months, ratios, columns and facets.
struct TimelineRoutes: Sendable {
    let contents: PageContents

    private var timeline: Timeline { contents.timeline }
    private static let ratioLimit = 65_536
    private static let columnLimit = 512

    /// The months and the days with their counts.
    func months(_ request: Request) async throws -> Response {
        let query = try await TimelineQuery(request, of: timeline)
        let revision = try await timeline.revision(query.filter)
        let days = try await timeline.days(query.filter)
        return .json(MonthsDocument(revision: revision, days: days, sizes: contents.sizes))
    }

    /// The ratios, a byte an asset, with the revision as a header.
    func ratios(_ request: Request) async throws -> Response {
        let query = try await TimelineQuery(request, of: timeline, limit: Self.ratioLimit)
        let revision = try await timeline.revision(query.filter)
        let bytes = try await timeline.ratios(query.filter, from: query.offset, count: query.count)
        return Response(
            status: 200,
            headers: [
                "content-type": "application/octet-stream", "cache-control": "no-store", "x-revision": revision,
            ], body: .bytes(bytes))
    }

    /// A page of assets with what is shown of each, as columns; `seen` gets the assets.
    func columns(_ request: Request, seen: ([TimelineAsset]) -> Void) async throws -> Response {
        let query = try await TimelineQuery(request, of: timeline, limit: Self.columnLimit)
        let revision = try await timeline.revision(query.filter)
        let assets = try await timeline.assets(query.filter, from: query.offset, count: query.count)
        seen(assets)
        return .json(
            ColumnsDocument(assets, away: try await away(assets), revision: revision, from: query.offset))
    }

    /// Whether each file is neither on this computer, as far as is known, nor kept after an earlier view.
    private func away(_ assets: [TimelineAsset]) async throws -> [Bool] {
        let absences = contents.roots.absences
        let roots = absences.isEmpty ? [] : try await timeline.roots(of: assets.map(\.place))
        var away: [Bool] = []
        for (number, asset) in assets.enumerated() {
            var isAway = asset.standing == .remote || (!roots.isEmpty && roots[number].flatMap { absences[$0] } != nil)
            if isAway, let sha256 = asset.sha256, await contents.kept?.holds(sha256) == true { isAway = false }
            away.append(isAway)
        }
        return away
    }

    /// How many assets each choice of a filter would show.
    func facets(_ request: Request) async throws -> Response {
        let roots = try await timeline.roots()
        let query = try await TimelineQuery(request, of: timeline)
        let counts = try await timeline.counts(in: query.filter.days)
        let cameras = try await timeline.survey().cameras
        let motions = try await timeline.motionCount()
        return .json(
            FacetsDocument(
                counts, query.filter, roots: roots, cameras: cameras, motions: motions,
                absences: contents.roots.absences))
    }
}

private struct MonthsDocument: Encodable {
    let schema = "gallery-sync/timeline/1"
    let revision: String
    let count: Int
    let months: [Span]
    let days: [Span]
    let thumbnailSizes: [Int]

    /// Written as `["2024-06", 1234]`.
    struct Span: Encodable {
        let span: TimelineSpan

        func encode(to encoder: any Encoder) throws {
            var pair = encoder.unkeyedContainer()
            try pair.encode(span.name)
            try pair.encode(span.count)
        }
    }

    init(revision: String, days: [TimelineSpan], sizes: [Int]) {
        (self.revision, thumbnailSizes) = (revision, sizes)
        self.count = days.reduce(0) { $0 + $1.count }
        self.months = days.months.map(Span.init)
        self.days = days.map(Span.init)
    }
}

private struct ColumnsDocument: Encodable {
    let schema = "gallery-sync/assets/1"
    let revision: String
    let from: Int
    let ids: [String]
    let taken: [Int64]
    let dated: [Bool]
    let hashes: [String?]
    let states: [String]
    let kinds: [String]
    let durations: [Double?]
    let names: [String]
    let notes: [String?]
    let lives: [String?]
    let away: [Bool]
    let kept: [Bool]

    init(_ assets: [TimelineAsset], away: [Bool], revision: String, from: Int) {
        (self.revision, self.from, self.away) = (revision, from, away)
        ids = assets.map { AssetIdentifier($0.place).text }
        taken = assets.map(\.face.taken)
        dated = assets.map(\.face.isDated)
        hashes = assets.map(\.thumbHash)
        states = assets.map(\.standing.word)
        kinds = assets.map(\.face.kind.word)
        durations = assets.map(\.duration)
        names = assets.map(\.name)
        notes = assets.map(\.sentence)
        lives = assets.map { $0.motion?.word }
        kept = assets.map(\.isKept)
    }
}

private struct FacetsDocument: Encodable {
    let schema = "gallery-sync/facets/1"
    let states: [String: Int]
    let roots: [Root]
    let kinds: [String: Int]
    /// Assets of each camera, regardless of the other facets.
    let cameras: [String: Int]
    /// Movies that are shown with their photos, and so are in no other count, regardless of the other facets.
    let motions: Int

    struct Root: Encodable {
        let name: String
        let count: Int
        let isHere: Bool
    }

    /// Each facet counts assets that pass the other facets of `filter`, so that each choice shows its outcome.
    init(
        _ counts: [TimelineCount], _ filter: TimelineFilter, roots known: [KnownRoot], cameras: [String: Int],
        motions: Int, absences: [String: RootAbsence]
    ) {
        func isOf(_ count: TimelineCount, standing: Bool = true, root: Bool = true, kind: Bool = true) -> Bool {
            (!standing || filter.standing.map { $0 == count.standing } ?? true)
                && (!root || filter.root.map { $0 == count.root } ?? true)
                && (!kind || filter.kind.map { $0 == count.kind } ?? true)
        }
        var (states, kinds, perRoot): ([String: Int], [String: Int], [Int64: Int]) = ([:], [:], [:])
        for count in counts {
            if isOf(count, standing: false) { states[count.standing.word, default: 0] += count.count }
            if isOf(count, kind: false) { kinds[count.kind.word, default: 0] += count.count }
            if isOf(count, root: false) { perRoot[count.root, default: 0] += count.count }
        }
        (self.states, self.kinds, self.cameras) = (states, kinds, cameras)
        self.motions = motions
        roots = known.map { Root(name: $0.name, count: perRoot[$0.id] ?? 0, isHere: absences[$0.name] == nil) }
    }
}

extension TimelineAsset {
    /// Whether a rule leaves it out now, and what was stored of it before stays: there is nothing to send, but it can be
    /// had from storage.
    var isKept: Bool { state == .remoteOnly && standing == .ignored }

    /// Why it is in its state, or what is unusual about it, in words for people; `nil` if there is nothing to say.
    var sentence: String? {
        if state == .excluded { return "It was cancelled, and is sent only when you ask for it." }
        if state == .indexed { return "Its folder is stored on request only." }
        if isKept { return "A rule leaves it out now; what is stored of it stays." }
        // The photo of this pair is stored, so its movie is what waits.
        if state == .stored, standing == .waiting { return "Its motion is not stored yet." }
        guard let blocked else { return note }
        let next = NextStep.after(blocked: blocked.reason.rawValue, code: blocked.code)
        return "\(BlockedTitle.of(blocked.reason.rawValue, code: blocked.code)). \(next)"
    }
}
