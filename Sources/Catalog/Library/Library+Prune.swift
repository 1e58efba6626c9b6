import Database
package import Platform
package import Queue
package import Records
import Tables

extension Library {
    /// Receipts whose files are gone, also where other files have their names now, in key order after `key`, at most `count`.
    package func remoteOnly(destination: String, after key: String, count: Int) throws -> [Duplicate] {
        try duplicates(
            """
            LEFT JOIN assets a ON a.directory = r.directory AND a.name = r.name
            WHERE r.destination = ? AND r.key > ?
                AND (a.state IS NULL OR a.state IN \(assets: .absent) OR \(Self.isOfFormerFile))
            ORDER BY r.key LIMIT \(count)
            """, .text(destination), .text(key))
    }

    /// The receipts of those of `files` that are gone.
    package func remoteOnly(destination: String, of files: [RootedPath]) throws -> [Duplicate] {
        try files.flatMap { file in
            guard let place = try place(root: file.root, path: file.path) else { return [Duplicate]() }
            return try duplicates(
                """
                LEFT JOIN assets a ON a.directory = r.directory AND a.name = r.name
                WHERE r.directory = ? AND r.name = ? AND r.destination = ?
                    AND (a.state IS NULL OR a.state IN \(assets: .absent) OR \(Self.isOfFormerFile)) ORDER BY r.key
                """, .integer(place.directory), .blob(place.name), .text(destination))
        }
    }

    /// The files of a root that are only in storage as far as the walks know, which meet no file that a rule leaves out.
    ///
    /// - Parameter isWanted: Whether a file belongs to the result, since there may be a million.
    package func remoteOnlyFiles(of root: Int64, where isWanted: @Sendable (FilePath) -> Bool) throws -> [FilePath] {
        var files: [FilePath] = []
        try database.each(
            """
            SELECT d.path, a.name FROM assets a CROSS JOIN directories d ON d.id = a.directory
            WHERE a.state = \(asset: .remoteOnly) AND d.root = ?
            """, binding: [.integer(root)]
        ) { row in
            let path = FilePath(bytes: row.blob(0)).appending(row.blob(1))
            if isWanted(path) { files.append(path) }
        }
        return files
    }

    /// Writes down, with the next commit, which of the root's files that no walk meets are here, left out by rules.
    package func setRuled(_ files: Set<FilePath>, of root: Int64) throws {
        var changed: [(place: Asset.Place, isRuled: Bool)] = []
        try database.each(
            """
            SELECT a.directory, a.name, d.path, a.ruled FROM assets a CROSS JOIN directories d ON d.id = a.directory
            WHERE a.state = \(asset: .remoteOnly) AND d.root = ?
            """, binding: [.integer(root)]
        ) { row in
            let isRuled = files.contains(FilePath(bytes: row.blob(2)).appending(row.blob(1)))
            if isRuled != row.flag(3) { changed.append((Asset.Place(at: 0, of: row), isRuled)) }
        }
        for (place, isRuled) in changed {
            try write(
                "UPDATE assets SET ruled = ? WHERE directory = ? AND name = ?", .integer(isRuled ? 1 : 0),
                .integer(place.directory), .blob(place.name))
        }
    }

    /// All receipts of a root, in key order after `key`, at most `count`.
    package func receipts(ofRoot root: Int64, destination: String, after key: String, count: Int) throws -> [Duplicate]
    {
        try duplicates(
            """
            JOIN directories d ON d.id = r.directory WHERE d.root = ? AND r.destination = ? AND r.key > ?
            ORDER BY r.key LIMIT \(count)
            """, .integer(root), .text(destination), .text(key))
    }

    /// The state of a file here that is not stored yet and may be the file of `gone` under another name; `nil` if there
    /// is none.
    ///
    /// Such a file has the same bytes or, if it was not read yet, the same size and time. For a picture, its original's
    /// bytes count.
    package func stateOfHeir(to gone: Duplicate) throws -> Asset.State? {
        let receipt = gone.receipt
        guard let place = try place(of: receipt) else { return nil }
        let state = try database.first(
            """
            SELECT min(a.state) FROM assets a LEFT JOIN assets g ON g.directory = ?1 AND g.name = ?2
            WHERE a.state IN \(assets: [.seen, .identifying, .queued, .failed, .unreadable, .held, .indexed])
                AND (a.size = g.size AND (a.sha256 = g.sha256 OR a.mtime = g.mtime) OR a.sha256 IN (
                    SELECT sha256 FROM receipts
                    WHERE directory = ?1 AND name = ?2 AND destination = ?3 AND role = 'original'))
            """, .integer(place.directory), .blob(place.name), .text(receipt.destination)
        ) { $0.integerOrNil(0) }
        return (state ?? nil).flatMap(Asset.State.init)
    }

    /// Forgets receipts whose objects were deleted, and the assets that have none left; durable when this returns.
    ///
    /// A file that is back by then is read again, or has its thumbnails made again.
    package func forgetPruned(_ receipts: [Receipt]) throws {
        for receipt in receipts {
            guard let place = try place(of: receipt) else { continue }
            if try delete(receipt) {
                if receipt.role != .original { try wantPicture(receipt.role, of: place) }
                try unmark(receipt)
            }
            try write(
                """
                DELETE FROM assets WHERE directory = ?1 AND name = ?2 AND state IN \(assets: .absent) AND NOT EXISTS (
                    SELECT 1 FROM receipts r WHERE r.directory = ?1 AND r.name = ?2)
                """, .integer(place.directory), .blob(place.name))
            try write(
                """
                UPDATE assets SET state = \(asset: .seen), rank = rank % 2 WHERE directory = ?1 AND name = ?2
                    AND state = \(asset: .stored) AND NOT EXISTS (
                    SELECT 1 FROM receipts r WHERE r.directory = ?1 AND r.name = ?2 AND r.role = 'original')
                """, .integer(place.directory), .blob(place.name))
            try noteForgotten(at: place)
        }
        try commit()
    }
}
