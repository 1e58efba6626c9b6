import Database
import Queue
import Tables

extension Library {
    /// Forgets the profile's destination, durably: everything is stored anew at the next one.
    ///
    /// Receipts stay; they are about the former destination only. What else was learned of it says nothing about the next.
    ///
    /// - Returns: How many files are gone here, and stored at the former destination alone.
    package func forgetDestination() throws -> Int {
        try write("UPDATE assets SET state = \(asset: .gone) WHERE state = \(asset: .remoteOnly)")
        let left = database.changes
        try write("UPDATE assets SET state = \(asset: .seen) WHERE state IN \(assets: [.queued, .stored, .failed])")
        try write("DELETE FROM blocked")
        try write("DELETE FROM facts WHERE name LIKE ?", .text(Self.limitsFact(of: "%")))
        for fact in [Self.bucketLossFact] + Self.bucketFacts {
            try write("DELETE FROM facts WHERE name = ?", .text(fact))
        }
        memory.mayLackReceipts = nil
        try setFact(Self.destinationFact, to: nil)
        return left
    }

    /// Makes `name` the destination, durably; gone files with a receipt there count as only in storage again.
    package func setDestination(_ name: String) throws {
        try write(
            """
            UPDATE assets SET state = \(asset: .remoteOnly) WHERE state = \(asset: .gone) AND EXISTS (
                SELECT 1 FROM receipts r WHERE r.directory = assets.directory AND r.name = assets.name
                    AND r.role = 'original' AND r.destination = ?)
            """, .text(name))
        try setFact(Self.destinationFact, to: name)
    }

    /// The name of the fact that holds the destination of the first receipt.
    package static let destinationFact = "destination"

    /// The name of the fact that the bucket was missing and is being created.
    package static let bucketLossFact = "bucket.missing"

    /// The name of the fact that holds the known size limits of `bucket`.
    package static func limitsFact(of bucket: String) -> String { "limits \(bucket)" }
}
