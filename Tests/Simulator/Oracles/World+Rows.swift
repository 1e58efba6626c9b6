import Catalog
import Configuration
import Queue
import Records
import Simulation
import Supabase

/// What must hold of the table that has a row for each stored file.
extension World {
    /// Stored files without a row of their own, and rows of objects that are stored no longer.
    ///
    /// Not checked where a request may arrive after a later one, or where the agent forgot what it wrote.
    func rowProblems(_ library: Library) async throws -> [String] {
        guard history.hasTable, !history.mayBeLate, !history.forgets, !isDecayed.value else { return [] }
        let receipts = try await library.receipts(destination: storage.destination.name, after: "", count: 10_000)
            .filter { $0.role == .original }
        let rows = storage.table.rows.value
        var problems: [String] = []
        for receipt in receipts {
            let row = rows[receipt.key.text]
            if row?["sha256"]?.string != receipt.sha256 {
                problems.append("\(receipt.key.text) has \(row == nil ? "no row" : "a row of other bytes")")
            }
        }
        let stored = Set(receipts.map(\.key.text))
        problems += rows.keys.filter { !stored.contains($0) }.sorted().map { "\($0) has a row, and no receipt" }
        return problems
    }
}
