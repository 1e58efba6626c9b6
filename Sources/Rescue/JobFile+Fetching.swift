import FoundationEssentials
import Providers
import Queue
import Text
import Transfer

extension JobFile {
    /// The bytes to request next, `chunk` at most; `nil` for all of them.
    ///
    /// Fewer after failed attempts, so that a connection that keeps breaking still makes progress.
    func range(_ chunk: Int64) -> Range<Int64>? {
        guard !isWhole else { return nil }
        let size = max(1, chunk >> Int64(min(attempts, 5)))
        return received..<received + min(size, max(1, (total ?? .max / 2) - received))
    }

    /// Whether all bytes were downloaded and are still to be examined.
    var hasAllBytes: Bool { stage == .downloading && total == received }

    /// Where the next bytes are written; 0 where the whole file is requested.
    var offset: Int64 { isWhole ? 0 : received }

    /// The request headers that select the bytes to send.
    func rangeHeaders(_ chunk: Int64) -> HTTPHeaders {
        var headers = HTTPHeaders()
        guard let range = range(chunk) else { return headers }
        headers["range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
        if received > 0, let validator { headers["if-range"] = validator }
        return headers
    }
}

// MARK: - After an answer

extension JobFile {
    /// This file after a step of `before`, now that the registry holds `current`.
    ///
    /// An order may have named a fresh link meanwhile: progress is kept, but failures belong to the former link.
    func following(_ before: JobFile, as current: JobFile) -> JobFile {
        guard current != before else { return self }
        guard isSafe || stage == .probed || hasAllBytes || received > before.received else { return current }
        var file = self
        (file.link, file.deadline, file.size) = (current.link, current.deadline, current.size ?? size)
        file.nextAttemptAt = nil
        return file
    }

    /// The file after a step of its download; a file that changed meanwhile starts again at its first byte.
    ///
    /// - Parameter canRenew: Whether its provider or its row can be asked for another link.
    func after(
        _ step: DownloadStep, at now: Date, ladder: RetryLadder, random: Double, canRenew: Bool = false
    ) -> JobFile {
        if canRenew, let cause = linkEnd(in: step, at: now) {
            return withEndedLink(cause, at: now, ladder: ladder, random: random)
        }
        var file = self
        switch step {
        case .advanced(let end, let total, let validator):
            file.advance(to: end, total: total ?? self.total, validator)
        case .complete(let end, let validator):
            file.advance(to: end, total: end, validator)
        case .changed(let words):
            file.forgetBytes()
            file.isWhole = true
            file.fail(DownloadStep.failure(.rescue(.changed), words, isRetryable: true), at: now, ladder, nil, random)
        case .dead(let failure):
            file.doubt(failure, at: now, random)
        case .retry(let failure, let asked):
            let left = deadline.map { Duration.seconds(max(0, $0.date.timeIntervalSince(now))) }
            file.fail(failure, at: now, ladder, PollingPolicy.pause(asked, keptFor: left), random)
        case .missed(let failure):
            file.miss(failure, at: now, random)
        case .refused(let failure) where failure.code == .rescue(.refused):
            file.giveUp(failure)
        case .refused(let failure):
            file.end(with: failure)
        }
        return file
    }

    /// The file after its bytes were rejected: fetched again, as often as the ladder has attempts.
    ///
    /// The cause may pass: a network's own sign-in page, or a host that needs hours until it has the file.
    ///
    /// - Parameter canRenew: Whether its provider or its row can be asked for another link.
    func rejected(
        _ failure: Item.Failure, at now: Date, ladder: RetryLadder, random: Double, canRenew: Bool = false
    ) -> JobFile {
        var file = self
        file.forgetBytes()
        file.attempts = rejections
        file.rejections += 1
        guard file.rejections < ladder.attempts else {
            file.giveUp(failure)
            return file
        }
        if canRenew, isLost(at: now) {
            return file.withEndedLink(failure, at: now, ladder: ladder, random: random)
        }
        file.fail(failure, at: now, ladder, nil, random)
        return file
    }

    private mutating func advance(to end: Int64, total: Int64?, _ validator: String?) {
        stage = .downloading
        received = end
        self.total = total
        self.validator = validator
        attempts = 0
        misses = 0
        failure = nil
        nextAttemptAt = nil
        renewals = nil
    }

    /// The file with nothing downloaded.
    var withoutBytes: JobFile {
        var file = self
        file.forgetBytes()
        return file
    }

    private mutating func forgetBytes() {
        stage = .waiting
        received = 0
        total = nil
        validator = nil
    }

    mutating func end(with failure: Item.Failure) {
        stage = .failed
        self.failure = failure
        endedLink = nil
        nextAttemptAt = nil
    }

    private mutating func fail(
        _ failure: Item.Failure, at now: Date, _ ladder: RetryLadder, _ asked: Duration?, _ random: Double
    ) {
        attempts += 1
        self.failure = failure
        let kind = RetryKind(failure)
        guard !isLost(at: now) else { return end(with: Self.expired(failure, deadline, Self.bare)) }
        guard let delay = ladder.delay(after: attempts, asked: asked, of: kind, random: random) else {
            return giveUp(failure)
        }
        wait(delay, at: now)
    }

    /// Ends a file that was tried in vain although its link may still work; the message says how to try it again.
    private mutating func giveUp(_ failure: Item.Failure) {
        let words = failure.message + (failure.message.hasSuffix(".") ? "" : ".")
        end(with: DownloadStep.failure(failure.code, "\(words) \"gallery-sync rescue\" tries it once more"))
    }

    /// Tries a link that never worked a few more times within minutes, because its host may not have the file yet.
    private mutating func doubt(_ failure: Item.Failure, at now: Date, _ random: Double) {
        // 410 says that the file is gone for good.
        let isFinal = received > 0 || failure.code == .http(410) || deadline.map { now >= $0.date } ?? false
        attempts += 1
        guard !isFinal, let delay = Self.doubts.delay(after: attempts, random: random) else {
            return end(with: Self.expired(failure, deadline, Self.bare))
        }
        self.failure = DownloadStep.failure(
            failure.code, "\(failure.message). It never worked yet, and is tried again", isRetryable: true)
        wait(delay, at: now)
    }

    /// Waits of less than a minute each, so that a command which fetches it waits for them.
    private static let doubts = RetryLadder(base: .seconds(2), factor: 4, cap: .seconds(50), attempts: 6)

    /// Backs off for a time that doubles up to a quarter of an hour; no attempt is consumed.
    private mutating func miss(_ failure: Item.Failure, at now: Date, _ random: Double) {
        misses += 1
        self.failure = failure
        guard !failure.isOfTheLine || !isLost(at: now) else {
            return end(with: Self.expired(failure, deadline, Self.bare))
        }
        wait(.seconds(Self.missDelay(misses, random)), at: now)
    }

    /// Seconds to wait after so many misses in a row.
    static func missDelay(_ misses: Int, _ random: Double) -> Double {
        min(900, 2.5 * Double(1 << min(misses, 10))) * (0.8 + 0.4 * random)
    }

    /// Waits, but not past the deadline: instead it waits for half of the remaining time.
    private mutating func wait(_ delay: Duration, at now: Date) {
        var next = now + delay.seconds
        if let end = deadline?.date, end > now, next > end { next = now + max(1, end.timeIntervalSince(now) / 2) }
        nextAttemptAt = next
    }

    /// Whether the deadline has certainly passed; an assumed deadline may be a day off.
    func isLost(at now: Date) -> Bool {
        deadline.map { now >= $0.date + ($0.isAssumed ? 86_400 : 0) } ?? false
    }

    /// The failure of a dead link in words for people, with the reason why there is no other link.
    static func expired(_ failure: Item.Failure, _ deadline: Deadline?, _ reason: String) -> Item.Failure {
        var words = failure.message + (failure.message.hasSuffix(".") ? "" : ".")
        if let deadline {
            words +=
                " It was kept until \(ISO8601.text(deadline.date, digits: 0))\(deadline.isAssumed ? " as a rule" : "")."
        }
        let code = DownloadStep.isOdd(failure) ? failure.code : .rescue(.expired)
        return DownloadStep.failure(code, "\(words) \(reason)")
    }

    private static let bare = "A bare link cannot be renewed."
}
