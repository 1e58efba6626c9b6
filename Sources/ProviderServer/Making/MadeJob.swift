package import FoundationEssentials
package import Providers
package import Supabase

/// One job at a made-up provider: what it makes, and how long that takes.
///
/// Time passes with questions: each status, list or history that tells of the job moves it on by one.
package struct MadeJob: Hashable, Sendable {
    /// How it ends.
    package enum End: Hashable, Sendable {
        case succeeded
        /// The provider's own reason.
        case failed(String)
        /// Done by its status, but asking for the result brings the error; only fal does so.
        case failedResult(String)
        /// This status word, which nobody knows, again and again.
        case word(String)
        case cancelled
    }

    /// How far it has come.
    package enum Stage: Hashable, Sendable {
        case queued, running, ended
    }

    package var site: ProviderName
    /// The provider's name for it, as `JobReference` has it.
    package var id: String
    package var model: String
    package var media: [MadeMedia]
    /// Questions that find it queued.
    package var queued: Int
    /// Questions that find it running.
    package var running: Int
    package var end: End
    /// What it was asked to make.
    package var input: JSONValue = [:]
    package var createdAt: Date?
    /// Set by the first question that finds it ended, unless given.
    package var endedAt: Date?
    /// Paths of its files behind `/files/<site>/`; made from its id where `nil`.
    package var paths: [String]?
    /// Jobs that must be done before this one begins; StoryToVideo calls such a job blocked.
    var after: [String] = []
    var asked = 0

    /// A job that is done when the first question comes, unless told otherwise.
    package init(
        _ site: ProviderName, _ id: String, model: String = "made-up", media: [MadeMedia] = [.video],
        queued: Int = 0, running: Int = 0, end: End = .succeeded
    ) {
        self.site = site
        self.id = id
        self.model = model
        self.media = media
        self.queued = queued
        self.running = running
        self.end = end
    }
}

extension MadeJob {
    /// How far it has come after the questions so far.
    package var stage: Stage {
        if end == .cancelled { return .ended }
        if asked <= queued, queued > 0 { return .queued }
        if asked - queued <= running, running > 0 { return .running }
        if case .word = end { return .running }
        return .ended
    }

    /// Whether its files are there.
    var isDone: Bool { stage == .ended && end == .succeeded }

    /// The job after one more question at `now`.
    func asked(at now: Date) -> MadeJob {
        var job = self
        job.asked += 1
        if job.stage == .ended { job.endedAt = job.endedAt ?? now }
        return job
    }

    /// The provider's word for where it stands.
    func word(_ queued: String, _ running: String, _ done: String, _ failed: String, _ cancelled: String) -> String {
        if case .word(let word) = end, stage == .running { return word }
        switch stage {
        case .queued: return queued
        case .running: return running
        case .ended: break
        }
        return switch end {
        case .succeeded, .failedResult: done
        case .failed, .word: failed
        case .cancelled: cancelled
        }
    }

    /// Why it failed; `nil` where it did not, or not yet.
    var reason: String? {
        guard stage == .ended else { return nil }
        return switch end {
        case .failed(let reason), .failedResult(let reason): reason
        default: nil
        }
    }

    /// Where its files lie, with the leading slash.
    var filePaths: [String] {
        if let paths { return paths.map { "/files/\(site.rawValue)/\($0)" } }
        let last = id.split(separator: "/").last ?? "job"
        return media.map { "/files/\(site.rawValue)/\(last)/\($0.name)" }
    }
}
