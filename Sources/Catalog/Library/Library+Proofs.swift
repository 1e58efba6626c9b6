import Database
import FoundationEssentials
import Platform
package import Queue
package import Records
import Tables
import Text

extension Library {
    /// Receipts of objects that are proven by their size only, in key order after `key`, at most `count`.
    package func unproven(destination: String, after key: String, count: Int) throws -> [Receipt] {
        // Usually there are none; without this index, SQLite would read every receipt in the order of the keys.
        try database.rows(
            """
            SELECT \(Self.receiptColumns) FROM receipts INDEXED BY receipts_proof
            WHERE destination = ? AND proof = 'size' AND key > ? ORDER BY key LIMIT \(count)
            """, .text(destination), .text(key), read: Self.receipt)
    }

    /// Writes down with the next commit what proves the object, unless its receipt was replaced meanwhile.
    package func prove(_ receipt: Receipt, by proof: Receipt.Proof) throws {
        try write(
            "UPDATE receipts SET proof = ? WHERE destination = ? AND key = ? AND item = ? AND verified = ?",
            .text(proof.rawValue), .text(receipt.destination), .text(receipt.key.text), .text(receipt.item.text),
            .integer(FileTime(receipt.verifiedAt).nanoseconds))
    }

    /// Notes durably that the object, which is ours, holds other bytes than its receipt says, so that it is replaced.
    ///
    /// - Parameter failure: If given, the file fails with it instead of being read and sent again.
    package func disprove(_ receipt: Receipt, failure: Item.Failure? = nil) throws {
        let place = try place(of: receipt)
        try noteLeftover(of: receipt, sha256: receipt.sha256, size: receipt.size)
        try forget(receipt)
        if let failure, let place {
            let column = receipt.role == .original ? "state = \(asset: .failed)" : "thumbnails = \(picture: .failed)"
            try write(
                """
                UPDATE assets SET \(column), brake = NULL, code = ?, message = ?
                WHERE directory = ? AND name = ? AND state IN \(assets: [.seen, .queued, .stored, .failed])
                """, .text(failure.code.text), .text(failure.message), .integer(place.directory), .blob(place.name))
        }
        try commit()
    }
}
