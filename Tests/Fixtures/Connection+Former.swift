package import Database

extension Connection {
    /// Drops the sums that version 10 of the library's schema added, so that a test can return to earlier versions.
    package func dropSums() throws {
        try execute(
            ["insert", "delete", "update"].map { "DROP TRIGGER sums_\($0); DROP TRIGGER receipts_\($0);" }.joined()
                + ["asset", "receipt", "waiting"].map { "DROP TABLE \($0)_sums;" }.joined()
                + "DROP TRIGGER sums_wait; DROP TRIGGER receipts_move; DROP INDEX assets_failed")
    }
}
