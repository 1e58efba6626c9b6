import Queue
package import Supabase
import Sync

/// Looks whether the table for rows about stored files can be used; nothing is written.
package struct MetadataExamination: Sendable {
    let client: RestClient
    let table: String

    package init(client: RestClient, table: String) {
        self.client = client
        self.table = table
    }

    /// Reads one row, which shows that the table, its columns and the right to read are there.
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
