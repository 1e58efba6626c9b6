import Database
import MediaModel
import Platform
import Queue
import Records
import Tables

// What the timeline needs of each asset, written where its file is seen and read.
extension Library {
    /// Whether the library has the timeline's index and counts; a read-only one may be of an earlier version.
    package var hasTimeline: Bool {
        get throws { try database.schemaVersion >= 8 }
    }

    /// Whether no program of this version has opened it for writing yet.
    package var isOutdated: Bool { get throws { try database.schemaVersion < Schema.version } }

    /// Shows the asset with the facts that its file stated, unless the file changed since.
    func show(_ facts: MediaFacts, of asset: Asset) throws {
        try write(
            """
            UPDATE assets SET taken = ?1, dated = ?2, ratio = ?3, kind = ?4, camera = ?5
            WHERE directory = ?6 AND name = ?7 AND size = ?8 AND mtime = ?9
            """,
            binding: Schema.values(of: TimelineFace(FaceFacts(facts), modifiedAt: asset.modifiedAt)) + [
                Value(try facts.camera.map { try camera(named: $0) })
            ] + Self.key(of: asset))
        try connect(asset.place)
    }

    /// The row of a camera, made when missing.
    private func camera(named name: String) throws -> Int64 {
        if let known = memory.cameras[name] { return known }
        try write("INSERT OR IGNORE INTO cameras (name) VALUES (?)", .text(name))
        let row = try database.first("SELECT id FROM cameras WHERE name = ?", .text(name)) { $0.integer(0) } ?? 0
        memory.cameras[name] = row
        return row
    }
}
