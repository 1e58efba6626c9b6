import Database
import MediaModel
import Queue
import Records
import Tables

// What an earlier version of the program could not do, or left wrong; looked for once, when a library is opened.
extension Library {
    /// Has files read again that a program which knew fewer formats took for no media, and pictures made again that its
    /// decoders could not make.
    static func readAgainForNewFormats(in database: Connection) throws {
        let known = String(MediaIdentity.generation)
        guard try database.fact("formats") != known else { return }
        try database.execute("BEGIN IMMEDIATE")
        try database.run(
            """
            UPDATE assets SET state = \(asset: .seen), message = NULL
                WHERE state = \(asset: .ignored) AND coalesce(message, ?1) = ?1
            """, .text(noMedia))
        try database.run(
            """
            UPDATE assets SET thumbnails = \(picture: .wanted), note = NULL
                WHERE thumbnails = \(picture: .failed) AND state IN \(assets: [.queued, .stored, .indexed])
                    AND substr(note, 1, \(lack("").count)) = '\(lack(""))'
            """)
        try database.keep(known, as: "formats")
        try database.execute("COMMIT")
    }

    /// Has files read again that an earlier version counted as stored, although no original is stored of them.
    ///
    /// Two files with one content could both be stored by one object, which has a single receipt.
    static func readAgainUnproven(in database: Connection) throws {
        guard try database.fact("receipts") == nil else { return }
        try database.execute("BEGIN IMMEDIATE")
        try database.run(
            """
            UPDATE assets SET state = \(asset: .seen) WHERE state = \(asset: .stored) AND NOT EXISTS (
                SELECT 1 FROM receipts r
                WHERE r.directory = assets.directory AND r.name = assets.name AND r.role = 'original')
            """)
        try database.keep("one for each stored file", as: "receipts")
        try database.execute("COMMIT")
    }
}
