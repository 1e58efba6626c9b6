package import Catalog
package import Configuration
package import FoundationEssentials
package import Queue
import Records
package import Supabase
import Transfer
package import Uploading

/// Stage 6: asks the server for what was sent, writes receipts, completes items; batch by batch.
package struct Recorder: Sendable {
    let storage: StorageClient
    let library: Library
    let queue: UploadQueue
    let destination: Destination
    let budget: BudgetReservations
    let clock: @Sendable () -> Date

    /// Records items in `queue` and `library` once the server shows their objects, which ends their reservations of
    /// `budget`.
    package init(
        storage: StorageClient, library: Library, queue: UploadQueue, destination: Destination,
        budget: BudgetReservations = BudgetReservations(), clock: @escaping @Sendable () -> Date
    ) {
        self.storage = storage
        self.library = library
        self.queue = queue
        self.destination = destination
        self.budget = budget
        self.clock = clock
    }

    /// What became of a batch, item by item.
    package struct Result: Sendable {
        /// Items that have a durable receipt now.
        package var stored: [Item] = []
        /// Of the stored items, those whose objects were moved to their keys.
        package var moved: Set<ItemIdentifier> = []
        /// Items that got no receipt, each with the outcome that the queue was told.
        package var notStored: [(item: Item, outcome: UploadOutcome)] = []
        /// How requests for proof failed, once for each request.
        package var troubles: [UploadOutcome] = []
    }

    /// Proves `batch`; items for which the server holds something else go back to the queue.
    ///
    /// Receipts are durable before any item is completed.
    ///
    /// - Parameter tell: Called for each stored item once its receipt is durable, and before anything else can see that.
    package func record(
        _ batch: [Accepted], tell: @escaping @Sendable (FileEvent) -> Void = { _ in }
    ) async throws -> Result {
        let proof = try await proof(of: batch.map(\.item.objectKey.text))
        var result = Result()
        result.troubles = proof.errors.map { UploadOutcome($0, at: clock()) }
        var earned: [(receipt: Receipt, item: Item)] = []
        var moved: [ItemIdentifier: Receipt] = [:]
        var proven: [(accepted: Accepted, proof: Receipt.Proof)] = []
        for accepted in batch {
            let key = accepted.item.objectKey.text
            let held = proof.held[key]
            // Attempts are made durable with the receipts, because the queue will say from then on that the item waits.
            if let error = proof.failures[key] {
                try await library.noteAttempt(accepted.item, destination: destination.name, isDoubtful: false)
                result.notStored.append((accepted.item, UploadOutcome(error, at: clock())))
                continue
            }
            switch Verification(of: accepted, held: held) {
            case .same(let proof):
                earned.append((receipt(for: accepted, held, proof), accepted.item))
                result.stored.append(accepted.item)
                proven.append((accepted, proof))
                guard let before = accepted.movedFrom else { continue }
                moved[accepted.item.id] = before
                result.moved.insert(accepted.item.id)
            case .different(let failure):
                try await disproveFormer(of: accepted.item, held)
                try await library.noteAttempt(accepted.item, destination: destination.name)
                result.notStored.append((accepted.item, .notStored(failure)))
            }
        }
        // What was not stored is written down by now, and the queue does not have it sent again yet.
        let ended = result.stored.map(\.id) + result.notStored.map(\.item.id)
        try await library.record(earned, moved: moved, clock: clock) { [proven] library, former in
            try budget.count(in: library, at: destination.name, ending: ended)
            for (accepted, proof) in proven {
                let standing = FileEvent.Standing(of: accepted, former: former[accepted.item.id] ?? [])
                tell(FileEvent(accepted.item, .stored(standing, proof)))
            }
        }
        try await finish(result)
        return result
    }

    /// Takes back the receipt of the object that `item` was to replace, if the key no longer holds that, either.
    ///
    /// Otherwise it would count again once the file is as it was when that was stored.
    private func disproveFormer(of item: Item, _ held: HeldObject?) async throws {
        guard let former = try await library.receipt(destination: destination.name, key: item.objectKey),
            ObjectFinding(former, held: held) != .same
        else { return }
        try await library.disprove(former)
    }

    /// Hands all lines over together, so that the whole batch waits for the disk only once.
    private func finish(_ result: Result) async throws {
        let now = clock()
        let outcomes =
            result.stored.map { ($0.id, UploadOutcome.verified) } + result.notStored.map { ($0.item.id, $0.outcome) }
        try await queue.finish(outcomes, now: now)
    }

    private func receipt(for accepted: Accepted, _ held: HeldObject?, _ proof: Receipt.Proof) -> Receipt {
        Receipt(
            destination: destination.name, key: accepted.item.objectKey, role: accepted.item.role,
            item: accepted.item.id, sha256: accepted.item.sha256, size: accepted.item.size,
            objectID: held?.id ?? accepted.objectID, version: held?.version, eTag: held?.eTag,
            updatedAt: held?.updatedAt, verifiedAt: clock(), proof: proof)
    }
}

extension FileEvent.Standing {
    /// - Parameter former: The SHA-256 of each content that was stored of the file before.
    fileprivate init(of accepted: Accepted, former: Set<String>) {
        if accepted.movedFrom != nil {
            self = .moved
        } else if former.contains(accepted.item.sha256) {
            self = .again
        } else if accepted.isFound {
            self = .found
        } else {
            self = former.isEmpty ? .new : .changed
        }
    }
}

// MARK: - Asking

extension Recorder {
    private struct Proof {
        var held: [String: HeldObject] = [:]
        /// Keys about which the server gave no answer.
        var failures: [String: StorageError] = [:]
        /// One error for each request that failed.
        var errors: [StorageError] = []
        /// Keys that a listing showed with an eTag that is neither the MD5 of the whole nor of parts.
        var odd: [String] = []
    }

    private func proof(of keys: [String]) async throws -> Proof {
        var counts: [String: Int] = [:]
        for prefix in Set(keys.flatMap(Self.folders)) {
            counts[prefix] = try await library.receiptCount(destination: destination.name, prefix: prefix)
        }
        var proof = Proof()
        for plan in VerificationPlan.plans(for: keys, known: { counts[$0, default: 0] }) {
            switch plan {
            case .list(let prefix): await list(prefix, Set(keys), into: &proof)
            case .ask(let keys): await ask(keys, into: &proof)
            }
        }
        // A listing may be damaged on its way, so each object that it shows with an odd eTag is asked about by itself.
        await ask(proof.odd, into: &proof)
        return proof
    }

    private static func isOdd(_ eTag: String) -> Bool { MD5Tag(eTag) == nil && MultipartTag(eTag) == nil }

    /// Every folder that the key lies in, each ending in a slash, and the bucket itself.
    private static func folders(of key: String) -> [String] {
        [""] + key.indices.filter { key[$0] == "/" }.map { String(key[...$0]) }
    }

    private func list(_ prefix: String, _ wanted: Set<String>, into proof: inout Proof) async {
        var progress = ListingProgress()
        var cursor: String?
        do {
            repeat {
                let next = cursor
                let page = try await repeating { () async throws(StorageError) in
                    try await storage.list(
                        bucket: destination.bucket, prefix: prefix, limit: VerificationPlan.pageSize, cursor: next)
                }
                for object in page.objects where wanted.contains(object.key) {
                    proof.held[object.key] = HeldObject(object)
                    if object.eTag.map(Self.isOdd) ?? false { proof.odd.append(object.key) }
                }
                cursor = try progress.next(after: page)
            } while cursor != nil
        } catch {
            proof.errors.append(error)
            for key in wanted where key.hasPrefix(prefix) && proof.held[key] == nil { proof.failures[key] = error }
        }
    }

    /// Asks up to three times before a listing counts as failed, because all its items would fail with it.
    ///
    /// A server that cannot be reached, or asks for a wait, is asked only once.
    private func repeating<Value: Sendable>(
        _ body: () async throws(StorageError) -> Value
    ) async throws(StorageError) -> Value {
        for _ in 0..<2 {
            do throws(StorageError) {
                return try await body()
            } catch {
                guard error.isWorthRepeatingAtOnce else { throw error }
            }
        }
        return try await body()
    }

    private func ask(_ keys: [String], into proof: inout Proof) async {
        for key in keys {
            do {
                guard let info = try await storage.infoIfPresent(bucket: destination.bucket, key: key) else { continue }
                proof.held[key] = HeldObject(info)
            } catch {
                proof.errors.append(error)
                proof.failures[key] = error
            }
        }
    }
}

extension StorageError {
    /// Whether the answer was lost or the server failed, and did not ask for a wait.
    fileprivate var isWorthRepeatingAtOnce: Bool {
        if case .noAnswer(let lost) = self { return lost.kind == .lost }
        return isRetryable && retryAfter == nil
    }
}
