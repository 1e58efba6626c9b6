import Access
import Catalog
package import Configuration
import Queue
package import Supabase
import Sync
package import Transfer
import Uploading

extension RestClient {
    /// The database of the destination's project; `nil` where its URL names a storage without a project.
    package init?(beside storage: StorageClient, of destination: Destination, transport: any Transport) {
        guard !destination.isLocal, let base = AuthPlace.database(for: destination.endpoint.base) else { return nil }
        self.init(base: base, transport: transport, credentials: storage.credentials)
        timeouts = storage.timeouts
    }
}

extension MetadataLoop {
    /// The loop that the settings ask for; `nil` without a table, or where the storage has no database.
    convenience init?(
        _ setup: Agent.Setup, storage: StorageClient, library: Library, activity: Activity, wake: WakeEvent
    ) {
        guard let table = setup.settings.destination.metadataTable,
            let client = RestClient(beside: storage, of: setup.destination, transport: setup.transport)
        else { return nil }
        self.init(
            client: client, library: library, destination: setup.destination, table: table,
            ladder: RetryLadder(setup.settings.retry), activity: activity, wake: wake, clock: setup.clock)
    }
}
