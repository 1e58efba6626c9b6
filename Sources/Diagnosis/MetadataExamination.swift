import Queue
package import Supabase
import Sync
import Uploading

/// Examines whether the table for rows about stored files can be read; nothing is written.
package struct MetadataExamination: Sendable {
    let client: RestClient
    let table: String

    /// An examination of `table` through the database of `client`.
    package init(client: RestClient, table: String) {
        self.client = client
        self.table = table
    }

    /// Reads one row, which proves that the table, its columns and the right to read exist.
    package func finding() async -> Finding {
        do throws(RestError) {
            _ = try await client.select(["bucket", "object_key", "sha256"], from: table, limit: 1)
            return .fine("metadata table", "\(table) can be read")
        } catch {
            return .wrong(
                "metadata table",
                MetadataTrouble(error, table: table, failures: 1, ladder: RetryLadder(), random: 0).sentence)
        }
    }
}
