package import Database
import FoundationEssentials
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

    private static let faceFacts = """
        json_extract(facts, '$.takenAt'), json_extract(facts, '$.takenAtSource') = '\(CaptureDateSource.file.rawValue)',
        json_extract(facts, '$.width'), json_extract(facts, '$.height'), json_extract(facts, '$.duration'),
        json_extract(facts, '$.kind') = '\(MediaKind.audio.rawValue)', json_extract(facts, '$.takenAtOffset')
        """

    /// The values of `taken`, `dated`, `ratio` and `kind`.
    static func values(of face: TimelineFace?) -> [Value] {
        [
            Value(face?.taken), Value(face?.isDated ?? false), .integer(Int64(face?.ratio ?? 0)),
            .integer(face?.kind.rawValue ?? 0),
        ]
    }

    /// The face of a file of this content, with what is known of it so far.
    func face(ofContent sha256: String, type: String, modifiedAt: FileTime) throws -> TimelineFace? {
        let known = try database.first(
            "SELECT \(Self.faceFacts) FROM contents WHERE sha256 = ?", Value([UInt8](hexadecimal: sha256))
        ) { Self.known(MediaType(rawValue: type), at: 0, of: $0) }
        return TimelineFace(known ?? FaceFacts(type: MediaType(rawValue: type)), modifiedAt: modifiedAt)
    }

    /// Reads the columns of `faceFacts`, from `column` on.
    private static func known(_ type: MediaType, at column: Int, of row: Row) -> FaceFacts {
        // JSON has dates as Foundation counts them: seconds since 2001.
        let taken = row.flag(column + 1) ? nil : row.realOrNil(column).map { $0 + 978_307_200 }
        return FaceFacts(
            type: type, isSound: row.flag(column + 5), takenAt: taken,
            takenAtOffset: row.integerOrNil(column + 6).map { Int($0) },
            width: row.integerOrNil(column + 2).map { Int($0) },
            height: row.integerOrNil(column + 3).map { Int($0) }, duration: row.realOrNil(column + 4))
    }

    /// Shows the asset with the facts that its file stated, unless the file changed since.
    func show(_ facts: MediaFacts, of asset: Asset) throws {
        try write(
            """
            UPDATE assets SET taken = ?1, dated = ?2, ratio = ?3, kind = ?4, camera = ?5
            WHERE directory = ?6 AND name = ?7 AND size = ?8 AND mtime = ?9
            """,
            binding: Self.values(of: TimelineFace(FaceFacts(facts), modifiedAt: asset.modifiedAt)) + [
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

    /// Fills in the faces of all assets of a library that had none; part of bringing it up to date.
    static func fillFaces(_ database: Connection) throws {
        var last = Asset.Place(directory: .min, name: [])
        while true {
            let rows = try database.rows(
                """
                SELECT directory, name, mtime, type, \(faceFacts) FROM assets a
                LEFT JOIN contents c ON c.sha256 = a.sha256
                WHERE (directory, name) > (?, ?) ORDER BY directory, name LIMIT 10000
                """, .integer(last.directory), .blob(last.name)
            ) { row in (Asset.Place(at: 0, of: row), face(of: row)) }
            for (place, face) in rows {
                try database.run(
                    """
                    UPDATE assets SET taken = ?, dated = ?, ratio = ?, kind = ?, standing = \(Schema.standing("state"))
                    WHERE directory = ? AND name = ?
                    """,
                    binding: values(of: face) + [.integer(place.directory), .blob(place.name)])
            }
            guard let end = rows.last else { return }
            last = end.0
        }
    }

    /// The face of a row of `fillFaces`, whose type is NULL where the file was not read.
    private static func face(of row: Row) -> TimelineFace? {
        let modifiedAt = FileTime(nanoseconds: row.integer(2))
        guard let type = row.textOrNil(3) else { return TimelineFace(unread: row.blob(1), modifiedAt: modifiedAt) }
        return TimelineFace(known(MediaType(rawValue: type), at: 4, of: row), modifiedAt: modifiedAt)
    }
}

extension TimelineFace {
    /// Reads the columns `taken`, `dated`, `ratio` and `kind`, from `column` on.
    package init(at column: Int, of row: Row) {
        self.init(
            taken: row.integer(column), isDated: row.flag(column + 1),
            ratio: UInt8(clamping: row.integer(column + 2)),
            kind: TimelineKind(rawValue: row.integer(column + 3)) ?? .other)
    }
}
