import Database
import Platform
package import Queue
package import Records

extension Library {
    /// At most `count` receipts in key order after `key`, through `end` or, with `nil`, without an end.
    package func receipts(destination: String, after key: String, through end: String?, count: Int) throws -> [Receipt]
    {
        try database.rows(
            """
            SELECT \(Self.receiptColumns) FROM receipts
            WHERE destination = ? AND key > ? AND key <= ? ORDER BY key LIMIT \(count)
            """, .text(destination), .text(key), .text(end ?? "\u{10FFFF}"), read: Self.receipt)
    }

    /// The asset of an original that `receipt` proves, while its file is there as it was stored.
    package func storedAsset(of receipt: Receipt) throws -> Asset? {
        guard receipt.role == .original, let place = try place(of: receipt), let asset = try asset(at: place),
            asset.state == .stored, asset.sha256 == receipt.sha256
        else { return nil }
        return asset
    }

    /// The asset that a receipt belongs to, unless its file is gone or excluded.
    package func livingAsset(of receipt: Receipt) throws -> Asset? {
        guard let place = try place(of: receipt), let asset = try asset(at: place) else { return nil }
        return [.gone, .remoteOnly, .excluded].contains(asset.state) ? nil : asset
    }

    /// Whether a later attempt may have replaced the object of `receipt`, and what the library knows already tells of it.
    ///
    /// Of an original, the state of its file tells, such as that the file could not be read once more after it was sent.
    /// A picture of a file that is not stored is made again, moved or pruned with its file.
    package func isOvertaken(_ receipt: Receipt) throws -> Bool {
        let state = try livingAsset(of: receipt)?.state
        guard state != .stored, state != nil || receipt.role != .original else { return false }
        return try wasAttempted(since: receipt, in: [.unknown, .there, .replacing])
    }
}
