package import Catalog
import Configuration
package import FoundationEssentials
import Platform
package import Queue
import Records
import Supabase
import Synchronization

/// Stage 5: claims due items and sends them, a bounded number at once, until told to stop.
package final class Uploader: Sendable {
    private struct State {
        var limit: SendingLimit
        var circuit: Circuit
        /// What opened the circuit, in words.
        var trouble: Item.Failure?
        var running = 0
        var runningLarge = 0
        var isPaused = false
        /// How many calls of `holding` run.
        var holds = 0
        var restraint: Restraint?
        var isStopping = false
        /// Whether the bucket was found in order since the start.
        var isSureOfBucket = false
        /// How often the destination was reopened; answers to earlier requests no longer count then.
        var reopenings = 0

        /// Whether a request has to end before another begins; until the bucket is checked, one goes alone.
        var isFull: Bool { running >= (isSureOfBucket ? limit.current : 1) }
        /// Whether nothing may be claimed until a pause, a hold, a restraint or a stop is over.
        var isHeld: Bool { isPaused || holds > 0 || restraint != nil || isStopping }
    }

    /// Makes each attempt.
    package let sender: Sender
    let budget: BudgetReservations
    let queue: UploadQueue
    let library: Library
    let activity: Activity
    let wake: WakeEvent
    let clock: @Sendable () -> Date
    private let state: Mutex<State>
    /// Makes sure that the bucket is in order, before the first body is sent.
    private let checkBucket: @Sendable () async throws -> Void
    /// Hands on what the server has accepted.
    private let accepted: @Sendable (Accepted) -> Void

    /// An uploader that claims from `queue`; nothing is sent before `run`.
    package init(
        sender: Sender, queue: UploadQueue, library: Library, activity: Activity, wake: WakeEvent, limit: SendingLimit,
        budget: BudgetReservations, circuit: Circuit, clock: @escaping @Sendable () -> Date,
        checkBucket: @escaping @Sendable () async throws -> Void, accepted: @escaping @Sendable (Accepted) -> Void
    ) {
        (self.sender, self.budget) = (sender, budget)
        (self.queue, self.library) = (queue, library)
        self.activity = activity
        self.wake = wake
        self.clock = clock
        self.checkBucket = checkBucket
        self.accepted = accepted
        state = Mutex(State(limit: limit, circuit: circuit))
    }

    /// Sends until the task is cancelled, or until `stop()` and the last running request has ended.
    package func run() async throws {
        let failure = ChildFailure(waking: wake)
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let wakeups = wake.wakeups(heardBy: .sending)
                while let lane = try await freeLane(), let claim = try await claim(lane) {
                    group.addTask { await failure.heed { try await self.attempt(claim) } }
                }
                try failure.check()
                if state.withLock({ $0.isStopping && $0.running == 0 }) { return }
                try Task.checkCancellation()
                await wake.wait(after: wakeups, as: .sending, until: try await nextDate())
            }
        }
    }

    /// Claims nothing more; running requests go on.
    package func stop() {
        state.withLock { $0.isStopping = true }
        wake.notify()
    }

    /// Claims nothing while paused.
    package func setPaused(_ isPaused: Bool) {
        state.withLock { $0.isPaused = isPaused }
        wake.notify()
    }

    /// Claims nothing while `body` runs, which is to be short; running requests go on.
    package func holding<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        state.withLock { $0.holds += 1 }
        defer {
            state.withLock { $0.holds -= 1 }
            wake.notify()
        }
        return try await body()
    }

    /// Claims nothing while there is a restraint, and stops uploads in pieces at the end of a piece.
    package func setRestraint(_ restraint: Restraint?) {
        state.withLock { $0.restraint = restraint }
        wake.notify()
    }

    /// Why nothing is claimed because of `setRestraint`.
    package var restraint: Restraint? { state.withLock { $0.restraint } }

    /// Whether requests are under way.
    package var isBusy: Bool { state.withLock { $0.running > 0 } }

    /// Whether the bucket was found in order since the start.
    package var isSureOfBucket: Bool { state.withLock(\.isSureOfBucket) }

    /// Whether nothing is claimed because of `setPaused`.
    package var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Why nothing is sent for now.
    package struct Obstacle: Hashable, Sendable {
        /// What keeps the circuit open.
        package let reason: Circuit.Reason
        /// Since when it is open for that reason.
        package let since: Date
        /// When one item is tried; `nil` until a look at the bucket permits it.
        package let probeAt: Date?
        /// Whether a second answer has yet to confirm it.
        package let isDoubtful: Bool
        /// The failure that was reported last.
        package let failure: Item.Failure?
    }

    /// Why nothing is sent to the destination as a whole; `nil` while it may be.
    package var obstacle: Obstacle? {
        state.withLock { state in
            guard let reason = state.circuit.reason, let since = state.circuit.since else { return nil }
            return Obstacle(
                reason: reason, since: since, probeAt: state.circuit.probeAt, isDoubtful: state.circuit.isDoubtful,
                failure: state.trouble)
        }
    }
}

// MARK: - What to send next

extension Uploader {
    /// The lane a free slot takes from, or `nil` when none is free.
    private func freeLane() async throws -> UploadQueue.Lane? {
        let now = clock()
        let (lane, probed) = state.withLock { state -> (UploadQueue.Lane?, Circuit.Reason?) in
            guard !state.isHeld else { return (nil, nil) }
            if let reason = state.circuit.reason {
                guard state.circuit.mayProbe(at: now), state.running == 0 else { return (nil, nil) }
                return (.any, reason)
            }
            guard !state.isFull else { return (nil, nil) }
            if state.runningLarge == 0, state.running > 0 { return (.largeFirst, nil) }
            return (state.runningLarge > 1 ? .smallOnly : .any, nil)
        }
        if let probed { try await unblock(after: probed) }
        return lane
    }

    private func claim(_ lane: UploadQueue.Lane) async throws -> UploadQueue.Claim? {
        guard let claim = try await queue.reserve(lane, now: clock()) else { return nil }
        state.withLock { state in
            state.running += 1
            // While the circuit is open, the first claim is the probe.
            state.circuit.probe()
            if claim.isLarge { state.runningLarge += 1 }
        }
        return claim
    }

    /// When to look again without being told.
    private func nextDate() async throws -> Date? {
        let now = clock()
        let (isOpen, probeAt, waitsForWord) = state.withLock {
            ($0.circuit.isOpen, $0.circuit.nextProbe(at: now), $0.isHeld || ($0.isFull && !$0.circuit.isOpen))
        }
        // The end of a request, or of the hold, wakes the loop; items that fall due before cannot be claimed.
        if waitsForWord { return nil }
        let due = await queue.nextAttempt()
        guard isOpen else { return due }
        // A probe is due, but no item is: the loop is woken by the next new item, or at the time of the next one due.
        guard let probeAt, probeAt <= now else { return probeAt }
        return due.flatMap { $0 > now ? $0 : nil }
    }
}

extension UploadQueue.Claim {
    var isLarge: Bool { size >= Asset.Rank.largeSize }
}

// MARK: - One attempt

extension Uploader {
    private func attempt(_ claim: UploadQueue.Claim) async throws {
        let (item, sending) = try await send(claim)
        switch sending {
        case .accepted(var accepted):
            try await passed(item)
            // After a crash before this is durable, the item counts as being sent, and the server is asked about it.
            let sent = try await queue.finish(item.id, .sent, isDurable: false, now: clock())
            guard let sent else {
                // The item was replaced meanwhile; its object stays until the new item's takes its place.
                try await library.remember(item, destination: sender.destination.name)
                return try await countRoom(ending: [item])
            }
            accepted.item = sent
            self.accepted(accepted)
        case .ended(let outcome):
            // For a moment neither the queue nor the library has the item; a pass must not end then.
            activity.begin(.record)
            defer { activity.end(.record) }
            // Noted before the queue forgets the item, because a picture is owed until its receipt exists.
            if outcome == .withdrawn { try await sender.losePicture(of: item) }
            // Before the item can be claimed again, which reserves its room anew.
            try await countRoom(ending: [item])
            let next = try await queue.finish(item.id, outcome, now: clock())
            if next?.isOpen != true { try await replaceProbe(item) }
            if let next { try await goOn(next, after: outcome) }
            // This may be the only item that can probe the circuit.
            if obstacle?.isDoubtful ?? false { wake.notify() }
            // Told before the library knows, because a pass beside a watch ends as soon as the library does.
            if let event = FileEvent(item, after: outcome, next) { activity.events.note(event) }
            try await settle(item, next, outcome)
        }
    }

    /// Sends the item; its slot is free for the next one before the outcome is on disk.
    private func send(_ claim: UploadQueue.Claim) async throws -> (Item, Sending) {
        defer { ended(claim) }
        let item = try await claim.item()
        let reopenings = state.withLock(\.reopenings)
        var outcome = try await makeSureOfBucket()
        if outcome == nil, let failure = try await reserve(item) { outcome = .blocked(.budget, failure) }
        if let outcome { return (item, .ended(try await note(outcome, since: reopenings))) }
        let sending = try await activity.sending(item) { progress in
            try await sender.send(
                item, progress: progress,
                keep: { try await self.queue.keep($0, of: item.id, isDurable: $1) },
                restraint: { self.restraint })
        }
        guard case .ended(let outcome) = sending else {
            try await note(.sent)
            return (item, sending)
        }
        return (item, .ended(try await note(outcome, since: reopenings)))
    }

    /// Counts how an attempt ended, and returns that.
    ///
    /// The user may have had everything tried again meanwhile: an answer that closes the destination is older than
    /// that, so this item is tried again like the others.
    private func note(_ outcome: UploadOutcome, since reopenings: Int) async throws -> UploadOutcome {
        var outcome = outcome
        if case .closed = Circuit.Sign(outcome), state.withLock(\.reopenings) != reopenings { outcome = .interrupted }
        try await note(outcome)
        return outcome
    }

    /// Checks the bucket before the first body; returns how the attempt ends if there was no clear answer.
    ///
    /// An answer that forbids only this check says nothing about uploads. Throws `Refusal`.
    private func makeSureOfBucket() async throws -> UploadOutcome? {
        guard !state.withLock({ $0.isSureOfBucket }) else { return nil }
        do {
            try await checkBucket()
        } catch let error as StorageError {
            let now = clock()
            let isUnclear = error.refusal == nil || error.isRetryable || error.isDuplicate
            if isUnclear || Ending(closedBy: error, at: now) != nil { return UploadOutcome(error, at: now) }
        }
        state.withLock { $0.isSureOfBucket = true }
        return nil
    }

    private func ended(_ claim: UploadQueue.Claim) {
        let isIdle = state.withLock { state in
            state.running -= 1
            if claim.isLarge { state.runningLarge -= 1 }
            return state.running == 0
        }
        // While others are being sent, only the sender needs to hear of the free slot.
        if isIdle { wake.notify() } else { wake.notify(.sending) }
    }

    /// Counts what an attempt tells about the destination, and frees items that waited for a good answer.
    private func note(_ outcome: UploadOutcome) async throws {
        let now = clock()
        let sign = Circuit.Sign(outcome)
        let ended = state.withLock { state in
            state.limit.note(outcome)
            let ended = state.circuit.note(sign, at: now, random: .random(in: 0..<1))
            if sign != .none, sign != .fine { state.trouble = outcome.failure }
            // The bucket is checked again before the next body, and made where that is permitted.
            if sign == .closed(.bucketMissing) { state.isSureOfBucket = false }
            return ended
        }
        // It may be there again, made anew and empty, before this computer looks at it.
        if sign == .closed(.bucketMissing) { try await library.doubtBucketLook() }
        if let ended { try await unblock(after: ended) }
    }

    /// Closes the circuit, because the caller checked the destination, and frees items that waited for it.
    ///
    /// - Parameter isSureOfBucket: Whether the caller also saw the bucket.
    package func reopen(isSureOfBucket: Bool = false) async throws {
        let suspicion = try await suspicion()
        let now = clock()
        let ended = state.withLock { state in
            state.isSureOfBucket = state.isSureOfBucket || isSureOfBucket
            state.reopenings += 1
            let ended = state.circuit.reset()
            if let suspicion { state.circuit.suspect(suspicion, at: now, mayProbe: true) }
            return ended
        }
        if let ended { try await unblock(after: ended) }
        wake.notify()
    }

    /// Opens the circuit for the reason for which items of an earlier run wait, until one of them is tried.
    package func suspectWhatWas(mayProbe: Bool) async throws {
        guard let suspicion = try await suspicion() else { return }
        let now = clock()
        state.withLock { $0.circuit.suspect(suspicion, at: now, mayProbe: mayProbe) }
        wake.notify()
    }

    /// Takes in how a request other than an upload ended, such as the check of the bucket.
    package func heard(_ outcome: UploadOutcome) async throws {
        try await note(outcome)
        wake.notify()
    }
}
