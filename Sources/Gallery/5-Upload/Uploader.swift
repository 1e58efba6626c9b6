package import FoundationEssentials
import Platform
import Synchronization

/// Stage 5: claims due items and sends them, a bounded number at once, until told to stop.
package final class Uploader: Sendable {
    private struct State {
        var limit: SendingLimit
        var connectivity = Connectivity()
        var running = 0
        var runningLarge = 0
        var isPaused = false
        var isStopping = false
    }

    private let sender: Sender
    private let queue: UploadQueue
    private let library: Library
    private let activity: Activity
    private let bell: Bell
    private let clock: @Sendable () -> Date
    private let state: Mutex<State>
    /// Takes what the server has accepted.
    private let accepted: @Sendable (Accepted) -> Void

    package init(
        sender: Sender, queue: UploadQueue, library: Library, activity: Activity, bell: Bell, limit: SendingLimit,
        clock: @escaping @Sendable () -> Date, accepted: @escaping @Sendable (Accepted) -> Void
    ) {
        self.sender = sender
        self.queue = queue
        self.library = library
        self.activity = activity
        self.bell = bell
        self.clock = clock
        self.accepted = accepted
        state = Mutex(State(limit: limit))
    }

    /// Sends until the task is cancelled, or until `stop()` and the last running request has ended.
    package func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let rings = bell.rings
                while let lane = try await freeLane(), let claim = try await claim(lane) {
                    group.addTask { try await self.attempt(claim) }
                }
                if state.withLock({ $0.isStopping && $0.running == 0 }) { return }
                try Task.checkCancellation()
                await bell.wait(after: rings, until: try await nextDate())
            }
        }
    }

    /// Claims nothing more; running requests go on.
    package func stop() {
        state.withLock { $0.isStopping = true }
        bell.ring()
    }

    /// Claims nothing while paused.
    package func setPaused(_ isPaused: Bool) {
        state.withLock { $0.isPaused = isPaused }
        bell.ring()
    }

    package var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Since when nobody has answered.
    package var offlineSince: Date? { state.withLock { $0.connectivity.offlineSince } }
}

// MARK: - What to send next

extension Uploader {
    /// The lane a free slot takes from, or `nil` when none is free.
    private func freeLane() async throws -> UploadQueue.Lane? {
        let now = clock()
        let (lane, isProbe) = state.withLock { state -> (UploadQueue.Lane?, Bool) in
            guard !state.isPaused, !state.isStopping else { return (nil, false) }
            if state.connectivity.isOffline {
                guard let probeAt = state.connectivity.probeAt, probeAt <= now, state.running == 0 else {
                    return (nil, false)
                }
                state.connectivity.probing()
                return (.any, true)
            }
            guard state.running < state.limit.current else { return (nil, false) }
            if state.runningLarge == 0, state.running > 0 { return (.largeFirst, false) }
            return (state.runningLarge > 1 ? .smallOnly : .any, false)
        }
        if isProbe { try await unblock(.offline) }
        return lane
    }

    private func claim(_ lane: UploadQueue.Lane) async throws -> UploadQueue.Claim? {
        guard let claim = try await queue.reserve(lane, now: clock()) else { return nil }
        state.withLock { state in
            state.running += 1
            if claim.isLarge { state.runningLarge += 1 }
        }
        return claim
    }

    /// When to look again without being told.
    private func nextDate() async throws -> Date? {
        if let probeAt = state.withLock({ $0.connectivity.isOffline ? $0.connectivity.probeAt : nil }) {
            return probeAt
        }
        return await queue.nextAttempt()
    }

    private func unblock(_ reason: Item.Blocked) async throws {
        try await queue.update(now: clock()) { $0.blocked == reason ? $0.unblocked : nil }
    }
}

extension UploadQueue.Claim {
    var isLarge: Bool { size >= Asset.Rank.largeSize }
}

extension Uploader {
    /// Remembers durably that an item to be forgotten may have left its bytes under its key.
    package func remember(_ item: Item) async throws { try await sender.remember(item) }
}

// MARK: - One attempt

extension Uploader {
    private func attempt(_ claim: UploadQueue.Claim) async throws {
        let (item, sending) = try await send(claim)
        switch sending {
        case .accepted(let accepted):
            try await answered(.sent)
            guard let sent = try await queue.finish(item.id, .sent, now: clock()) else { return }
            self.accepted(
                Accepted(
                    item: sent, objectID: accepted.objectID, md5: accepted.md5, movedFrom: accepted.movedFrom))
        case .ended(let outcome):
            try await answered(outcome)
            let next = try await queue.finish(item.id, outcome, now: clock())
            try await settle(item, next, outcome)
        }
    }

    /// Sends; the slot is free for the next item before the disk knows how it ended.
    private func send(_ claim: UploadQueue.Claim) async throws -> (Item, Sending) {
        defer { ended(claim) }
        let item = try await claim.item()
        let sending = try await activity.sending(item) { progress in
            try await sender.send(item, progress: progress) { resume, isDurable in
                try await self.queue.keep(resume, of: item.id, isDurable: isDurable)
            }
        }
        switch sending {
        case .accepted: note(.sent)
        case .ended(let outcome): note(outcome)
        }
        return (item, sending)
    }

    private func ended(_ claim: UploadQueue.Claim) {
        state.withLock { state in
            state.running -= 1
            if claim.isLarge { state.runningLarge -= 1 }
        }
        bell.ring()
    }

    private func note(_ outcome: UploadOutcome) {
        let now = clock()
        state.withLock { state in
            state.limit.note(outcome)
            if case .unreachable = outcome {
                state.connectivity.lost(at: now, random: .random(in: 0..<1))
            }
        }
    }

    /// Anything but silence proves that somebody is there: what waited for that goes on.
    private func answered(_ outcome: UploadOutcome) async throws {
        switch outcome {
        case .unreachable, .interrupted, .withdrawn: return
        case .verified, .sent, .notStored, .moved, .retry, .refused, .blocked: break
        }
        if state.withLock({ $0.connectivity.answered() }) { try await unblock(.offline) }
    }

    /// Tells the library what the queue decided.
    private func settle(_ item: Item, _ next: Item?, _ outcome: UploadOutcome) async throws {
        switch (outcome, next?.status) {
        case (.withdrawn, _): try await sender.lookAgain(at: item, now: clock())
        case (.verified, _): try await library.settle(item, as: .stored)
        case (_, .failed): try await library.settle(next ?? item, as: .failed)
        default: break
        }
    }
}
