import FoundationEssentials
import Providers
import Queue
import Text

extension JobFile {
    /// Why its link has ended, as `step` shows; `nil` where it may still work.
    func linkEnd(in step: DownloadStep, at now: Date) -> Item.Failure? {
        switch step {
        case .dead(let failure): return failure
        case .retry(let failure, _): return isLost(at: now) ? failure : nil
        case .missed(let failure): return failure.isOfTheLine && isLost(at: now) ? failure : nil
        case .refused(let failure):
            // Stores also answer 400 if the key that signed the link has ended.
            if case .http = failure.code { return failure }
            return nil
        case .advanced, .complete, .changed: return nil
        }
    }

    /// The file after its link has ended: another link is asked for at once, and further ones by the ladder.
    func withEndedLink(_ cause: Item.Failure, at now: Date, ladder: RetryLadder, random: Double) -> JobFile {
        var file = self
        let tried = renewals ?? 0
        guard let delay = tried == 0 ? .zero : ladder.delay(after: tried, random: random) else {
            let links = tried == 1 ? "a fresh link" : "\(tried) fresh links"
            file.end(with: Self.expired(cause, deadline, "It failed with \(links) too."))
            return file
        }
        file.endedLink = cause
        file.failure = cause
        file.attempts = 0
        file.misses = 0
        file.nextAttemptAt = tried == 0 ? nil : now + delay.seconds
        return file
    }

    /// The file after another link was asked for.
    func after(
        _ renewal: LinkRenewal, at now: Date, ladder: RetryLadder, polling: PollingPolicy, random: Double
    ) -> JobFile {
        var file = self
        let cause = endedLink ?? DownloadStep.failure(.rescue(.expired), "The link has ended")
        switch renewal {
        case .named(let media): return refreshed(by: media, at: now, polling)
        case .none(let reason): file.end(with: Self.expired(cause, deadline, "\(reason)."))
        case .barred(let words):
            file.failure = DownloadStep.failure(.rescue(.key), words, isRetryable: true)
            file.nextAttemptAt = now + PollingPolicy.longestRefusal.seconds
        case .unheard(let words, let asked):
            file.misses += 1
            file.failure = DownloadStep.failure(.rescue(.provider), "\(cause.message); \(words)", isRetryable: true)
            file.nextAttemptAt = now + max(Self.missDelay(file.misses, random), polling.pause(asked).seconds)
        case .passing(let words, let asked, let patience):
            file.attempts += 1
            file.failure = DownloadStep.failure(.rescue(.provider), "\(cause.message); \(words)", isRetryable: true)
            guard let wait = polling.wait(afterRefusals: file.attempts, within: patience, random: random) else {
                file.end(with: Self.expired(cause, deadline, "\(words)."))
                return file
            }
            file.nextAttemptAt = now + max(wait, polling.pause(asked)).seconds
        }
        return file
    }

    /// The file with the link that was just named for it.
    func refreshed(by media: RemoteMedia, at now: Date, _ polling: PollingPolicy) -> JobFile {
        var file = self
        file.renewals = (renewals ?? 0) + 1
        file.endedLink = nil
        file.attempts = 0
        file.misses = 0
        // If it is the same link again, it is not tried at once.
        file.nextAttemptAt = media.url == link ? now + polling.first.seconds : nil
        // The former link's end says nothing about another link.
        file.deadline = media.deadline ?? (media.url == link ? deadline : nil)
        file.link = media.url
        return file
    }
}

extension Item.Failure {
    /// Whether the server did not answer; an error of this disk says nothing about a link, however late it is.
    var isOfTheLine: Bool { code == .rescue(.unreachable) }
}
