import Database
import MediaModel
import Platform
import Queue

extension Library {
    /// Whether the library has the timeline's index and counts; a read-only one may be of an earlier version.
    package var hasTimeline: Bool {
        get throws { try database.schemaVersion >= 7 }
    }

    /// Whether each asset has the columns that version 6 added, its kind among them.
    var hasFaces: Bool {
        get throws { try database.schemaVersion >= 6 }
    }

    /// The assets at `places` in their order, without those that the timeline does not show.
    func timelineAssets(at places: [Asset.Place]) throws -> [TimelineAsset] {
        try places.compactMap { place in
            try database.first(
                """
                SELECT taken, dated, ratio, kind, standing, coalesce(a.message, a.note), a.state,
                    json_extract(c.facts, '$.thumbHash'), json_extract(c.facts, '$.duration'), b.reason, b.code
                FROM assets a LEFT JOIN contents c ON c.sha256 = a.sha256
                LEFT JOIN blocked b ON b.directory = a.directory AND b.name = a.name AND b.role = 'original'
                WHERE a.directory = ? AND a.name = ? AND \(Schema.isShown)
                """, .integer(place.directory), .blob(place.name)
            ) { Self.timelineAsset(place, $0) }
        }
    }

    private static func timelineAsset(_ place: Asset.Place, _ row: Row) -> TimelineAsset {
        let face = TimelineFace(
            taken: row.integer(0), isDated: row.flag(1), ratio: UInt8(clamping: row.integer(2)),
            kind: TimelineKind(rawValue: row.integer(3)) ?? .other)
        let reason = row.textOrNil(9).flatMap(Item.Blocked.init(rawValue:))
        return TimelineAsset(
            place: place, face: face, standing: Standing(rawValue: row.integer(4)) ?? .waiting,
            thumbHash: row.textOrNil(7), duration: face.kind == .video ? row.realOrNil(8) : nil,
            state: Asset.State(rawValue: row.integer(6)) ?? .seen, note: row.textOrNil(5).map(cleansed),
            blocked: reason.map { BlockedCause($0, code: row.textOrNil(10).map(FailureCode.init)) })
    }

    /// Where the files at `places` lie, of those that are known.
    func locations(of places: [Asset.Place]) throws -> [RootedPath] {
        try places.compactMap { place in try location(of: place).map { RootedPath(root: $0.root, path: $0.path) } }
    }

    /// Everything that is known of the asset at `place`.
    func details(of place: Asset.Place) throws -> AssetDetails? {
        guard let shown = try timelineAssets(at: [place]).first, let (root, path) = try location(of: place),
            let record = try fileRecord(root: root, path: path)
        else { return nil }
        var content: (type: String, facts: MediaFacts?)?
        if let sha256 = record.asset.sha256 { content = try self.content(sha256) }
        return AssetDetails(
            shown: shown, record: record, type: content.map { MediaType(rawValue: $0.type) }, facts: content?.facts)
    }
}
