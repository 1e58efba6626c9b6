import Database
package import FoundationEssentials
import Platform
package import Queue
package import Records
import Text

// Objects whose files were gone when other files got their names: storage alone has what they hold.
extension Library {
    /// Marks the objects of a file that was gone and whose name a file has again, with the next commit.
    ///
    /// What comes back may be another photo, as from a camera that counts from 1 again: they are set aside for it then.
    /// Not those that are to be deleted by the user's order since they were last seen: an earlier deletion made room for
    /// them. But also those whose content another file had, which may hold another by then.
    func markLastCopies(ofReturned place: Asset.Place) throws {
        try markLastCopies(
            """
            SELECT r.destination, r.key, r.sha256, r.role, r.size, r.directory, r.name
            FROM receipts r JOIN assets a ON a.directory = r.directory AND a.name = r.name
            WHERE r.directory = ? AND r.name = ? AND r.role = 'original' AND a.state = \(asset: .remoteOnly)
                AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.destination = r.destination AND d.key = r.key
                    AND d.noted > r.verified)
            """, .integer(place.directory), .blob(place.name))
    }

    /// Marks the object that alone holds the content of a file which went from `place`, under the name of another file.
    ///
    /// It had that name before, and was deleted before it was stored by its own, as while the network was away or the brake
    /// held it. With the next commit.
    func markLastCopies(ofDeleted place: Asset.Place) throws {
        try markLastCopies(
            """
            SELECT r.destination, r.key, r.sha256, r.role, r.size, r.directory, r.name
            FROM assets gone CROSS JOIN receipts r ON r.sha256 = gone.sha256 AND r.role = 'original'
                JOIN assets a ON a.directory = r.directory AND a.name = r.name
            WHERE gone.directory = ?1 AND gone.name = ?2 AND NOT (r.directory = ?1 AND r.name = ?2)
                AND a.state NOT IN \(assets: .absent)
                AND (a.sha256 IS NOT r.sha256 OR a.state IN \(assets: [.seen, .identifying]))
                AND NOT EXISTS (SELECT 1 FROM receipts o WHERE o.sha256 = r.sha256 AND o.role = 'original'
                    AND o.destination = r.destination AND o.key != r.key)
            """, .integer(place.directory), .blob(place.name))
    }

    /// Marks the object of `receipt` where a file with other bytes, or bytes that were not read yet, is at `place`.
    func markLastCopy(_ receipt: Receipt, besidesFileAt place: Asset.Place) throws {
        try markLastCopies(
            """
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
            WHERE EXISTS (SELECT 1 FROM assets WHERE directory = ?6 AND name = ?7
                AND state NOT IN \(assets: .absent) AND sha256 IS NOT ?3)
            """, .text(receipt.destination), .text(receipt.key.text), Value([UInt8](hexadecimal: receipt.sha256)),
            .text(receipt.role.rawValue), .integer(receipt.size), .integer(place.directory), .blob(place.name))
    }

    /// Marks the objects that a query gives: destination, key, hash, role, size, directory and name.
    ///
    /// One to which a move is under way has no mark: what lies there is not known.
    private func markLastCopies(_ query: String, _ values: Value...) throws {
        try writeAttempts(
            """
            INSERT INTO attempts (destination, key, sha256, role, size, directory, name, state, doubtful)
            SELECT *, \(attempt: .lastCopy), 0 FROM (\(query)) WHERE true
            ON CONFLICT (destination, key, sha256) DO UPDATE SET state = excluded.state WHERE source IS NULL
            """, binding: values)
    }

    /// Remembers durably that the object of `receipt` is about to be moved to `key`.
    package func noteMove(of receipt: Receipt, to key: ObjectKey, at now: Date) throws {
        let place = try place(ofReceipt: receipt.key, destination: receipt.destination)
        try writeAttempts(
            """
            INSERT OR REPLACE INTO attempts
                (destination, key, sha256, role, size, directory, name, source, doubtful, noted)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
            """, .text(receipt.destination), .text(key.text), Value([UInt8](hexadecimal: receipt.sha256)),
            .text(receipt.role.rawValue), .integer(receipt.size), Value(place?.directory),
            place.map { .blob($0.name) } ?? .null, .text(receipt.key.text),
            .integer(FileTime(now).nanoseconds))
        try commit()
    }

    /// Has the mark of an object, if it has one, follow it to another key.
    func moveMark(of receipt: Receipt, to key: ObjectKey) throws {
        try writeAttempts(
            """
            UPDATE OR REPLACE attempts SET key = ?
            WHERE destination = ? AND key = ? AND sha256 = ? AND state = \(attempt: .lastCopy)
            """, .text(key.text), .text(receipt.destination), .text(receipt.key.text),
            Value([UInt8](hexadecimal: receipt.sha256)))
    }

    /// The receipts that show a file's content to be stored as `key` or beside it; they are marked no more.
    ///
    /// What was set aside shows nothing while an object of ours with other bytes has, or may have, the key: that is the
    /// file's own, and would stay as it is.
    func unmarkedReceipts(of sha256: String, as key: ObjectKey, destination: String) throws -> [Receipt] {
        let receipts = try receipts(destination: destination, keys: [key, key.beside(sha256)])
        let isTaken =
            try receipts.contains { $0.key == key && $0.sha256 != sha256 }
            || isAttempted(key, besides: sha256, destination: destination)
        return try receipts.filter { receipt in
            guard receipt.sha256 == sha256, try isMarked(receipt) else { return receipt.sha256 == sha256 }
            if isTaken { return false }
            try forgetAttempt(at: receipt.key, of: sha256, destination: destination)
            return true
        }
    }

    /// Has the object under a file's own `key` count as that file's, where it was set aside for another one.
    ///
    /// It had the other's name, and came back beside it by the name that its object has: once it is deleted again, its
    /// object is all that is left of it.
    func takeBack(_ key: ObjectKey, of identified: IdentifiedAsset, destination: String) throws {
        let place = identified.asset.place
        try write(
            """
            UPDATE receipts SET directory = ?1, name = ?2
            WHERE destination = ?3 AND key = ?4 AND role = 'original' AND NOT (directory = ?1 AND name = ?2)
                AND EXISTS (SELECT 1 FROM assets a WHERE a.directory = receipts.directory AND a.name = receipts.name
                    AND a.state NOT IN \(assets: .absent) AND a.sha256 != receipts.sha256)
            """, .integer(place.directory), .blob(place.name), .text(destination), .text(key.text))
    }

    /// Whether an attempt may have left other bytes under `key` than those with this hash.
    private func isAttempted(_ key: ObjectKey, besides sha256: String, destination: String) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM attempts WHERE destination = ? AND key = ? AND sha256 != ? AND source IS NULL AND size > 0
                AND state IN \(attempts: [.unknown, .there])
            """, .text(destination), .text(key.text), Value([UInt8](hexadecimal: sha256)))
    }

    /// Whether the object of `receipt` is set aside where other bytes are to take its key: its file was gone before
    /// another one got its name, and storage has its content under no other key.
    ///
    /// Another key does not count whose object is marked, too, or whose file has other bytes by now: both may be replaced
    /// at the same time.
    package func isLastCopy(_ receipt: Receipt) throws -> Bool {
        guard try isMarked(receipt) else { return false }
        return try !database.exists(
            """
            SELECT 1 FROM receipts r JOIN assets a ON a.directory = r.directory AND a.name = r.name
            WHERE r.sha256 = ? AND r.role = 'original' AND r.destination = ? AND r.key != ?
                AND a.sha256 = r.sha256 AND a.state IN \(assets: [.stored, .remoteOnly]) AND NOT \(Self.isLastCopy)
            """, Value([UInt8](hexadecimal: receipt.sha256)), .text(receipt.destination), .text(receipt.key.text))
    }

    /// Whether `receipt` is for a former file of its name, since another one is stored that has the name now.
    package func isOfFormerFile(_ receipt: Receipt) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM receipts r JOIN assets a ON a.directory = r.directory AND a.name = r.name
            WHERE r.destination = ? AND r.key = ? AND r.sha256 = ? AND \(Self.isOfFormerFile)
            """, .text(receipt.destination), .text(receipt.key.text), Value([UInt8](hexadecimal: receipt.sha256)))
    }

    /// Objects of former files whose names other files have now, but for those that count as only in storage themselves.
    func formerFileCount() throws -> Int {
        // A library that was not opened for writing since version 4 tells no states of attempts.
        guard try database.schemaVersion >= 5 else { return 0 }
        return try database.first(
            """
            SELECT count(*) FROM attempts m CROSS JOIN receipts r
                ON r.destination = m.destination AND r.key = m.key AND r.sha256 = m.sha256
                JOIN assets a ON a.directory = r.directory AND a.name = r.name
            WHERE m.state = \(attempt: .lastCopy) AND a.state NOT IN \(assets: .absent) AND a.sha256 IS NOT r.sha256
                AND NOT EXISTS (SELECT 1 FROM assets g WHERE g.sha256 = r.sha256 AND g.state = \(asset: .remoteOnly))
            """
        ) { Int($0.integer(0)) } ?? 0
    }

    private func isMarked(_ receipt: Receipt) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM attempts WHERE destination = ? AND key = ? AND sha256 = ? AND state = \(attempt: .lastCopy)
            """, .text(receipt.destination), .text(receipt.key.text), Value([UInt8](hexadecimal: receipt.sha256)))
    }

    /// A condition on receipts `r`: the object is marked as the last copy of a file that was gone.
    static let isLastCopy = """
        EXISTS (SELECT 1 FROM attempts m WHERE m.destination = r.destination AND m.key = r.key
            AND m.sha256 = r.sha256 AND m.state = \(attempt: .lastCopy))
        """

    /// A condition on receipts `r` and their assets `a`: the object is of a former file of that name.
    static let isOfFormerFile = "(a.state = \(asset: .stored) AND a.sha256 != r.sha256 AND \(isLastCopy))"
}
