import Database
package import FoundationEssentials
import Platform
import Queue
package import Records
import Text

extension Library {
    /// Remembers durably what a verification found; what it looked at and found in order is forgotten.
    ///
    /// - Parameters:
    ///   - isComplete: Whether it compared the whole bucket; of one that ended early only the findings count.
    ///   - wasDownloaded: Whether it also downloaded the object under that key.
    package func remember(
        _ found: [Discrepancy], destination: String, isComplete: Bool,
        wasDownloaded: @Sendable (String) -> Bool, at now: Date
    ) throws {
        if isComplete {
            // What was found at a former destination cannot be repaired from here.
            try write("DELETE FROM discrepancies WHERE destination != ? OR NOT deep", .text(destination))
            let downloads = try database.rows("SELECT key FROM discrepancies") { $0.text(0) }
            for key in downloads where wasDownloaded(key) {
                try write("DELETE FROM discrepancies WHERE key = ?", .text(key))
            }
        }
        for discrepancy in found { try insert(discrepancy, destination: destination, at: now) }
        try commit()
    }

    /// Notes with the next commit that the object of `receipt` is not there, unless a request of ours may have taken it:
    /// that is settled by itself.
    ///
    /// As after a verification, its file counts as stored until it is read again or the user has it repaired.
    package func noteMissing(_ receipt: Receipt, at now: Date) throws {
        guard try self.receipt(destination: receipt.destination, key: receipt.key) == receipt,
            try !mayBeGone(receipt), try expectedMoves(from: receipt.key, destination: receipt.destination).isEmpty
        else { return }
        try insert(Discrepancy(.missing, of: receipt, isDeep: false), destination: receipt.destination, at: now)
    }

    private func insert(_ discrepancy: Discrepancy, destination: String, at now: Date) throws {
        try write(
            "INSERT OR REPLACE INTO discrepancies (destination, key, item, kind, deep, found) VALUES (?, ?, ?, ?, ?, ?)",
            .text(destination), .text(discrepancy.key.text), .text(discrepancy.item.text),
            .text(discrepancy.kind.rawValue), Value(discrepancy.isDeep), .integer(FileTime(now).nanoseconds))
    }

    /// Whether the object of `receipt` was found wrong, and has neither been stored again nor found in order since.
    package func isFoundWrong(_ receipt: Receipt) throws -> Bool {
        try finding(of: receipt).map { $0 != .damaged } ?? false
    }

    /// What a verification found wrong with the object of `receipt`, or with its file; `nil` where it found nothing.
    func finding(of receipt: Receipt) throws -> Discrepancy.Kind? {
        let word = try database.first(
            "SELECT kind FROM discrepancies WHERE destination = ? AND key = ? AND item = ?",
            .text(receipt.destination), .text(receipt.key.text), .text(receipt.item.text)
        ) { $0.text(0) }
        return word.flatMap(Discrepancy.Kind.init)
    }

    /// The keys whose objects or files a download found wrong, which no cheaper look shows.
    package func foundByDownload(destination: String) throws -> Set<String> {
        Set(
            try database.rows(
                "SELECT key FROM discrepancies WHERE destination = ? AND deep", .text(destination)
            ) { $0.text(0) })
    }

    /// What verifications found that is neither stored again nor found in order since.
    package func discrepancies() throws -> DiscrepancyCounts {
        var counts = DiscrepancyCounts()
        // Without CROSS, SQLite may look at every receipt first.
        try database.each(
            """
            SELECT d.kind, count(*), max(d.deep), max(d.found) FROM discrepancies d
            CROSS JOIN receipts r ON r.destination = d.destination AND r.key = d.key AND r.item = d.item GROUP BY d.kind
            """
        ) { row in
            guard let kind = Discrepancy.Kind(rawValue: row.text(0)) else { return }
            counts.byKind[kind] = Int(row.integer(1))
            counts.isDeep = counts.isDeep || row.flag(2)
            let found = FileTime(nanoseconds: row.integer(3)).date
            counts.foundAt = max(counts.foundAt ?? found, found)
        }
        return counts
    }
}
