import Database
package import Platform
import Queue
package import Records
import Tables

// Marks of last copies whose own files may still be there.
extension Library {
    /// The receipts of objects below `root` that are marked as last copies for the sake of their own files.
    package func keptCopies(below root: Int64) throws -> [Receipt] {
        guard try mayHoldLastCopies() else { return [] }
        return try database.rows(
            """
            SELECT \(Self.receiptColumns) FROM receipts r WHERE (destination, key, sha256, directory, name) IN (
                    SELECT destination, key, sha256, directory, name FROM marks WHERE mark = \(mark: .lastCopy))
                AND directory IN (SELECT id FROM directories WHERE root = ?)
            """, .integer(root), read: Self.receipt)
    }

    /// Drops, with the next commit, the marks of `kept` whose files a scan that began later found as they were stored.
    ///
    /// - Parameter isFound: Whether the scan has looked at the file at a path below its root.
    package func release(_ kept: [Receipt], where isFound: (FilePath) -> Bool) throws {
        for receipt in kept {
            guard let place = try place(of: receipt), let asset = try asset(at: place),
                asset.state == .stored, asset.sha256 == receipt.sha256, isFound(asset.path)
            else { continue }
            try forgetMark(of: receipt, isOwn: true)
        }
    }
}
