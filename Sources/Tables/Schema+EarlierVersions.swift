package import Database
import MediaModel
import Queue
import Records

// What an earlier version of the program could not do, or left wrong; looked for once, when a library is opened.
extension Schema {
    /// Mends what has not been mended in this library yet.
    package static func mendEarlierVersions(in database: Connection) throws {
        try once(String(MediaIdentity.generation), as: "formats", in: database) {
            try readAgainForNewFormats(in: database)
        }
        try once("one for each stored file", as: "receipts", in: database) { try readAgainUnproven(in: database) }
    }

    /// Runs `change`, unless it was run for the same `value` before.
    private static func once(
        _ value: String, as fact: String, in database: Connection, _ change: () throws -> Void
    ) throws {
        guard try database.fact(fact) != value else { return }
        try database.execute("BEGIN IMMEDIATE")
        try change()
        try database.keep(value, as: fact)
        try database.execute("COMMIT")
    }

    /// Has files read again that a program which knew fewer formats took for no media, and pictures made again that its
    /// decoders could not make.
    private static func readAgainForNewFormats(in database: Connection) throws {
        try database.run(
            """
            UPDATE assets SET state = \(asset: .seen), message = NULL
                WHERE state = \(asset: .ignored) AND coalesce(message, ?1) = ?1
            """, .text(Asset.noMedia))
        try database.run(
            """
            UPDATE assets SET thumbnails = \(picture: .wanted), note = NULL
                WHERE thumbnails = \(picture: .failed) AND state IN \(assets: [.queued, .stored, .indexed])
                    AND substr(note, 1, \(Asset.noThumbnail("").count)) = '\(Asset.noThumbnail(""))'
            """)
    }

    /// Has files read again that an earlier version counted as stored, although no original is stored of them.
    ///
    /// Two files with one content could both be stored by one object, which has a single receipt.
    private static func readAgainUnproven(in database: Connection) throws {
        try database.run(
            """
            UPDATE assets SET state = \(asset: .seen) WHERE state = \(asset: .stored) AND NOT EXISTS (
                SELECT 1 FROM receipts r
                WHERE r.directory = assets.directory AND r.name = assets.name AND r.role = 'original')
            """)
    }
}
