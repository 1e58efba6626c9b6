import Database

/// What blobs still need: the table `debts`, which triggers fill, so that no statement can forget a debt.
///
/// A debt is recorded with the change that causes it, and removed once the blob is as the change requires. Debts left
/// by a crash are paid at the next start: a blob that no row names is removed, any other carries its row.
extension Connection {
    /// Records that the blob of `version` does not match its row.
    func owe(_ version: String) throws {
        try run("INSERT OR REPLACE INTO debts (version) VALUES (?)", .text(version))
    }

    /// Numbers the debts made since the last call by their change, and returns them.
    func takeDebts(number: @autoclosure () -> Int64) throws -> [Debt] {
        let versions = try rows("SELECT version FROM debts WHERE number IS NULL") { $0.text(0) }
        guard !versions.isEmpty else { return [] }
        let number = number()
        try run("UPDATE debts SET number = ? WHERE number IS NULL", .integer(number))
        return try versions.map { Debt(version: $0, number: number, row: try object(version: $0)) }
    }

    /// All debts that the last run of the server left.
    func debts() throws -> [Debt] {
        try rows("SELECT version, coalesce(number, 0) FROM debts") { ($0.text(0), $0.integer(1)) }
            .map { Debt(version: $0, number: $1, row: try object(version: $0)) }
    }

    /// Removes debts that were paid, but keeps those that were made since.
    func forget(_ debts: [Debt]) throws {
        for debt in debts {
            try run(
                "DELETE FROM debts WHERE version = ? AND coalesce(number, 0) = ?", .text(debt.version),
                .integer(debt.number))
        }
    }

    /// The number of the last change; `nil` in a new index.
    func number() throws -> Int64? { try first("SELECT number FROM mark") { $0.integer(0) } }

    /// The greatest number of any object's row, found by reading all rows; 0 if there are none.
    func greatestNumberOfRows() throws -> Int64 {
        try first("SELECT coalesce(max(number), 0) FROM objects") { $0.integer(0) } ?? 0
    }

    /// Keeps the number of the last change.
    package func set(number: Int64) throws {
        try run("INSERT OR REPLACE INTO mark (one, number) VALUES (1,?)", .integer(number))
    }
}
