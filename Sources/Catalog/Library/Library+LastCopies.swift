import Database
package import FoundationEssentials
import Platform
package import Queue
package import Records
import Tables
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
    /// held it. The other file may have the same content still, or may have changed before a scan has come to it: the next
    /// one that finds it unchanged drops the mark (`keptCopies`). With the next commit.
    func markLastCopies(ofDeleted place: Asset.Place) throws {
        try markLastCopies(
            """
            SELECT r.destination, r.key, r.sha256, r.role, r.size,
                iif(a.sha256 = r.sha256, r.directory, gone.directory), iif(a.sha256 = r.sha256, r.name, gone.name)
            FROM assets gone CROSS JOIN receipts r ON r.sha256 = gone.sha256 AND r.role = 'original'
                JOIN assets a ON a.directory = r.directory AND a.name = r.name
            WHERE gone.directory = ?1 AND gone.name = ?2 AND NOT (r.directory = ?1 AND r.name = ?2)
                AND a.state NOT IN \(assets: .absent) AND NOT EXISTS (SELECT 1 FROM receipts o WHERE \(Self.others))
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
        try markLastCopies(query, binding: values)
    }

    private func markLastCopies(_ query: String, binding values: [Value]) throws {
        try writeAttempts(
            """
            INSERT INTO attempts (destination, key, sha256, role, size, directory, name, state, doubtful)
            SELECT *, \(attempt: .lastCopy), 0 FROM (\(query)) WHERE true
            ON CONFLICT (destination, key, sha256) DO UPDATE SET state = excluded.state, directory = excluded.directory,
                name = excluded.name WHERE source IS NULL
            """, binding: values)
        if database.changes > 0 { memory.mayHoldLastCopies = true }
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
    ///
    /// - Parameter withFile: Whether its file has moved there: then it is kept for another file alone.
    func moveMark(of receipt: Receipt, to key: ObjectKey, withFile: Bool = false) throws {
        let others = withFile ? "AND NOT EXISTS (SELECT 1 FROM receipts r WHERE \(Self.isOwn))" : ""
        try writeAttempts(
            "UPDATE OR REPLACE attempts AS m SET key = ?4 WHERE \(Self.isMark) \(others)",
            binding: Self.object(receipt) + [.text(key.text)])
    }

    /// The receipts that show a file's content to be stored as `key` or beside it; they are marked no more.
    ///
    /// What was set aside shows nothing: it gets the file's own name back, by which alone it is restored as that. Nor does
    /// one under that name where an object of ours with other bytes has, or may have, taken it.
    func unmarkedReceipts(of sha256: String, as key: ObjectKey, destination: String) throws -> [Receipt] {
        let receipts = try receipts(destination: destination, keys: [key, key.beside(sha256)])
        let isTaken =
            try receipts.contains { $0.key == key && $0.sha256 != sha256 }
            || isAttempted(key, besides: sha256, destination: destination)
        return try receipts.filter { receipt in
            guard receipt.sha256 == sha256 else { return false }
            guard try receipt.key == key || !isOutdated(receipt) else { return false }
            guard try isMarked(receipt) else { return true }
            guard receipt.key == key, !isTaken else { return false }
            try forgetMark(of: receipt, isOwn: true)
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

    /// Decides whether the object of `receipt` is set aside where other bytes are to take its key.
    ///
    /// Durable when this returns. Where another object stays that has its content, that one bears the mark from now on: of
    /// two that are replaced at the same time, each would count on the other.
    package func decideLastCopy(_ receipt: Receipt) throws -> Bool {
        let (object, isMarked) = (Self.object(receipt), try isMarked(receipt))
        guard try isMarked || isAwaited(receipt) else { return false }
        let isLast = try !hasOther(receipt)
        guard isLast != isMarked else { return isLast }
        if isLast {
            try markLastCopies(
                """
                SELECT r.destination, r.key, r.sha256, r.role, r.size, f.directory, f.name
                FROM receipts r JOIN assets f ON \(Self.heirs)
                WHERE r.destination = ?1 AND r.key = ?2 AND r.sha256 = ?3 LIMIT 1
                """, binding: object)
        } else {
            try markLastCopies(
                """
                SELECT o.destination, o.key, o.sha256, o.role, o.size, m.directory, m.name
                FROM attempts m JOIN receipts r
                    ON r.destination = m.destination AND r.key = m.key AND r.sha256 = m.sha256
                    JOIN receipts o ON \(Self.others) WHERE \(Self.isMark) LIMIT 1
                """, binding: object)
            try forgetMark(of: receipt)
        }
        try commit()
        return isLast
    }

    /// Whether the object of `receipt` is set aside where other bytes are to take its key: its file was gone before
    /// another one got its name, or has another name by which it is not stored yet; and no other object stays that has its
    /// content.
    package func isLastCopy(_ receipt: Receipt) throws -> Bool {
        guard try isMarked(receipt) || isAwaited(receipt) else { return false }
        return try !hasOther(receipt)
    }

    /// Whether another object stays that has the content of `receipt`.
    private func hasOther(_ receipt: Receipt) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM receipts r JOIN receipts o ON \(Self.others)
            WHERE r.destination = ?1 AND r.key = ?2 AND r.sha256 = ?3
            """, binding: Self.object(receipt))
    }

    /// Notes that the object of `receipt` was set aside, with the next commit.
    ///
    /// Where it was needed no more before it had moved, it is `outdated`.
    func noteAside(_ receipt: Receipt) throws {
        if try isMarked(receipt) {
            try releaseLastCopies(of: receipt.sha256, destination: receipt.destination)
        } else if try hasOther(receipt) {
            try outdate(receipt)
        } else {
            try markLastCopies(
                """
                SELECT destination, key, sha256, role, size, directory, name FROM receipts
                WHERE destination = ?1 AND key = ?2 AND sha256 = ?3
                """, binding: Self.object(receipt))
        }
    }

    /// Drops the marks of objects that were kept for files which have objects of their own with that content by now.
    ///
    /// What was set aside for one is `outdated`. An object that is being set aside is looked at once it has moved; one whose
    /// file has other bytes by now is about to be replaced.
    func releaseLastCopies(of sha256: String, destination: String) throws {
        // Asked for each file that is stored, and many may have the same content.
        guard try mayHoldLastCopies() else { return }
        let kept = try duplicates(
            flagged: """
                EXISTS (SELECT 1 FROM assets a
                    WHERE a.directory = r.directory AND a.name = r.name AND a.sha256 = r.sha256)
                """,
            from: """
                receipts r WHERE r.sha256 = ?1 AND r.destination = ?2 AND EXISTS (SELECT 1 FROM attempts m
                        JOIN receipts e ON e.directory = m.directory AND e.name = m.name AND e.sha256 = m.sha256
                        JOIN assets f ON f.directory = e.directory AND f.name = e.name AND f.sha256 = e.sha256
                        WHERE m.destination = r.destination AND m.key = r.key AND m.sha256 = r.sha256
                            AND m.state = \(attempt: .lastCopy) AND e.destination = r.destination
                            AND e.role = 'original' AND e.key != r.key)
                    AND NOT EXISTS (SELECT 1 FROM attempts v WHERE v.destination = r.destination AND v.source = r.key)
                """, [Value([UInt8](hexadecimal: sha256)), .text(destination)])
        for (other, hasFile) in kept.map({ ($0.duplicate.receipt, $0.flag) }) {
            if !hasFile, other.key.isBeside(other.sha256) {
                try outdate(other)
            } else {
                try forgetMark(of: other)
            }
        }
    }

    /// Forgets with the next commit what the object of `receipt` is kept for.
    ///
    /// - Parameter isOwn: Whether a mark for another file's sake stays.
    func forgetMark(of receipt: Receipt, isOwn: Bool = false) throws {
        let own = isOwn ? "AND EXISTS (SELECT 1 FROM receipts r WHERE \(Self.isOwn))" : ""
        try writeAttempts("DELETE FROM attempts AS m WHERE \(Self.isMark) \(own)", binding: Self.object(receipt))
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
            WHERE m.state = \(attempt: .lastCopy) AND a.sha256 IS NOT r.sha256 AND (a.state NOT IN \(assets: .absent)
                    OR EXISTS (SELECT 1 FROM receipts e WHERE e.directory = a.directory AND e.name = a.name
                        AND e.role = 'original' AND e.sha256 = a.sha256))
                AND NOT EXISTS (SELECT 1 FROM assets g WHERE g.sha256 = r.sha256 AND g.state = \(asset: .remoteOnly))
            """
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Whether any object may be marked; remembered.
    func mayHoldLastCopies() throws -> Bool {
        let query = "SELECT 1 FROM attempts WHERE state = \(attempt: .lastCopy)"
        let mayHold = try memory.mayHoldLastCopies ?? database.exists(query)
        memory.mayHoldLastCopies = mayHold
        return mayHold
    }

    private func isMarked(_ receipt: Receipt) throws -> Bool {
        try database.exists("SELECT 1 FROM attempts m WHERE \(Self.isMark)", binding: Self.object(receipt))
    }

    private func isOutdated(_ receipt: Receipt) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM attempts WHERE destination = ?1 AND key = ?2 AND sha256 = ?3 AND state = \(attempt: .outdated)
            """, binding: Self.object(receipt))
    }

    /// Whether a file is here that is not stored by its own name, and has the content of `receipt`.
    private func isAwaited(_ receipt: Receipt) throws -> Bool {
        guard receipt.role == .original else { return false }
        return try database.exists(
            """
            SELECT 1 FROM receipts r JOIN assets f ON \(Self.heirs)
            WHERE r.destination = ?1 AND r.key = ?2 AND r.sha256 = ?3
            """, binding: Self.object(receipt))
    }

    /// The values by which the conditions here know an object.
    private static func object(_ receipt: Receipt) -> [Value] {
        [.text(receipt.destination), .text(receipt.key.text), Value([UInt8](hexadecimal: receipt.sha256))]
    }

    /// A condition on attempts `m`: the mark of an object.
    private static let isMark =
        "m.destination = ?1 AND m.key = ?2 AND m.sha256 = ?3 AND m.state = \(attempt: .lastCopy)"

    /// A condition on receipts `r` and marks `m`: it is the object's file that was gone, and not another one.
    private static let isOwn = """
        (r.destination = m.destination AND r.key = m.key AND r.sha256 = m.sha256
            AND r.directory = m.directory AND r.name = m.name)
        """

    /// A condition on receipts `o`: they are of other objects, which stay with the content of receipts `r`.
    ///
    /// One that is marked stays whatever happens to its file; one whose file has other bytes by now is about to be replaced.
    private static let others = """
        o.sha256 = r.sha256 AND o.role = 'original' AND o.destination = r.destination AND o.key != r.key
            AND (EXISTS (SELECT 1 FROM assets f WHERE f.directory = o.directory AND f.name = o.name
                    AND f.sha256 = o.sha256 AND f.state = \(asset: .stored))
                OR NOT EXISTS (SELECT 1 FROM attempts m WHERE \(isAttempted) AND m.state = \(attempt: .outdated))
                    AND EXISTS (SELECT 1 FROM assets f WHERE f.directory = o.directory AND f.name = o.name
                        AND f.sha256 = o.sha256 AND f.state = \(asset: .remoteOnly))
                OR EXISTS (SELECT 1 FROM attempts m WHERE \(isAttempted) AND m.state = \(attempt: .lastCopy)))
            AND NOT EXISTS (SELECT 1 FROM attempts m WHERE \(isAttempted) AND m.source IS NOT NULL)
        """

    /// A condition on attempts `m`: they are of the object of receipts `o`.
    private static let isAttempted = "m.destination = o.destination AND m.key = o.key AND m.sha256 = o.sha256"

    /// A condition on assets `f`: they are here with the content of receipts `r`, and are not stored by their own names.
    private static let heirs = """
        f.sha256 = r.sha256 AND f.taken IS NOT NULL AND f.standing IS NOT NULL
            AND NOT (f.directory = r.directory AND f.name = r.name)
            AND f.state NOT IN \(assets: .absent) AND f.state NOT IN \(assets: [.seen, .identifying, .stored])
            AND NOT EXISTS (SELECT 1 FROM receipts e WHERE e.directory = f.directory AND e.name = f.name
                AND e.role = 'original' AND e.destination = r.destination AND e.sha256 = r.sha256)
        """

    /// A condition on receipts `r`: the object is marked as the last copy of a file that was gone.
    static let isMarked = """
        EXISTS (SELECT 1 FROM attempts m WHERE m.destination = r.destination AND m.key = r.key
            AND m.sha256 = r.sha256 AND m.state = \(attempt: .lastCopy))
        """

    /// A condition on receipts `r`: the object is marked, for a file that was gone from its own name, or may have been.
    static let isOfGoneFile = "EXISTS (SELECT 1 FROM attempts m WHERE m.state = \(attempt: .lastCopy) AND \(isOwn))"

    /// A condition on receipts `r` and their assets `a`: the object is of a former file of that name.
    static let isOfFormerFile = "(a.state = \(asset: .stored) AND a.sha256 != r.sha256 AND \(isMarked))"
}
