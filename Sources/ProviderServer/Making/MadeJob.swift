package import FoundationEssentials
package import Providers
package import Supabase

/// One job at a made-up provider: what it produces, and after how many questions.
///
/// A job's time is counted in questions: each status, list or history that shows the job moves it on by one.
package struct MadeJob: Hashable, Sendable {
    /// How the job ends.
    package enum End: Hashable, Sendable {
        case succeeded
        /// The job fails with this reason in the provider's answer.
        case failed(String)
        /// The job's status says done, but its result is this error; only fal does that.
        case failedResult(String)
        /// The job never ends, and its status is this unknown word.
        case word(String)
        case cancelled
    }

    /// How far the job has come.
    package enum Stage: Hashable, Sendable {
        case queued, running, ended
    }

    /// The provider that runs it.
    var site: ProviderName
    /// The provider's id of the job, as `JobReference` has it.
    var id: String
    /// The model's name, which is part of the job's path at some providers.
    var model: String
    /// The files that the job produces, in order; they exist once it has succeeded.
    var media: [MadeMedia]
    /// How many questions find it queued.
    var queued: Int
    /// How many questions after those find it running.
    var running: Int
    /// How the job ends after those questions.
    var end: End
    /// The input of the request that submitted the job.
    package var input: JSONValue = [:]
    /// When the job was submitted; `nil` if answers are not to contain it.
    package var createdAt: Date?
    /// When the job ended; set by the first question that finds it ended, unless given.
    package var endedAt: Date?
    /// Paths of the job's files below `/files/<site>/`; `nil` for paths with the job's id.
    var paths: [String]?
    /// Jobs that must succeed before this one begins; StoryToVideo calls it blocked until then.
    var after: [String] = []
    var asked = 0

    /// A job that the first question finds done, unless told otherwise.
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
    /// The stage after the questions so far.
    package var stage: Stage {
        if end == .cancelled { return .ended }
        if asked <= queued, queued > 0 { return .queued }
        if asked - queued <= running, running > 0 { return .running }
        if case .word = end { return .running }
        return .ended
    }

    /// Whether its files exist.
    var isDone: Bool { stage == .ended && end == .succeeded }

    /// The job after one more question at `now`.
    func asked(at now: Date) -> MadeJob {
        var job = self
        job.asked += 1
        if job.stage == .ended { job.endedAt = job.endedAt ?? now }
        return job
    }

    /// The provider's word for its present stage.
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

    /// Why the job failed; `nil` if it did not fail, or has not ended.
    var reason: String? {
        guard stage == .ended else { return nil }
        return switch end {
        case .failed(let reason), .failedResult(let reason): reason
        default: nil
        }
    }

    /// The paths of its files, with the leading slash.
    var filePaths: [String] {
        if let paths { return paths.map { "/files/\(site.rawValue)/\($0)" } }
        let last = id.split(separator: "/").last ?? "job"
        return media.map { "/files/\(site.rawValue)/\(last)/\($0.name)" }
    }
}
