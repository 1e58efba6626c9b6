import Catalog
import Configuration
import FoundationEssentials
package import Queue
import Records

// What keeps single items from being sent: room, size, sign-in.
extension Uploader {
    /// Reserves room for the item's bytes; returns the failure for which it has to wait, if it has to.
    func reserve(_ item: Item) async throws -> Item.Failure? {
        guard budget.isLimited else { return nil }
        try await countRoom()
        let held = try await library.receiptBytes(at: item.objectKey, destination: sender.destination.name)
        guard let failure = budget.reserve(item, replacing: held) else { return nil }
        guard try await sender.mayBeMoved(item) else { return failure }
        return budget.reserve(item, replacing: held, moving: item.size)
    }

    /// Why the item would have to wait for room now; `nil` where it would not.
    package func failure(fitting item: Item) async throws -> Item.Failure? {
        guard item.waitsForRoom else { return nil }
        let held = try await library.receiptBytes(at: item.objectKey, destination: sender.destination.name)
        guard let failure = budget.failure(fitting: item, replacing: held) else { return nil }
        return try await sender.mayBeMoved(item) ? nil : failure
    }

    /// Lifts a size limit that the server's acceptance of the whole item disproves.
    func passed(_ item: Item) async throws {
        guard try await sender.limits.passed(item) else { return }
        try await unblock(.tooLarge)
        wake.notify()
    }

    /// Counts what is taken by now; makes items that wait for room due again if some has come back.
    ///
    /// - Parameter items: Items that are not being sent any more; their leftovers are written down by now, and count.
    package func countRoom(ending items: [Item] = []) async throws {
        try await lookAtRoom(ending: items)
        if budget.takeRoomNotice() { try await unblock(fitting: budget.room ?? .max) }
    }

    /// Counts what is taken of the budget by now, without `items`, which are not being sent any more.
    package func lookAtRoom(ending items: [Item] = []) async throws {
        guard budget.isLimited else { return }
        try await budget.count(in: library, at: sender.destination.name, ending: items.map(\.id))
    }

    /// Makes the items that wait for room due again, as far as each by itself would fit now.
    package func unblockWhatFits() async throws {
        _ = budget.takeRoomNotice()
        try await lookAtRoom()
        try await unblock(fitting: budget.room ?? .max)
    }

    private func unblock(fitting room: Int64) async throws {
        var fitting: Set<ItemIdentifier> = []
        for item in await queue.unfinished() where item.waitsForRoom {
            if try await failure(fitting: item) == nil { fitting.insert(item.id) }
        }
        let due = fitting
        try await queue.update(now: clock()) { $0.waitsForRoom && due.contains($0.id) ? $0.unblocked : nil }
        try await library.unblock(fitting: room)
        wake.notify()
    }

    /// Remembers durably what an earlier run was sending when it ended, or had not proven: it may be stored by now.
    package func rememberInterrupted() async throws {
        // The settings may name another destination by now, which this run will refuse.
        let destination = try await library.fact(Library.destinationFact) ?? sender.destination.name
        try await library.noteInterrupted(await queue.interruptedItems(), destination: destination)
        try await library.noteCutShortReplacements()
        try await library.commit()
    }

    /// Makes the items due again for which the destination's disk had no room, because it may have some now.
    package func unblockFull() async throws {
        try await queue.update(now: clock()) { item in
            item.blocked == .budget && item.lastError?.code == .http(507) ? item.unblocked : nil
        }
        try await library.unblock(.budget, code: .http(507))
        wake.notify()
    }

    /// Rewords why the smallest item that waits for room waits, because reports name that item.
    ///
    /// Usually an item is reworded when it is tried, but one that does not fit is not tried.
    package func rewordRoom() async throws {
        try await lookAtRoom()
        let waiting = try await waiting()
        let smallest = waiting.queued.filter(\.waitsForRoom).min { $0.size < $1.size }
        if let item = smallest, let failure = try await failure(fitting: item), failure != item.lastError {
            try await queue.update(now: clock()) { $0.id == item.id ? $0.failing(with: failure) : nil }
        }
        for item in waiting.elsewhere.map(\.smallest) where item.waitsForRoom {
            guard let failure = try await failure(fitting: item), failure != item.lastError else { continue }
            try await library.reword(item.failing(with: failure), destination: sender.destination.name)
        }
    }

    /// Forgets what was learned of size limits, and makes the items due again that wait for them.
    package func forgetSizeLimits() async throws {
        try await sender.limits.forget()
        try await unblock(.tooLarge)
        wake.notify()
    }

    /// Makes all items blocked by `reason` due again; callers outside the sending loop have to wake it.
    package func unblock(_ reason: Item.Blocked) async throws {
        try await queue.update(now: clock()) { $0.blocked == reason ? $0.unblocked : nil }
        try await library.unblock(reason)
    }

    /// Makes the items due again that waited for the circuit to close, after it was open for `reason`.
    ///
    /// This includes items that met silence meanwhile: a circuit open for another reason is not opened by silence.
    func unblock(after reason: Circuit.Reason) async throws {
        try await queue.update(now: clock()) { item in
            item.waits(for: reason) || item.waits(for: .offline) ? item.unblocked : nil
        }
        for sum in try await waiting().elsewhere where sum.waits(for: reason) || sum.waits(for: .offline) {
            if let blocked = sum.reason { try await library.unblock(blocked, code: sum.code) }
        }
    }

    /// Makes an item due again that was known too late to wait: what it waits for has come before.
    func goOn(_ item: Item, after outcome: UploadOutcome) async throws {
        if item.waitsForRoom, try await failure(fitting: item) == nil { try await unblockWhatFits() }
        // Another answer, or the user, has closed the circuit that this attempt had opened or found open.
        guard item.blocked != nil, let reason = Circuit.Sign(outcome).closure, obstacle == nil else { return }
        try await unblock(after: reason)
        wake.notify()
    }

    /// Whether anything waits for the circuit to close that was opened for `reason`.
    package func holdsWaiting(for reason: Circuit.Reason) async throws -> Bool {
        try await waiting().holds(reason)
    }

    /// What waits, in the queue and elsewhere.
    struct Waiting {
        /// Items of the queue; completed ones may be left out.
        let queued: [Item]
        /// Sums of what waits elsewhere, including items that the queue has dropped and the library is about to take,
        /// because nothing else would free those.
        let elsewhere: [BlockedSum]

        /// Whether any of it was blocked by what opened the circuit for `reason`, except with the code `other`.
        func holds(_ reason: Circuit.Reason, besides other: FailureCode? = nil) -> Bool {
            queued.contains { $0.waits(for: reason) && (other == nil || $0.lastError?.code != other) }
                || elsewhere.contains { $0.waits(for: reason) && (other == nil || $0.code != other) }
        }
    }

    /// What waits now.
    func waiting() async throws -> Waiting {
        // The library asks which of its items the queue has, too, completed or not.
        let queued = library.hasBlocked ? await queue.all() : await queue.unfinished()
        return Waiting(queued: queued, elsewhere: try await library.blockedSums(besides: queued))
    }

    /// The reason, if any, for which items wait because an earlier run could send nothing.
    ///
    /// A disk without room for one file is no such reason: smaller files may fit, and refusals in a row tell if not.
    func suspicion() async throws -> Circuit.Reason? {
        let waiting = try await waiting()
        return [.bucketMissing, .quota].first { waiting.holds($0, besides: .http(507)) }
    }
}

extension Item {
    /// Whether it was blocked by what opened the circuit for `reason`.
    func waits(for reason: Circuit.Reason) -> Bool {
        status == .pending && reason.keeps(blocked, code: lastError?.code)
    }
}

extension BlockedSum {
    /// Whether these were blocked by what opened the circuit for `reason`.
    fileprivate func waits(for reason: Circuit.Reason) -> Bool { reason.keeps(self.reason, code: code) }
}

extension Circuit.Reason {
    fileprivate func keeps(_ blocked: Item.Blocked?, code: FailureCode?) -> Bool {
        switch self {
        case .offline, .projectPaused, .untrusted: blocked == .offline
        case .signIn: blocked == .signIn && code?.isOfSignIn ?? false
        case .bucketMissing: blocked == .bucket
        case .quota: blocked.map { BlockedCause($0, code: code) }?.isClosure ?? false
        case .overloaded: false
        }
    }
}

extension Item {
    /// Whether it waits for room in the budget, and not for a payment or a disk.
    package var waitsForRoom: Bool { blocked == .budget && blockedCause?.isClosure == false }

    fileprivate func failing(with failure: Failure) -> Item {
        var item = self
        item.lastError = failure
        return item
    }
}
