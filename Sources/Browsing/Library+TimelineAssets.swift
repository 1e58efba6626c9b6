import Catalog
import Database
import MediaModel
import Platform
import Queue
import Records
import Tables

extension Library {
    /// The assets at `places` in their order, without those that the timeline does not show.
    func timelineAssets(at places: [Asset.Place]) throws -> [TimelineAsset] {
        try places.compactMap { place in
            try queries.first(
                """
                SELECT taken, dated, ratio, kind, standing, coalesce(a.message, a.note), a.state,
                    json_extract(c.facts, '$.thumbHash'), json_extract(c.facts, '$.duration'), b.reason, b.code,
                    (SELECT p.name FROM assets p WHERE a.pair IS NOT NULL AND \(Schema.isMotionOfPhoto)),
                    json_extract(c.facts, '$.clip.offset'), json_extract(c.facts, '$.clip.length'), a.sha256
                FROM assets a LEFT JOIN contents c ON c.sha256 = a.sha256
                LEFT JOIN blocked b ON b.directory = a.directory AND b.name = a.name AND b.role = 'original'
                WHERE a.directory = ? AND a.name = ? AND \(Schema.isShown)
                """, .integer(place.directory), .blob(place.name)
            ) { Self.timelineAsset(place, $0) }
        }
    }

    private static func timelineAsset(_ place: Asset.Place, _ row: Row) -> TimelineAsset {
        let face = TimelineFace(at: 0, of: row)
        let reason = row.textOrNil(9).flatMap(Item.Blocked.init(rawValue:))
        return TimelineAsset(
            place: place, face: face, standing: Standing(rawValue: row.integer(4)) ?? .waiting,
            thumbHash: row.textOrNil(7), duration: face.kind == .video ? row.realOrNil(8) : nil,
            state: Asset.State(rawValue: row.integer(6)) ?? .seen, note: row.textOrNil(5).map(cleansed),
            blocked: reason.map { BlockedCause($0, code: row.textOrNil(10).map(FailureCode.init)) },
            sha256: row.blobOrNil(14)?.hexadecimal, motion: motion(row))
    }

    /// Reads the columns of `timelineAssets` that describe the motion.
    private static func motion(_ row: Row) -> TimelineAsset.Motion? {
        if let name = row.blobOrNil(11) { return .movie(name: name) }
        guard let offset = row.integerOrNil(12), let length = row.integerOrNil(13), offset >= 0, length > 0 else {
            return nil
        }
        return .clip(EmbeddedClip(offset: Int(offset), length: Int(length)))
    }

    /// The name of the root that each of `places` lies below, in their order.
    func roots(of places: [Asset.Place]) throws -> [String?] { try places.map { try location(of: $0)?.root } }

    /// Where the files at `places` lie, without unknown ones; for a Live Photo both of its files.
    func locations(of places: [Asset.Place]) throws -> [RootedPath] {
        try places.flatMap { place in
            try [place, motion(of: place)].compactMap { place in
                try place.flatMap { try location(of: $0) }.map { RootedPath(root: $0.root, path: $0.path) }
            }
        }
    }

    /// What is known about the movie of the Live Photo at `place`; `nil` if there is none.
    func motionRecord(of place: Asset.Place) throws -> FileRecord? {
        guard let motion = try motion(of: place), let (root, path) = try location(of: motion) else { return nil }
        return try fileRecord(root: root, path: path)
    }

    /// Everything that is known about the asset at `place`.
    func details(of place: Asset.Place) throws -> AssetDetails? {
        guard let shown = try timelineAssets(at: [place]).first, let (root, path) = try location(of: place),
            let record = try fileRecord(root: root, path: path)
        else { return nil }
        var content: (type: String, facts: MediaFacts?)?
        if let sha256 = record.asset.sha256 { content = try self.content(sha256) }
        return AssetDetails(
            shown: shown, record: record,
            type: content.map { MediaType(kept: $0.type, size: record.asset.size, fileExtension: path.fileExtension) },
            facts: content?.facts)
    }
}
