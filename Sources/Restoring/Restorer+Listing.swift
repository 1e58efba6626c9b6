import Configuration
import FoundationEssentials
import Queue
import Records
import Supabase
import Sync
import Uploading

extension Restorer {
    /// Hands on, page by page, the objects that may belong to the run; waits for one of `leaves` before each page.
    func list(
        into listing: AsyncStream<[ListedObject]>.Continuation, each leaves: AsyncStream<Void>
    ) async throws {
        if let objects = setup.objects {
            tally.found(objects)
            listing.yield(objects)
            return tally.listed()
        }
        let prefix = setup.keyPrefix.isEmpty ? "" : setup.keyPrefix + "/"
        var cursor: String?
        var leave = leaves.makeAsyncIterator()
        repeat {
            // No leave comes any more once the run has ended.
            guard await leave.next() != nil else { throw CancellationError() }
            let page = try await page(prefix: prefix, after: cursor)
            if cursor == nil, page.objects.isEmpty { try await checkBucket() }
            let objects = page.objects.filter { setup.wants($0.key) }
            tally.found(objects)
            listing.yield(objects)
            if let next = page.nextCursor, next == cursor {
                throw RestoreStop(ending: .temporary("The bucket's listing goes in circles"))
            }
            cursor = page.nextCursor
        } while cursor != nil
        tally.listed()
    }

    /// Checks that the bucket exists, because a missing or hidden bucket lists as empty (contract, 1.6).
    private func checkBucket() async throws {
        // Users may not look at buckets: for them, an empty folder of their own means that nothing is stored.
        guard setup.destination.userID == nil else { return }
        let name = setup.destination.bucket
        do {
            _ = try await retrying(name, isAwaited: true) { try await setup.storage.bucket(name) }
        } catch let error as StorageError {
            guard error.isBucketMissing else { throw stop(error) }
            let destination = setup.destination
            let place = destination.isLocal ? "on this computer" : "at \(destination.endpoint.address)"
            let sentence = "There is no bucket \"\(name)\" \(place), or it is not yours to see."
            throw RestoreStop(ending: .needsHuman(sentence))
        }
    }

    private func page(prefix: String, after cursor: String?) async throws -> ObjectPage {
        do {
            // Later pages keep no objects of earlier ones waiting.
            return try await retrying(prefix, isAwaited: cursor == nil) {
                try await setup.storage.list(bucket: setup.destination.bucket, prefix: prefix, cursor: cursor)
            }
        } catch let error as StorageError {
            throw stop(error)
        }
    }

    /// The error that ends a run which cannot list the bucket.
    private func stop(_ error: StorageError) -> any Error {
        if case .stops(let reason) = RestoreVerdict(error) { return reason }
        return RestoreStop(ending: Ending(looking: error, at: setup.clock()))
    }
}

extension Restorer.Setup {
    /// Whether the object under `key` may be selected: it is no thumbnail, and not known to belong elsewhere.
    func wants(_ key: String) -> Bool {
        guard !RestorePlace.isThumbnail(key, prefix: keyPrefix) else { return false }
        guard let place = try? RestorePlace(key: key, prefix: keyPrefix, metadata: nil), place.source == .key else {
            return true
        }
        return selection.admits(place.path) || ObjectKey.besideWhich(place.path).map(selection.admits) ?? false
    }
}
