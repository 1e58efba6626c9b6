package import Database
import MediaModel
package import Platform
package import Queue
package import Records

// What the timeline needs of each asset, as `assets` has it and as it follows from the facts of a content.
extension Schema {
    /// The values of `taken`, `dated`, `ratio` and `kind`.
    package static func values(of face: TimelineFace?) -> [Value] {
        [
            Value(face?.taken), Value(face?.isDated ?? false), .integer(Int64(face?.ratio ?? 0)),
            .integer(face?.kind.rawValue ?? 0),
        ]
    }

    /// The facts of a content that a face is made of.
    fileprivate static let faceFacts = """
        json_extract(facts, '$.takenAt'), json_extract(facts, '$.takenAtSource') = '\(CaptureDateSource.file.rawValue)',
        json_extract(facts, '$.width'), json_extract(facts, '$.height'), json_extract(facts, '$.duration'),
        json_extract(facts, '$.kind') = '\(MediaKind.audio.rawValue)', json_extract(facts, '$.takenAtOffset')
        """

    /// Reads the columns of `faceFacts`, from `column` on.
    fileprivate static func known(_ type: MediaType, at column: Int, of row: Row) -> FaceFacts {
        // JSON has dates as Foundation counts them: seconds since 2001.
        let taken = row.flag(column + 1) ? nil : row.realOrNil(column).map { $0 + 978_307_200 }
        return FaceFacts(
            type: type, isSound: row.flag(column + 5), takenAt: taken,
            takenAtOffset: row.integerOrNil(column + 6).map { Int($0) },
            width: row.integerOrNil(column + 2).map { Int($0) },
            height: row.integerOrNil(column + 3).map { Int($0) }, duration: row.realOrNil(column + 4))
    }

    /// Fills in the faces of all assets of a library that had none; part of bringing it up to date.
    static func fillFaces(in database: Connection) throws {
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
                    UPDATE assets SET taken = ?, dated = ?, ratio = ?, kind = ?, standing = \(standing("state"))
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

extension Connection {
    /// The face of a file of this content, with what is known of it so far.
    package func face(ofContent sha256: String, type: String, modifiedAt: FileTime) throws -> TimelineFace? {
        let known = try first(
            "SELECT \(Schema.faceFacts) FROM contents WHERE sha256 = ?", Value([UInt8](hexadecimal: sha256))
        ) { Schema.known(MediaType(rawValue: type), at: 0, of: $0) }
        return TimelineFace(known ?? FaceFacts(type: MediaType(rawValue: type)), modifiedAt: modifiedAt)
    }
}

extension Asset.Place {
    /// Reads the two columns that name a place, from `column` on.
    package init(at column: Int, of row: Row) {
        self.init(directory: row.integer(column), name: row.blob(column + 1))
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
