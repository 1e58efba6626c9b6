package import Catalog
package import Configuration
package import FoundationEssentials
import MediaModel
package import Platform
package import Queue
import Records
package import Roots
package import Supabase
import Synchronization
import Text
package import Transfer

/// How one attempt ended.
package enum Sending: Hashable, Sendable {
    case accepted(Accepted)
    case ended(UploadOutcome)
}

/// Stage 5, one attempt at one item: opens the source, asks or sends, and returns the outcome.
package struct Sender: Sendable {
    let storage: StorageClient
    let library: Library
    let queue: UploadQueue
    let destination: Destination
    let roots: RootRegistry
    let cache: ThumbnailCache
    let settings: Settings.Upload
    let limits: LearnedLimits
    let budget: BudgetReservations
    /// The pictures that the settings ask for; `nil` where any may be sent.
    var pictures: [Item.Role]?
    let clock: @Sendable () -> Date
    /// Tells whether files are still there.
    var presence: Presence { Presence(roots: roots, library: library) }
    /// Measures how quickly pieces are taken.
    var stopwatch: @Sendable () -> ContinuousClock.Instant = { .now }

    /// A sender to one destination, with limits and a budget of its own unless the caller shares some.
    ///
    /// - Parameter pictures: Those that the settings ask for; `nil` where any may be sent.
    package init(
        storage: StorageClient, library: Library, queue: UploadQueue, destination: Destination,
        roots: RootRegistry, cache: ThumbnailCache, settings: Settings.Upload, limits: LearnedLimits? = nil,
        budget: BudgetReservations = BudgetReservations(), pictures: [Item.Role]? = nil,
        clock: @escaping @Sendable () -> Date
    ) {
        self.storage = storage
        self.library = library
        self.queue = queue
        self.destination = destination
        self.roots = roots
        self.cache = cache
        self.settings = settings
        self.limits = limits ?? LearnedLimits(library: library, bucket: destination.bucket)
        self.budget = budget
        self.pictures = pictures
        self.clock = clock
    }

    /// Sends `item`, which is durably `uploading`; throws only what the library throws.
    ///
    /// An item that is withdrawn, unsteady or in doubt may have left bytes under its key: they are remembered as ours,
    /// durably, before the queue hears how the attempt ended, so that a later item may replace them.
    ///
    /// - Parameters:
    ///   - keep: Writes down how far an upload in pieces has come, durably if asked to.
    ///   - restraint: Asked before each piece; the reason to stop the upload there.
    package func send(
        _ item: Item, progress: @escaping @Sendable (TransferProgress) -> Void = { _ in },
        keep: @escaping Keep = { _, _ in }, restraint: @escaping @Sendable () -> Restraint? = { nil }
    ) async throws -> Sending {
        let reports = Reports(progress: progress, keep: keep, restraint: restraint)
        let sending = try await attempt(item, reports)
        guard case .ended(let outcome) = sending else { return sending }
        let mayHaveArrived = reports.arrival.isPossible
        // An item that was never tried has left nothing: an object of ours under its key is what a lost library knew.
        let wasTried = item.sent || item.lastError != nil
        if mayHaveArrived || wasTried && outcome.mayLeaveOtherBytes {
            // The request may still arrive, even after its retry and after the bytes that follow it.
            try await library.remember(item, destination: destination.name, bytes: mayHaveArrived ? item.size : 0)
        } else {
            try await library.forgetReplacement(by: item, destination: destination.name)
        }
        return sending
    }

    /// Writes down how far an upload in pieces has come; with `isDurable` it is durable on return.
    package typealias Keep = @Sendable (_ resume: Item.Resume?, _ isDurable: Bool) async throws -> Void

    /// Where an attempt reports how far it is.
    struct Reports: Sendable {
        let progress: @Sendable (TransferProgress) -> Void
        let keep: Keep
        let restraint: @Sendable () -> Restraint?
        let arrival = Arrival()
    }

    private func attempt(_ item: Item, _ reports: Reports) async throws -> Sending {
        let known: UploadContext
        do {
            known = try await settledContext(of: item)
        } catch let error as StorageError {
            return .ended(UploadOutcome(error, at: clock()))
        }
        if let other = known.otherFile, try await !presence.isGone(other.path, root: other.root) {
            return .ended(.moved(item.objectKey.beside(item.sha256)))
        }
        if known.isProven { return .ended(.verified) }
        // The user cancelled the file between adding and claiming the item, too late to withdraw it, or the settings
        // have a new rule that no scan has applied yet, or send nothing unasked of the file's root any more.
        let isUnasked = isUnasked(item, known)
        if known.isLeftOut || hasRule(against: item) || isUnasked && !item.sent { return .ended(.withdrawn) }
        let source: Source
        switch try await open(item) {
        case .success(let file): source = Source(file: file, facts: known.facts)
        case .failure(let outcome): return .ended(outcome)
        }
        do {
            // The object of a sent item may have followed its file to another name and back meanwhile.
            let mayBeThere = item.sent || known.mayBeThere
            let there = mayBeThere ? try await whatIsThere(item, source, replacing: known.receipt) : nil
            // It was sent while it was asked for, and was lost.
            if there == nil, isUnasked { return .ended(.withdrawn) }
            let relocated = try await relocate(item, source, known, isThere: there != nil, reports.arrival)
            if let relocated { return relocated }
            if let there { return there }
            // An object with the same bytes is being moved for another item, so this item waits until that is settled.
            if item.mayBeCopied, try await mayBeMoving(item, known) { return .ended(.interrupted) }
            let isReplacing = try await mayReplace(item, source, known.receipt)
            return try await upload(item, from: source, replacing: isReplacing, reports)
        } catch let error as StorageError {
            return .ended(UploadOutcome(error, at: clock()))
        } catch let unsent as Unsent {
            return unsent.sending
        } catch let error as SystemError {
            return .ended(error.isMissing ? .withdrawn : UploadOutcome(reading: error))
        }
    }

    /// Ends an attempt early with a known result.
    struct Unsent: Error {
        let sending: Sending
    }
}

// MARK: - The source

extension Sender {
    /// What is to be sent.
    package struct Source: Sendable {
        let file: OpenFile
        /// What is known of its content.
        let facts: MediaFacts?
    }

    private enum Opening {
        case success(OpenFile)
        case failure(UploadOutcome)
    }

    /// Opens what is to be sent, if it still is what the item says.
    private func open(_ item: Item) async throws -> Opening {
        do {
            let file = try await sourceFile(of: item)
            guard let file else { return .failure(.withdrawn) }
            let facts = try file.facts()
            guard item.describes(facts) else { return .failure(.withdrawn) }
            if item.size > Asset.Rank.largeSize { file.adviseSequential() }
            return .success(file)
        } catch let error as SystemError {
            if error.isDiskAway, let root = roots[item.root] { try await library.noteAbsence(of: root, error) }
            // A path outside its root, such as an edited queue may name, is no file of the root.
            let isNone = error.isMissing || error.isOutside
            return .failure(isNone ? .withdrawn : UploadOutcome(reading: error))
        }
    }

    private func sourceFile(of item: Item) async throws -> OpenFile? {
        if let size = item.role.thumbnailSize {
            let asset = try await library.asset(root: item.root, path: item.filePath)
            guard let content = asset?.sha256 else { return nil }
            // A picture belongs to its file: if that was renamed, the picture's object is moved from its former key.
            let isGone = try await presence.isGone(item.filePath, root: item.root)
            guard !isGone else { return nil }
            let format = ThumbnailFormat(type: MediaType(rawValue: item.contentType)) ?? .jpeg
            return try OpenFile(reading: cache.path(of: content, size: size, format: format))
        }
        guard let root = roots[item.root] else { return nil }
        return try await Blocking.run { () throws(SystemError) in try root.open(item.filePath) }
    }
}

extension Sender {
    /// Writes down what is there now in place of a withdrawn item's source, which was gone or changed.
    ///
    /// A file that looks as before is read again, too: it may be back, or hold other bytes in spite of its time.
    package func lookAgain(at item: Item, now: Date) async throws {
        guard item.role == .original, let root = roots[item.root] else { return }
        let path = item.filePath
        switch await root.look(at: path) {
        case .success(let found):
            let observation = hasRule(against: item) ? nil : found
            _ = try await library.merge(observation, at: path, root: root.known.id, origin: .arrival, now: now)
        // Nothing is known about the file; reading it will tell.
        case .failure: break
        }
        try await library.sendBack(item)
    }
}

extension Sender {
    /// Whether the settings ask for nothing of the kind since the item was made: its root is only indexed, and the user
    /// has not named its file, or no pictures of that size are made any more.
    private func isUnasked(_ item: Item, _ known: UploadContext) -> Bool {
        roots[item.root]?.autoUpload == false && !known.isAsked || isOfNoSize(item)
    }

    /// Notes durably that the picture of a withdrawn item was not stored, so that it is made again, if it is asked for.
    func losePicture(of item: Item) async throws {
        if !isOfNoSize(item) { try await library.losePictures(of: [item]) }
    }

    /// Whether it is a picture of a size that the settings do not ask for.
    private func isOfNoSize(_ item: Item) -> Bool {
        guard item.role != .original, let pictures else { return false }
        return !pictures.contains(item.role)
    }

    /// Whether a rule that is newer than the item leaves out its file.
    private func hasRule(against item: Item) -> Bool { roots[item.root]?.rules.reason(for: item.filePath) != nil }
}

extension Item {
    /// Whether `facts` show the size and the time that it was made with.
    package func describes(_ facts: FileFacts) -> Bool {
        size == facts.size && modifiedAt == facts.modifiedAt
    }
}

// MARK: - Sending

extension Sender {
    private func upload(
        _ item: Item, from source: Source, replacing: Bool, _ reports: Reports
    ) async throws -> Sending {
        if replacing { try await library.noteReplacement(by: item, destination: destination.name) }
        do {
            return try await uploadWithinLimits(item, from: source, replacing: replacing, reports)
        } catch let error as StorageError {
            guard error.isDuplicate else { throw error }
            reports.arrival.noteTaken()
            return try await resolveConflict(item, source, reports)
        }
    }

    func uploadWhole(
        _ item: Item, from source: Source, replacing: Bool, _ reports: Reports
    ) async throws -> Sending {
        let digest = BodyDigest()
        let object = try await reports.arrival.following { () async throws(StorageError) in
            try await storage.upload(
                .file(source.file, offset: 0, length: item.size, observer: digest), bucket: destination.bucket,
                key: item.objectKey.text, contentType: item.contentType, cacheControl: Int(settings.cacheFor.seconds),
                metadata: metadata(for: item, source), replacing: replacing, progress: reports.progress
            )
        }
        let sums = digest.finish()
        // The bytes sent decide whether they are the item's. If they are not, the object under the key is ours, but it
        // is not what its metadata says.
        guard sums.sha256 == item.sha256, item.describes(try source.file.facts()) else {
            try await disproveReceipt(of: item)
            return .ended(try otherBytes(item, source))
        }
        let evidence = try await compared(item, source, Evidence(md5: sums.md5))
        return .accepted(Accepted(item: item, objectID: object.id, evidence: evidence, isUploaded: true))
    }

    /// How an attempt ends that sent other bytes than the item's.
    ///
    /// A file that looks as before may give other bytes at each read, so it is read again at once, and sent after the
    /// wait that follows any failure.
    func otherBytes(_ item: Item, _ source: Source) throws -> UploadOutcome {
        try item.role == .original && item.describes(source.file.facts()) ? .unsteady : .withdrawn
    }

    /// Notes that the item's key may hold other bytes of ours than its receipt, and than the hash in its metadata, say.
    ///
    /// Otherwise the receipt would count once the file is as it was. The bytes are ours even if they never arrived.
    func disproveReceipt(of item: Item) async throws {
        try await library.noteAttempt(item, destination: destination.name)
        let receipt = try await library.receipt(destination: destination.name, key: item.objectKey)
        if let receipt { try await library.disprove(receipt) }
    }

    /// Notes an object under the key of `item` that may be what an earlier request of this attempt has stored.
    func note(_ info: ObjectInfo, of item: Item, in reports: Reports) {
        if metadata(of: info)?.sha256 == item.sha256 { reports.arrival.noteFound() }
    }

    /// Finds out what has taken the key: the very same bytes, an older object of ours, or a foreign one.
    private func resolveConflict(
        _ item: Item, _ source: Source, _ reports: Reports
    ) async throws -> Sending {
        guard let info = try await info(item.objectKey) else {
            return .ended(item.unseen)
        }
        reports.arrival.noteSeen()
        note(info, of: item, in: reports)
        let receipt = try await library.receipt(destination: destination.name, key: item.objectKey)
        let isReplacing = try await settle(try await holding(info, item, source, receipt), item, info)
        return try await upload(item, from: source, replacing: isReplacing, reports)
    }
}
