import Catalog
package import Configuration
package import FoundationEssentials
package import Platform
import Queue

/// A destination at which a profile stores nothing any more.
package struct FormerDestination: Sendable {
    /// As `Destination.name` writes it; `nil` if nothing was ever stored.
    package let name: String?
    /// How many files are gone here, and stored there alone.
    package let left: Int

    /// Forgets the destination of the profile whose state is in `locations`, durably; nothing that is stored is touched.
    ///
    /// What waits to be sent there leaves the queue, because its keys are those of the former destination. The caller holds
    /// the lock. Throws where a file of the state is of a newer version or cannot be opened.
    ///
    /// - Parameter disk: Opens the directory of the queue.
    package static func forget(
        in locations: Locations,
        disk: (FilePath) throws(SystemError) -> any Disk = { path throws(SystemError) in
            try LocalDisk(directory: path)
        }, at now: Date
    ) async throws -> Self {
        let library = try Library(path: locations.library)
        let queue = try UploadQueue(store: try QueueStore(state: locations.state, disk: disk), now: now)
        let name = try await library.fact(Library.destinationFact)
        if let name {
            try await library.noteInterrupted(await queue.interruptedItems(), destination: name)
            try await library.commit()
        }
        // Before the library forgets it, so that no item stays, whatever goes wrong: files whose items are lost are read
        // again.
        _ = try await queue.withdraw { _ in true }
        try await queue.close()
        let left = try await library.forgetDestination()
        try await library.close()
        return FormerDestination(name: name, left: left)
    }
}
