package import FoundationEssentials
import Text

/// How one attempt at an item ended.
package enum UploadOutcome: Hashable, Sendable {
    /// The server was asked, and it holds what was sent.
    case verified
    /// All bytes were accepted; the proof is still missing.
    case sent
    /// The server does not hold what was sent: it must be sent again.
    case notStored(Item.Failure)
    /// The key holds another client's object: the item is stored under this key instead.
    case moved(ObjectKey)
    /// A refusal worth retrying, after the time that the server asked for, if any; `sent` is kept.
    case retry(Item.Failure, after: Duration?)
    /// A refusal that a retry cannot change.
    case refused(Item.Failure)
    /// The server did not answer: no attempt is counted.
    case unreachable(Item.Failure)
    /// Something outside the item is in the way, such as a missing sign-in: no attempt is counted.
    case blocked(Item.Blocked, Item.Failure)
    /// The agent stops or the user cancelled: the item is pending again.
    case interrupted
    /// The file is gone or its bytes changed; the scan decides what comes next.
    case withdrawn
}

extension UploadOutcome {
    /// The failure; `nil` for an outcome without one.
    package var failure: Item.Failure? {
        switch self {
        case .notStored(let failure), .retry(let failure, _), .refused(let failure), .unreachable(let failure),
            .blocked(_, let failure):
            failure
        case .verified, .sent, .moved, .interrupted, .withdrawn: nil
        }
    }
}

extension Item {
    /// The item as a sender receives it, or `nil` when it is not due.
    package func claimed(at now: Date) -> Item? {
        guard isDue(at: now) else { return nil }
        var next = self
        next.status = .uploading
        next.blocked = nil
        next.lastAttemptAt = now
        next.nextAttemptAt = nil
        return next
    }

    /// Whether it may be sent now: pending, or failed a day ago, and not blocked.
    package func isDue(at now: Date) -> Bool {
        switch status {
        case .pending: blocked == nil && (nextAttemptAt.map { hasCome($0, by: now) } ?? true)
        case .failed: nextAttemptAt.map { hasCome($0, by: now) } ?? false
        case .uploading, .completed: false
        }
    }

    /// Whether that time has come, or was set before the clock was set back, so that it may lie years ahead.
    private func hasCome(_ date: Date, by now: Date) -> Bool {
        date <= now || lastAttemptAt.map { $0 > now + DatedWait.correction } ?? false
    }

    /// Takes over the backoff of `old`, because its file gives other bytes at each read.
    mutating func wait(as old: Item) {
        retryCount = old.retryCount
        nextAttemptAt = old.nextAttemptAt
        lastError = old.lastError
    }

    /// The state after a sender reports back, or `nil` when the item must be removed.
    package func after(_ outcome: UploadOutcome, at now: Date, ladder: RetryLadder, random: Double) -> Item? {
        guard status == .uploading else { return self }
        var next = self
        switch outcome {
        case .withdrawn:
            return nil
        case .verified:
            next.status = .completed
            next.completedAt = now
            next.lastError = nil
            next.resume = nil
            next.sent = true
        case .sent:
            next.sent = true
            next.resume = nil
        case .moved(let key):
            // The upload that was begun has the old key, so it is dropped.
            next.objectKey = key
            next.status = .pending
            next.sent = false
            next.resume = nil
        case .notStored(let failure):
            next.sent = false
            next.count(failure, after: nil, at: now, ladder: ladder, random: random)
        case .retry(let failure, let wait):
            next.count(failure, after: wait, at: now, ladder: ladder, random: random)
        case .refused(let failure):
            next.fail(failure, at: now)
        case .unreachable(let failure):
            next.wait(for: .offline, failure, at: now)
        case .blocked(let reason, let failure):
            next.wait(for: reason, failure, at: now)
        case .interrupted:
            next.status = .pending
        }
        return next
    }

    /// The item while it is being sent in pieces; bytes that were never acknowledged before reset `retryCount`.
    ///
    /// Bytes that the server had and lost, even with a whole upload, are no progress when they arrive again; otherwise
    /// the same bytes would be sent for ever to a server that loses each upload.
    func keeping(_ resume: Resume?) -> Item {
        var next = self
        // Nor is there progress after a failed proof: the same wrong bytes could be sent for ever.
        let wasSpoilt = lastError?.code.isOfProof == true
        let reached = self.resume.map { max($0.offset, $0.furthest ?? 0) } ?? 0
        if let resume, resume.offset > reached, !wasSpoilt { next.retryCount = 0 }
        next.resume = resume
        if let resume, resume.offset < reached { next.resume?.furthest = reached }
        return next
    }

    /// The state to load after a crash: an item that was being sent is pending again.
    ///
    /// `sent` and `resume` stay, so that the server is asked before anything is sent again.
    package var recovered: Item {
        guard status == .uploading else { return self }
        var next = self
        next.status = .pending
        return next
    }

    /// Whether its bytes may be stored: its last attempt is under way, was cut short, or is not proven.
    ///
    /// An attempt without an answer is written down when it ends.
    package var isInDoubt: Bool { sent || isCutShort }

    /// Whether its last attempt is under way, or ended without an answer because the agent ended.
    ///
    /// An item that had failed before its attempt was cut short cannot be told from one whose backoff is over.
    var isCutShort: Bool {
        switch status {
        case .uploading: true
        case .pending: mayHaveArrived && blocked == nil && nextAttemptAt == nil && lastError == nil
        case .failed, .completed: false
        }
    }

    /// The state once it is not blocked any more.
    package var unblocked: Item {
        var next = self
        next.blocked = nil
        return next
    }

    /// The state after the user's request to send it again: due now, with all its attempts.
    package var requested: Item {
        guard status == .failed || status == .pending else { return self }
        var next = self
        next.status = .pending
        next.retryCount = 0
        next.blocked = nil
        next.nextAttemptAt = nil
        return next
    }

    private mutating func count(
        _ failure: Failure, after wait: Duration?, at now: Date, ladder: RetryLadder, random: Double
    ) {
        retryCount += 1
        guard let delay = ladder.delay(after: retryCount, asked: wait, of: RetryKind(failure), random: random) else {
            fail(failure, at: now)
            return
        }
        status = .pending
        lastError = failure
        nextAttemptAt = now + delay.seconds
    }

    /// A failed item gets one attempt a day, in case the cause is gone; the server is asked first what it holds.
    private mutating func fail(_ failure: Failure, at now: Date) {
        status = .failed
        lastError = failure
        nextAttemptAt = now + 86_400
    }

    private mutating func wait(for reason: Blocked, _ failure: Failure, at now: Date) {
        status = .pending
        blocked = reason
        lastError = failure
    }
}
