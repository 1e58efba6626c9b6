import Database
import FoundationEssentials
import Platform
package import Queue
package import Records
import Tables
import Text

// Objects whose files were gone before other files got their names: their content is in storage alone.
extension Library {
    /// Marks, with the next commit, the objects of a file that was gone and whose name a file has again, at any destination.
    ///
    /// The file that came back may be another photo, as from a camera that counts from 1 again; the objects are set
    /// aside then. One that the user had deleted after it was last seen gets no mark; an earlier deletion only made
    /// room for it. An object is marked even if another file has its content, because that file may change before then.
    func markLastCopies(ofReturned place: Asset.Place) throws {
        try markLastCopies(
            """
            SELECT r.destination, r.key, r.sha256, r.directory, r.name
            FROM receipts r JOIN assets a ON a.directory = r.directory AND a.name = r.name
            WHERE r.directory = ? AND r.name = ? AND r.role = 'original' AND a.state IN \(assets: .absent)
                AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.destination = r.destination AND d.key = r.key
                    AND d.noted > r.verified)
            """, .integer(place.directory), .blob(place.name))
    }

    /// Marks the object, stored under another file's name, that alone holds the content of the file gone from `place`.
    ///
    /// The gone file once had that name, and was deleted before it was stored under its new one, as while the network
    /// was away or the brake held it. The file that has the name now may still have this content, or may have changed
    /// unseen: the next scan that finds it unchanged drops the mark (`keptCopies`). With the next commit.
    func markLastCopies(ofDeleted place: Asset.Place) throws {
        try markLastCopies(
            """
            SELECT r.destination, r.key, r.sha256,
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
            SELECT ?1, ?2, ?3, ?4, ?5
            WHERE EXISTS (SELECT 1 FROM assets WHERE directory = ?4 AND name = ?5
                AND state NOT IN \(assets: .absent) AND sha256 IS NOT ?3)
            """, .text(receipt.destination), .text(receipt.key.text), Value([UInt8](hexadecimal: receipt.sha256)),
            .integer(place.directory), .blob(place.name))
    }

    /// Marks the objects that a query gives: destination, key and hash, and the directory and name of a file.
    private func markLastCopies(_ query: String, _ values: Value...) throws {
        try markLastCopies(query, binding: values)
    }

    private func markLastCopies(_ query: String, binding values: [Value]) throws {
        try write(
            """
            INSERT OR REPLACE INTO marks (destination, key, sha256, directory, name, mark)
            SELECT *, \(mark: .lastCopy) FROM (\(query))
            """, binding: values)
        if database.changes > 0 { memory.mayHoldLastCopies = true }
    }

    /// Moves a mark as the last copy to the key that the object has now; drops any other mark of it.
    ///
    /// - Parameter place: Where its file was, if that has moved along: a mark for this file's sake is dropped, too.
    func moveMark(of receipt: Receipt, to key: ObjectKey, withFileAt place: Asset.Place? = nil) throws {
        let own: [Value] = place.map { [.integer($0.directory), .blob($0.name)] } ?? [.null, .null]
        try write(
            "UPDATE OR REPLACE marks AS m SET key = ?4 WHERE \(Self.isMark) AND NOT (directory, name) IS (?5, ?6)",
            binding: Self.object(receipt) + [.text(key.text)] + own)
        try unmark(receipt)
    }

    /// Removes the mark of what was under `key` before its present receipt.
    ///
    /// The mark stays that these bytes are the last copy of another file's content.
    func settleMarks(at key: ObjectKey, destination: String) throws {
        try write(
            """
            DELETE FROM marks AS m WHERE destination = ?1 AND key = ?2
                AND NOT (mark = \(mark: .lastCopy) AND EXISTS (SELECT 1 FROM receipts r WHERE \(Self.concerns)
                    AND NOT (r.directory = m.directory AND r.name = m.name)))
            """, .text(destination), .text(key.text))
    }

    /// The receipts which prove that a file's content is stored as `key` or beside it; their marks are dropped.
    ///
    /// An object set aside proves nothing: it must get the file's own name back first, by which it is restored. Nor
    /// does a marked one under `key` that other bytes of ours have, or may have, replaced.
    func unmarkedReceipts(of sha256: String, as key: ObjectKey, destination: String) throws -> [Receipt] {
        // The second of the keys beside it is for a file whose first one is the usual key of another file.
        let beside = key.beside(sha256)
        let receipts = try receipts(destination: destination, keys: [key, beside, beside.beside(sha256)])
        let isTaken =
            try receipts.contains { $0.key == key && $0.sha256 != sha256 }
            || isAttempted(key, besides: sha256, destination: destination)
        return try receipts.filter { receipt in
            guard receipt.sha256 == sha256 else { return false }
            switch try mark(of: receipt) {
            case nil: return true
            case .outdated: return receipt.key == key
            case .lastCopy: break
            }
            guard receipt.key == key, !isTaken else { return false }
            try forgetMark(of: receipt, isOwn: true)
            return true
        }
    }

    /// Whether an attempt may have left bytes under `key` that do not have this hash.
    private func isAttempted(_ key: ObjectKey, besides sha256: String, destination: String) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM attempts WHERE destination = ? AND key = ? AND sha256 != ? AND size > 0
                AND state IN \(attempts: [.unknown, .there, .replacing])
            """, .text(destination), .text(key.text), Value([UInt8](hexadecimal: sha256)))
    }

    /// Decides whether the object of `receipt` must be set aside before other bytes take its key.
    ///
    /// Durable when this returns. If another object keeps the same content, the mark passes to that one: otherwise two
    /// objects replaced at the same time would each rely on the other. So it does if the key to set the object aside
    /// under is taken by the same content, which was set aside before and then needed no more: that is kept again.
    package func decideLastCopy(_ receipt: Receipt) throws -> Bool {
        let (object, isMarked) = (Self.object(receipt), try mark(of: receipt) == .lastCopy)
        guard try isMarked || isAwaited(receipt) else { return false }
        let isLast = try !hasOther(receipt)
        let aside = isLast ? try formerlySetAside(receipt) : nil
        guard isLast != isMarked || aside != nil else { return isLast }
        if isLast, !isMarked {
            try markLastCopies(
                """
                SELECT r.destination, r.key, r.sha256, f.directory, f.name
                FROM receipts r JOIN assets f ON \(Self.heirs)
                WHERE r.destination = ?1 AND r.key = ?2 AND r.sha256 = ?3 LIMIT 1
                """, binding: object)
        }
        if let aside {
            try moveMark(of: receipt, to: aside)
        } else if !isLast {
            try markLastCopies(
                """
                SELECT o.destination, o.key, o.sha256, m.directory, m.name
                FROM marks m JOIN receipts r ON \(Self.concerns) JOIN receipts o ON \(Self.others)
                WHERE \(Self.isMark) LIMIT 1
                """, binding: object)
            try forgetMark(of: receipt)
        }
        try commit()
        return isLast && aside == nil
    }

    /// Those of `keys` whose objects are marked as the last copy of something.
    package func lastCopies(among keys: [ObjectKey], destination: String) throws -> [ObjectKey] {
        try receipts(destination: destination, keys: keys).filter { try mark(of: $0) == .lastCopy }.map(\.key)
    }

    /// The key beside that of `receipt`, if the same content lies there and is `outdated`, but not about to be deleted.
    private func formerlySetAside(_ receipt: Receipt) throws -> ObjectKey? {
        let key = receipt.key.beside(receipt.sha256)
        let isThere = try database.exists(
            """
            SELECT 1 FROM marks m JOIN receipts r ON \(Self.concerns)
            WHERE \(Self.isObject) AND m.mark = \(mark: .outdated) AND r.role = 'original' AND NOT EXISTS (
                SELECT 1 FROM deletions d WHERE d.destination = m.destination AND d.key = m.key)
            """, .text(receipt.destination), .text(key.text), Value([UInt8](hexadecimal: receipt.sha256)))
        return isThere ? key : nil
    }

    /// Whether the object of `receipt` must be set aside before other bytes take its key: its file was gone before
    /// another file got its name, or has another name under which it is not stored yet; and no other object keeps its
    /// content.
    package func isLastCopy(_ receipt: Receipt) throws -> Bool {
        guard try mark(of: receipt) == .lastCopy || isAwaited(receipt) else { return false }
        return try !hasOther(receipt)
    }

    /// Whether another object keeps the content of `receipt`.
    private func hasOther(_ receipt: Receipt) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM receipts r JOIN receipts o ON \(Self.others)
            WHERE r.destination = ?1 AND r.key = ?2 AND r.sha256 = ?3
            """, binding: Self.object(receipt))
    }

    /// Notes that the object of `receipt` was set aside, with the next commit.
    ///
    /// If another object has come to keep its content before the move was done, it is `outdated` instead.
    func noteAside(_ receipt: Receipt) throws {
        if try mark(of: receipt) == .lastCopy {
            try releaseLastCopies(of: receipt.sha256, destination: receipt.destination)
        } else if try hasOther(receipt) {
            try outdate(receipt)
        } else {
            try markLastCopies(
                """
                SELECT destination, key, sha256, directory, name FROM receipts
                WHERE destination = ?1 AND key = ?2 AND sha256 = ?3
                """, binding: Self.object(receipt))
        }
    }

    /// Drops the marks of objects kept for files that have objects of their own with that content by now.
    ///
    /// An object that was set aside for such a file becomes `outdated`, unless its own file is stored by it: one that only
    /// waits with the same bytes gets its own name. One that is still being set aside is looked at once it has moved; one
    /// whose file has other bytes by now is about to be replaced.
    func releaseLastCopies(of sha256: String, destination: String) throws {
        // Checked first, because this runs for every stored file, and many files may have the same content.
        guard try mayHoldLastCopies() else { return }
        let kept = try duplicates(
            flagged: """
                EXISTS (SELECT 1 FROM assets a
                    WHERE a.directory = r.directory AND a.name = r.name AND a.sha256 = r.sha256
                        AND a.state = \(asset: .stored))
                """,
            from: """
                receipts r WHERE r.sha256 = ?1 AND r.destination = ?2 AND EXISTS (SELECT 1 FROM marks m
                        JOIN receipts e ON e.directory = m.directory AND e.name = m.name AND e.sha256 = m.sha256
                        JOIN assets f ON f.directory = e.directory AND f.name = e.name AND f.sha256 = e.sha256
                        WHERE \(Self.concerns) AND m.mark = \(mark: .lastCopy) AND e.destination = r.destination
                            AND e.role = 'original' AND e.key != r.key)
                    AND NOT EXISTS (SELECT 1 FROM moves v WHERE v.destination = r.destination AND v.source = r.key)
                """, [Value([UInt8](hexadecimal: sha256)), .text(destination)])
        for (other, hasFile) in kept.map({ ($0.duplicate.receipt, $0.flag) }) {
            if !hasFile, other.key.isBeside(other.sha256) {
                try outdate(other)
            } else {
                try forgetMark(of: other)
            }
        }
    }

    /// Drops the mark of the object of `receipt` with the next commit.
    ///
    /// - Parameter isOwn: Whether only a mark for the sake of the object's own file is dropped.
    func forgetMark(of receipt: Receipt, isOwn: Bool = false) throws {
        let own = isOwn ? "AND EXISTS (SELECT 1 FROM receipts r WHERE \(Self.isOwn))" : ""
        try write("DELETE FROM marks AS m WHERE \(Self.isMark) \(own)", binding: Self.object(receipt))
    }

    /// Whether any object may be marked; remembered.
    func mayHoldLastCopies() throws -> Bool {
        let query = "SELECT 1 FROM marks WHERE mark = \(mark: .lastCopy)"
        let mayHold = try memory.mayHoldLastCopies ?? database.exists(query)
        memory.mayHoldLastCopies = mayHold
        return mayHold
    }

    private func mark(of receipt: Receipt) throws -> ObjectMark? {
        try database.first("SELECT mark FROM marks m WHERE \(Self.isObject)", binding: Self.object(receipt)) {
            ObjectMark(rawValue: $0.integer(0))
        } ?? nil
    }

    /// Whether a file here has the content of `receipt` and is not stored under its own name.
    private func isAwaited(_ receipt: Receipt) throws -> Bool {
        guard receipt.role == .original else { return false }
        return try database.exists(
            """
            SELECT 1 FROM receipts r JOIN assets f ON \(Self.heirs)
            WHERE r.destination = ?1 AND r.key = ?2 AND r.sha256 = ?3
            """, binding: Self.object(receipt))
    }

    /// The values that identify an object in the conditions below.
    private static func object(_ receipt: Receipt) -> [Value] {
        [.text(receipt.destination), .text(receipt.key.text), Value([UInt8](hexadecimal: receipt.sha256))]
    }

    /// A condition on marks `m`: they are of the object that the values above identify.
    private static let isObject = "m.destination = ?1 AND m.key = ?2 AND m.sha256 = ?3"

    /// A condition on marks `m`: that object is the last copy of something.
    private static let isMark = "\(isObject) AND m.mark = \(mark: .lastCopy)"

    /// A condition on marks `m`: they concern the object of receipts `r`.
    static let concerns = concern("r")

    /// A condition on moves or marks `m`: they concern the object of these receipts.
    private static func concern(_ receipts: String) -> String {
        "m.destination = \(receipts).destination AND m.key = \(receipts).key AND m.sha256 = \(receipts).sha256"
    }

    /// A condition on receipts `r` and marks `m`: the mark is for the object's own file, and not for another one.
    private static let isOwn = "(\(concerns) AND r.directory = m.directory AND r.name = m.name)"

    /// A condition on receipts `o`: other objects with the content of receipts `r` that are not about to be replaced or
    /// deleted.
    ///
    /// A marked object is set aside whatever becomes of its file; one whose file has other bytes by now does not count.
    private static let others = """
        o.sha256 = r.sha256 AND o.role = 'original' AND o.destination = r.destination AND o.key != r.key
            AND (EXISTS (SELECT 1 FROM assets f WHERE f.directory = o.directory AND f.name = o.name
                    AND f.sha256 = o.sha256 AND f.state = \(asset: .stored))
                OR NOT EXISTS (SELECT 1 FROM marks m WHERE \(concern("o")) AND m.mark = \(mark: .outdated))
                    AND EXISTS (SELECT 1 FROM assets f WHERE f.directory = o.directory AND f.name = o.name
                        AND f.sha256 = o.sha256 AND f.state = \(asset: .remoteOnly))
                OR EXISTS (SELECT 1 FROM marks m WHERE \(concern("o")) AND m.mark = \(mark: .lastCopy)))
            AND NOT EXISTS (SELECT 1 FROM moves m WHERE \(concern("o")))
            AND NOT EXISTS (SELECT 1 FROM deletions d
                WHERE d.destination = o.destination AND d.key = o.key AND d.noted > o.verified)
        """

    /// A condition on assets `f`: they are here with the content of receipts `r`, but not stored under their own names.
    private static let heirs = """
        f.sha256 = r.sha256 AND f.taken IS NOT NULL AND f.standing IS NOT NULL
            AND NOT (f.directory = r.directory AND f.name = r.name)
            AND f.state NOT IN \(assets: .absent) AND f.state NOT IN \(assets: [.seen, .identifying, .stored])
            AND NOT EXISTS (SELECT 1 FROM receipts e WHERE e.directory = f.directory AND e.name = f.name
                AND e.role = 'original' AND e.destination = r.destination AND e.sha256 = r.sha256)
        """

    /// A condition on receipts `r`: the object is marked as the last copy of a file that was gone.
    static let isMarked = """
        EXISTS (SELECT 1 FROM marks m WHERE \(concerns) AND m.mark = \(mark: .lastCopy))
        """

    /// A condition on receipts `r`: the object is marked for the sake of its own file, which was or may have been gone.
    static let isOfGoneFile = "EXISTS (SELECT 1 FROM marks m WHERE m.mark = \(mark: .lastCopy) AND \(isOwn))"

    /// A condition on receipts `r` and their assets `a`: the object is of a former file of that name.
    static let isOfFormerFile = "(a.state = \(asset: .stored) AND a.sha256 != r.sha256 AND \(isMarked))"
}
