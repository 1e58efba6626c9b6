package import Configuration
package import Supabase

/// Examines whether the links that rows get for rescued files would work; nothing is written.
package struct RowLinkExamination: Sendable {
    let storage: StorageClient
    let bucket: String
    let table: Settings.RescueTable

    /// An examination of links of the kind that `table` names, to objects in `bucket`.
    package init(storage: StorageClient, bucket: String, table: Settings.RescueTable) {
        self.storage = storage
        self.bucket = bucket
        self.table = table
    }

    /// Checks whether the bucket is public, if the links need that; `nil` if any bucket will do.
    package func finding() async -> Finding? {
        guard table.link == .public else { return nil }
        do throws(StorageError) {
            if try await storage.bucket(bucket).isPublic {
                return .fine("row links", "public, as the bucket is")
            }
        } catch {
            // A rescue, too, takes a bucket that it may not see for a private one.
            guard error.isRetryable else { return .wrong("row links", Settings.RescueTable.privateBucket(bucket)) }
            // Another finding tells why it does not answer.
            return .doubtful("row links", "not known whether they would work: the bucket cannot be looked at")
        }
        return .wrong("row links", Settings.RescueTable.privateBucket(bucket))
    }
}
