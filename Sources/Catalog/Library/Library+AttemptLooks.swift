import Database
package import FoundationEssentials
import Platform
package import Queue
package import Records
import Tables
import Text

extension Library {
    /// Whether an object with this hash under `key` was put there by us.
    package func isOurs(destination: String, key: ObjectKey, sha256: String) throws -> Bool {
        let hash = Value([UInt8](hexadecimal: sha256))
        return try database.exists(
            """
            SELECT 1 FROM receipts WHERE destination = ?1 AND key = ?2 AND sha256 = ?3
            UNION ALL SELECT 1 FROM attempts WHERE destination = ?1 AND key = ?2 AND sha256 = ?3
            UNION ALL SELECT 1 FROM moves WHERE destination = ?1 AND key = ?2 AND sha256 = ?3
            UNION ALL SELECT 1 FROM marks WHERE destination = ?1 AND key = ?2 AND sha256 = ?3
            """, .text(destination), .text(key.text), hash
        )
    }

    /// Whether an object under `key` may hold other bytes than the hash in its metadata says.
    package func wasAttempted(destination: String, key: ObjectKey, sha256: String) throws -> Bool {
        try database.exists(
            "SELECT 1 FROM attempts WHERE destination = ? AND key = ? AND sha256 = ? AND doubtful", .text(destination),
            .text(key.text), Value([UInt8](hexadecimal: sha256))
        )
    }

    /// All attempts under the first `count` keys after `last`, in key order.
    package func attempts(destination: String, after last: String, count: Int) throws -> [Attempt] {
        try attempts(
            "destination = ?1 AND key IN (SELECT DISTINCT key FROM attempts WHERE destination = ?1 AND key > ?2 "
                + "ORDER BY key LIMIT \(count)) ORDER BY key", .text(destination), .text(last))
    }

    /// The attempts that may have left bytes under `key`.
    package func attempts(at key: ObjectKey, destination: String) throws -> [Attempt] {
        try attempts("destination = ? AND key = ?", .text(destination), .text(key.text))
    }

    /// Whether any attempt or mark is written down under the key of `receipt`.
    func hasTraces(under receipt: Receipt) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM attempts WHERE destination = ?1 AND key = ?2
            UNION ALL SELECT 1 FROM marks WHERE destination = ?1 AND key = ?2
            """, .text(receipt.destination), .text(receipt.key.text))
    }

    /// Whether the object of `receipt` may be gone, or replaced by other bytes: by a request that was made since, or as a
    /// look at the bucket found it.
    ///
    /// Nothing is sent for what is found while its file is gone, and the file may come back.
    func mayBeGone(_ receipt: Receipt) throws -> Bool {
        if try isFoundWrong(receipt) { return true }
        if try wasAttempted(since: receipt, in: [.unknown, .there, .replacing]) { return true }
        return try database.exists(
            "SELECT 1 FROM deletions WHERE destination = ? AND key = ? AND noted > ?", .text(receipt.destination),
            .text(receipt.key.text), .integer(FileTime(receipt.verifiedAt).nanoseconds))
    }

    /// Whether an attempt in one of `states` sent other bytes to the key of `receipt` after it was earned.
    ///
    /// An attempt of size 0 ended before its first byte, so it sent none, unless its file was empty.
    func wasAttempted(since receipt: Receipt, in states: [Attempt.State]) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM attempts WHERE destination = ? AND key = ? AND sha256 != ? AND state IN \(attempts: states)
                AND noted > ? AND (size > 0 OR sha256 = ?)
            """, .text(receipt.destination), .text(receipt.key.text), Value([UInt8](hexadecimal: receipt.sha256)),
            .integer(FileTime(receipt.verifiedAt).nanoseconds), .blob(SHA256.hash([UInt8]()))
        )
    }

    /// Attempts from before `date` that the server has not been asked about, the oldest first.
    ///
    /// No request from before `date` can still arrive.
    package func unseenAttempts(destination: String, before date: Date, count: Int) throws -> [Attempt] {
        try attempts(
            """
            destination = ? AND state = \(attempt: .unknown) AND noted < ?
                ORDER BY noted LIMIT \(count)
            """, .text(destination), .integer(FileTime(date).nanoseconds))
    }

    /// Attempts that may have left an object: those not asked about yet first, then by time, newest first.
    package func doubtfulAttempts(destination: String, count: Int) throws -> [Attempt] {
        try attempts(
            """
            destination = ? AND state IN \(attempts: [.unknown, .there])
                ORDER BY state, noted DESC LIMIT \(count)
            """,
            .text(destination))
    }

    private func attempts(_ condition: String, _ values: Value...) throws -> [Attempt] {
        var found: [Attempt] = []
        try database.each(
            """
            SELECT destination, key, sha256, role, size, directory, name, state, noted FROM attempts
            WHERE \(condition)
            """, binding: values
        ) { found.append(Self.attempt($0)) }
        return found
    }

    private static func attempt(_ row: Row) -> Attempt {
        var place: Asset.Place?
        if let directory = row.integerOrNil(5), let name = row.blobOrNil(6) {
            place = Asset.Place(directory: directory, name: name)
        }
        return Attempt(
            destination: row.text(0), key: ObjectKey(text: row.text(1)), sha256: row.blob(2).hexadecimal,
            role: Item.Role(rawValue: row.text(3)), size: min(max(0, row.integer(4)), Observation.mostBytes),
            place: place, state: Attempt.State(rawValue: row.integer(7)) ?? .unknown,
            notedAt: FileTime(nanoseconds: row.integer(8)).date)
    }

    /// What lies or may lie under keys without a receipt, and what later requests may have added to objects with one.
    ///
    /// An attempt without an answer counts until the server is asked, and where the key has a receipt until that is
    /// proven so much later that the attempt's request can no longer arrive. A key counts with no more bytes than a file
    /// can have, because a server may state any size.
    package func leftovers(destination: String) throws -> Leftovers {
        var found = Leftovers()
        try database.each(
            """
            SELECT a.key, min(max(a.size), \(Observation.mostBytes)) - coalesce(r.size, 0)
            FROM attempts a LEFT JOIN receipts r ON r.destination = ?1 AND r.key = a.key
            WHERE a.destination = ?1 AND (a.state = \(attempt: .unknown)
                    AND a.noted > coalesce(r.verified - \(Int64(Attempt.echo) * 1_000_000_000), a.noted - 1)
                OR a.state = \(attempt: .there) AND r.key IS NULL)
            GROUP BY a.key
            """, binding: [.text(destination)]
        ) { found.add($0.integer(1), at: $0.text(0)) }
        return found
    }

    /// What of the destination's room is taken now, by receipts and by what may lie there besides.
    package func occupancy(destination: String) throws -> Occupancy {
        let known = memory.occupancies[destination]
        let stored = try known?.stored ?? storedBytes(destination: destination)
        let leftovers = try known?.leftovers ?? leftovers(destination: destination)
        memory.occupancies[destination] = RowMemory.KnownOccupancy(stored: stored, leftovers: leftovers)
        return Occupancy(stored: stored, leftovers: leftovers)
    }

    /// Bytes that filling `key` frees, by its receipt; 0 where the object there is set aside for that.
    package func receiptBytes(at key: ObjectKey, destination: String) throws -> Int64 {
        guard let receipt = try receipt(destination: destination, key: key), try !isLastCopy(receipt) else { return 0 }
        return receipt.size
    }
}
