package import Configuration
package import FoundationEssentials
package import Platform
package import Queue
import Records
package import Supabase
package import Sync
package import Text

/// Brings objects back to files, as `DIR/<root>/<path>`, with the name, the time and the bytes that were stored.
///
/// Needs no local state, because keys and metadata in the bucket say everything. It is idempotent, even after a kill:
/// existing files are compared and never replaced, and half a download is continued. Nothing is written outside of the
/// directory, whatever the keys say.
package final class Restorer: Sendable {
    /// The settings and collaborators of a restore.
    package struct Setup: Sendable {
        /// The client that lists and downloads; it carries the sign-in or the key.
        package var storage: StorageClient
        /// The bucket and prefix that are restored.
        package var destination: Destination
        /// What comes before the root's name in every key; the prefix, and the user id when signed in as one.
        package var keyPrefix: String
        /// The directory that the files are restored to; made when it is missing.
        package var directory: FilePath
        /// Which files are restored; all of them by default.
        package var selection = RestoreSelection()
        /// Exactly these objects, without a listing; `nil` for all below the prefix.
        package var objects: [ListedObject]?
        /// Whether the run only finds out what it would fetch.
        package var isDryRun = false
        /// Objects in hand at once.
        package var concurrency = 8
        /// Pages of the listing that may wait to be restored, each of up to 1,000 objects; this bounds the memory.
        var pagesAhead = 30
        /// How often an object or a page of the listing is tried, and how long each wait is.
        package var ladder = RetryLadder(base: .seconds(1), cap: .seconds(30), attempts: 6)
        /// The longest wait that a server may ask for; a longer one ends the attempts at the object.
        var patience = Duration.seconds(300)
        /// Files in a row that fail temporarily, after which the others are left for another run.
        package var misfortunes = 8
        /// Gets a debug line for each settled file and each retry.
        package var log = Log.silent
        /// The present time, for progress and waits.
        package var clock: @Sendable () -> Date = { Date() }
        /// Waits between attempts.
        package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
        /// Bytes of the disk that stay free.
        package var reserve: Int64 = 100_000_000
        /// Called with every file as soon as its outcome is known, on any thread.
        package var settled: @Sendable (RestoredFile) -> Void = { _ in }

        /// A restore of everything below the prefix of `destination`; the caller changes what should differ.
        package init(storage: StorageClient, destination: Destination, directory: FilePath) {
            self.storage = storage
            self.destination = destination
            self.directory = directory
            keyPrefix = destination.prefix
        }
    }

    let setup: Setup
    let tally: RestoreTally
    private let leftovers = RestoreLeftovers()
    private let openFolder: @Sendable () throws -> (any RestoreFolder)?

    /// Restores into the local directory of `setup`; a dry run does not make it.
    package convenience init(_ setup: Setup) {
        self.init(setup) {
            if setup.isDryRun {
                guard try FileFacts.existing(setup.directory) != nil else { return nil }
            } else {
                try Directory.create(at: setup.directory, mode: 0o777)
            }
            return LocalRestoreFolder(try Directory(setup.directory))
        }
    }

    init(_ setup: Setup, openFolder: @escaping @Sendable () throws -> (any RestoreFolder)?) {
        self.setup = setup
        self.openFolder = openFolder
        tally = RestoreTally(isDryRun: setup.isDryRun)
    }

    /// How far the run is; may be read at any time.
    package var progress: Progress { tally.progress(at: setup.clock()) }

    /// How many objects it was told to restore; 0 if it has to list them.
    package var objectCount: Int { setup.objects?.count ?? 0 }

    /// The result so far; complete once `run` has returned, partial once it has thrown.
    var result: RestoreResult { tally.result(of: setup.selection) }

    /// Restores what is selected, once.
    ///
    /// Failures of single files, and of the storage as a whole, are in the result. Throws `SystemError`
    /// when the disk is full or broken, and `CancellationError`; a later run then continues from there.
    package func run() async throws -> RestoreResult {
        let directory = setup.directory
        let isNew = try await Blocking.run { () throws(SystemError) in try FileFacts.existing(directory) == nil }
        let restored: Result<RestoreResult, any Error>
        do { restored = .success(try await restoredAll()) } catch { restored = .failure(error) }
        if isNew { await Self.removeIfEmpty(directory) }
        return try restored.get()
    }

    /// A directory that was made for nothing is not left behind; one that holds anything stays.
    private static func removeIfEmpty(_ directory: FilePath) async {
        await Blocking.run {
            let parent = directory.parent.isEmpty ? "." : directory.parent
            _ = Result { () throws(SystemError) in
                try Directory(parent).remove(directory: FilePath(bytes: directory.name))
            }
        }
    }

    private func restoredAll() async throws -> RestoreResult {
        let folder = try await openedFolder()
        do {
            try await restoreAll(into: folder)
        } catch let stop as RestoreStop {
            tally.stop(stop.ending)
        }
        try await synchronize(folder)
        return result
    }

    /// The directory, made if missing; throws `ClosedFolder` or `NoRoom` if nothing could be restored to it.
    ///
    /// Found out before the storage is asked for anything, and once instead of for each file.
    private func openedFolder() async throws -> (any RestoreFolder)? {
        let (openFolder, setup) = (openFolder, setup)
        return try await Blocking.run {
            do {
                guard let folder = try openFolder() else { return nil }
                guard !setup.isDryRun else { return folder }
                try folder.checkWriting()
                // If files are there already, nothing more may have to be written, and no room is needed.
                if try folder.names(in: "").isEmpty, try folder.availableBytes() <= setup.reserve {
                    throw NoRoom(directory: setup.directory, reserve: setup.reserve)
                }
                return folder
            } catch let error as SystemError {
                guard error.isDenied || error.isReadOnly || error.isNoFolder else { throw error }
                throw ClosedFolder(directory: setup.directory, reason: error.reason)
            }
        }
    }

    /// Makes the names durable; the files' contents are durable already.
    private func synchronize(_ folder: (any RestoreFolder)?) async throws {
        let touched = tally.touchedDirectories
        guard let folder else { return }
        try await Blocking.run { () throws(SystemError) in
            for path in touched { try folder.synchronize(directory: path) }
        }
    }
}

// MARK: - Many at once

extension Restorer {
    /// How a task of the run ended.
    private enum Ended {
        case listing
        case object
        /// The object has to wait until another one is done.
        case later(ListedObject)
    }

    private func restoreAll(into folder: (any RestoreFolder)?) async throws {
        try await withThrowingTaskGroup(of: Ended.self) { group in
            let (pages, listing) = AsyncStream<[ListedObject]>.makeStream()
            // One leave for each page that may wait, because listing is much faster than restoring.
            let (leaves, leave) = AsyncStream<Void>.makeStream()
            for _ in 0..<setup.pagesAhead { leave.yield() }
            group.addTask {
                defer { listing.finish() }
                try await self.list(into: listing, each: leaves)
                return .listing
            }
            var running = 0
            var later: [ListedObject] = []
            func take(_ ended: Ended) {
                if case .later(let object) = ended { later.append(object) }
                if case .listing = ended { return }
                running -= 1
            }
            for await page in pages {
                for object in page {
                    while running >= setup.concurrency, let ended = try await group.next() { take(ended) }
                    group.addTask { try await self.restore(object, into: folder) }
                    running += 1
                }
                leave.yield()
            }
            while let ended = try await group.next() { take(ended) }
            for object in later { _ = try await restore(object, into: folder) }
        }
        try Task.checkCancellation()
    }

    /// Restores one object, with as many attempts as it takes; throws what ends the run.
    private func restore(_ object: ListedObject, into folder: (any RestoreFolder)?) async throws -> Ended {
        tally.begin(object)
        var attempt = RestoreAttempt(object, setup, folder: folder, tally: tally, leftovers: leftovers)
        do {
            end(object, try await retrying(object.key) { try await attempt.run() })
        } catch is RestoreAttempt.Later {
            tally.end(object, nil, isLater: true)
            return .later(object)
        } catch {
            let outcome: RestoredFile.Outcome
            switch RestoreVerdict(error) {
            case .refused(let reason): outcome = .refused(reason)
            case .fails(let failure), .retry(let failure, _): outcome = .failed(failure)
            case .stops(let reason): throw reason
            }
            let place = try? RestorePlace(key: object.key, prefix: setup.keyPrefix, metadata: nil).path
            var file = RestoredFile(key: object.key, place: place, size: object.size ?? 0, outcome: outcome)
            file.closedFolder = await closedFolder(on: place, error, folder)
            end(object, file)
            if case .failed(let failure) = outcome, tally.misfortunes >= setup.misfortunes {
                throw RestoreStop(
                    ending: .temporary("\(setup.misfortunes) files in a row did not come: \(failure.message)"))
            }
        }
        return .object
    }

    /// The deepest existing directory on the path of `place`, if `error` says that it may not be written to.
    ///
    /// If the file itself is there, the file may be what was not permitted.
    private func closedFolder(
        on place: FilePath?, _ error: any Error, _ folder: (any RestoreFolder)?
    ) async -> FilePath? {
        guard let place, let folder, let error = error as? SystemError, error.isDenied else { return nil }
        return await Blocking.run {
            func isThere(_ path: FilePath) -> Bool {
                // What cannot be looked at is reported by its own failure.
                do throws(SystemError) { return try folder.facts(of: path) != nil } catch { return false }
            }
            guard !isThere(place) else { return nil }
            var above = place.parent
            while !above.isEmpty, !isThere(above) { above = above.parent }
            return above
        }
    }

    private func end(_ object: ListedObject, _ file: RestoredFile?) {
        tally.end(object, file)
        guard let file else { return }
        setup.log.debug("\(file.outcome)", ["path": file.name, "key": file.key])
        setup.settled(file)
    }
}

// MARK: - Attempts

extension Restorer {
    /// The result of `body`, which is repeated after errors that may pass, as often as the ladder allows.
    ///
    /// - Parameter isAwaited: Whether nothing else goes on meanwhile, so that the first wait is shown to the user.
    func retrying<Value>(
        _ key: String, isAwaited: Bool = false, _ body: () async throws -> Value
    ) async throws -> Value {
        var failures = 0
        while true {
            do {
                try Task.checkCancellation()
                return try await body()
            } catch {
                failures += 1
                guard case .retry(let failure, let asked) = RestoreVerdict(error), asked ?? .zero <= setup.patience,
                    let delay = setup.ladder.delay(after: failures, asked: asked, random: .random(in: 0..<1))
                else { throw error }
                if isAwaited, failures == 1 {
                    let end = failure.message.hasSuffix(".") ? "" : "."
                    setup.log.warning("\(failure.message)\(end) Trying again for a minute or two")
                } else {
                    setup.log.debug("Trying again", ["key": key, "reason": failure.message])
                }
                tally.wait(key, until: setup.clock() + delay.seconds, because: failure.message)
                defer { tally.resume(key) }
                try await setup.pause(delay)
            }
        }
    }
}
