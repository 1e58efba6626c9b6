package import Audit
package import Catalog
package import Configuration
package import FoundationEssentials
package import Queue
import Records
package import Roots
package import Supabase
import Sync
package import Text
package import Uploading

/// What objects at the destination are compared, repaired and deleted with.
package struct ReconcilingContext: Sendable {
    let settings: Settings
    let destination: Destination
    /// What precedes the root's name in every key.
    let keyPrefix: String
    let library: Library
    let queue: UploadQueue
    let roots: RootRegistry
    let storage: StorageClient
    let uploader: Uploader
    let audit: AuditLog
    let wake: WakeEvent
    let log: Log
    let clock: @Sendable () -> Date
    /// How far the verification is that is under way.
    package let tally = VerificationTally()

    /// The state and the client that one agent works with; `uploader` sends by the same queue and to the same `storage`.
    package init(
        settings: Settings, destination: Destination, keyPrefix: String, library: Library, queue: UploadQueue,
        roots: RootRegistry, storage: StorageClient, uploader: Uploader, audit: AuditLog, wake: WakeEvent, log: Log,
        clock: @escaping @Sendable () -> Date
    ) {
        self.settings = settings
        self.destination = destination
        self.keyPrefix = keyPrefix
        self.library = library
        self.queue = queue
        self.roots = roots
        self.storage = storage
        self.uploader = uploader
        self.audit = audit
        self.wake = wake
        self.log = log
        self.clock = clock
    }

    /// Whether files are still there.
    var presence: Presence { Presence(roots: roots, library: library) }

    /// The server's facts about an object; `nil` if it has none under that key.
    ///
    /// Throws `StorageError`.
    func info(_ key: ObjectKey) async throws -> ObjectInfo? {
        try await storage.infoIfPresent(bucket: destination.bucket, key: key.text)
    }

    /// The item that waits for the key or is being sent to it.
    func openItem(at key: ObjectKey) async -> Item? {
        guard let item = await queue.item(at: key.place(in: destination.bucket)), item.isOpen else { return nil }
        return item
    }

    /// Whether something waits for the key or is being sent to it.
    package func isUnderWay(_ key: ObjectKey) async -> Bool { await openItem(at: key) != nil }

    /// The receipt of the key at this destination.
    func receipt(at key: ObjectKey) async throws -> Receipt? {
        try await library.receipt(destination: destination.name, key: key)
    }

    /// A receipt for the object that `info` describes, which was found without one.
    func receipt(
        at key: ObjectKey, role: Item.Role, sha256: String, found info: ObjectInfo, proof: Receipt.Proof = .size
    ) -> Receipt {
        let held = HeldObject(info)
        return Receipt(
            destination: destination.name, key: key, role: role, item: ItemIdentifier(at: clock()), sha256: sha256,
            size: info.size ?? 0, objectID: held.id, version: held.version, eTag: held.eTag, updatedAt: held.updatedAt,
            verifiedAt: clock(), proof: proof)
    }

    /// Whether a receipt still describes its key: nothing was, or is being, stored there since it was read.
    func isCurrent(_ receipt: Receipt) async throws -> Bool {
        guard try await library.receipt(destination: receipt.destination, key: receipt.key) == receipt else {
            return false
        }
        return await !isUnderWay(receipt.key)
    }

    /// Whether an object that was not found under its key was moved to another one.
    ///
    /// The keys of all expected moves are asked about, of late ones, too. If the receipt has changed since, a move that
    /// has ended took it along.
    func hasMoved(_ receipt: Receipt) async throws -> Bool {
        for move in try await library.expectedMoves(from: receipt.key, destination: receipt.destination) {
            if let info = try await info(move.key), receipt.names(info) { return true }
        }
        return try await library.receipt(destination: receipt.destination, key: receipt.key) != receipt
    }
}

// MARK: - What a comparison of the bucket leaves behind

extension ReconcilingContext {
    /// Lets reports show what was found, even if the comparison ended early.
    func remember(_ inspection: Inspection) async throws {
        try await library.remember(
            inspection.discrepancies, destination: destination.name, isComplete: inspection.result.isComplete,
            wasDownloaded: { inspection.isDownloaded($0) && !inspection.unanswered.contains($0) }, at: clock())
    }

    /// Whether a sync has looked at the roots with this library; `false` for a new one, and for one from a backup.
    var knowsFiles: Bool {
        get async throws { try await library.bucketLook() != nil ? try await !library.awaitsLookAtRoots() : false }
    }

    /// Notes that a verification which began at `start` has compared the whole bucket.
    ///
    /// It looks at no disk, so before the next sync it may settle nothing: that finds out what receipts are missing, and
    /// asks about its files before it sends them.
    func complete(verification inspection: inout Inspection, at start: Date) async throws {
        try await complete(&inspection)
        guard try await knowsFiles else { return }
        try await settle(lookAt: start)
    }

    /// Notes that the look of a sync which began at `start` has compared the whole bucket.
    func complete(look inspection: inout Inspection, at start: Date) async throws {
        try await complete(&inspection)
        try await settle(lookAt: start)
    }

    private func settle(lookAt start: Date) async throws {
        try await library.noteBucketLook(at: start)
        // Every file here was asked about by now, one by one; a root that is away may have more.
        guard try await !library.awaitsLookAtRoots(), try await library.counts().waiting == 0,
            try await library.absentRoots().isEmpty
        else { return }
        try await library.setMayLackReceipts(false)
    }

    private func complete(_ inspection: inout Inspection) async throws {
        inspection.result.isComplete = true
        try await remember(inspection)
    }
}
