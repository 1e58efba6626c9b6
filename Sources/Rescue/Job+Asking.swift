package import FoundationEssentials
package import Providers
import Text

extension Job {
    /// The job after one more answer from its provider, with its files once it has succeeded.
    ///
    /// - Parameter random: From 0 to 1; spreads the next question.
    package func after(
        _ answer: Result<JobStatus, ProviderError>, policy: PollingPolicy, at now: Date, random: Double
    ) -> Job {
        var job = self
        job.asked += 1
        // Time in which the provider could not be asked does not count against the time limit.
        let late = nextQuestionAt.map { max(0, now.timeIntervalSince($0)) } ?? 0
        let start = (startedAskingAt ?? now) + late
        job.startedAskingAt = start
        job.note(answer)
        let patience = policy.patience ?? reference?.provider.patience ?? .seconds(86_400)
        let step = policy.step(
            after: answer, asked: job.asked, since: start, at: now, random: random,
            refusals: (job.refusals ?? 0, patience))
        switch step {
        case .askAgain(let wait):
            job.nextQuestionAt = now + wait.seconds
            if case .failure = answer { job.startedAskingAt = start + wait.seconds }
        case .refused(let error): job.error = Self.given(up: error, after: patience)
        case .overdue: job.error = Self.overdue(policy)
        case .ended(let status): job.end(with: status, at: now, lifetime: policy.lifetime)
        }
        if job.error != nil || !job.files.isEmpty { job.nextQuestionAt = nil }
        return job
    }

    /// Takes over the status, or notes why there was none.
    private mutating func note(_ answer: Result<JobStatus, ProviderError>) {
        switch answer {
        case .success(let status):
            take(status)
            trouble = nil
            refusals = nil
        case .failure(let error):
            trouble = error
            if error.bearing == .passing { refusals = (refusals ?? 0) + 1 }
        }
    }

    /// The error that ends a job; for one that might have passed, it says how long that was waited for.
    private static func given(up error: ProviderError, after patience: Duration) -> ProviderError {
        guard error.bearing == .passing else { return error }
        var error = error
        error.message = "Refused for \(Quantity.text(patience)), the last time so: \(error.message)"
        return error
    }

    private mutating func take(_ status: JobStatus) {
        state = status.state
        createdAt = status.createdAt ?? createdAt
        endedAt = status.endedAt ?? endedAt
    }

    private mutating func end(with status: JobStatus, at now: Date, lifetime: Duration?) {
        switch status.state {
        case .succeeded:
            var seen: Set<String> = []
            files = status.files.filter { seen.insert($0.identity).inserted }.map {
                var file = JobFile($0, by: reference?.provider, createdAt: createdAt)
                // If neither link nor answer names an end, the provider's usual lifetime counts from now.
                file.deadline =
                    file.deadline
                    ?? Deadline(link: file.link, endedAt: now, lifetime: lifetime ?? reference?.provider.lifetime)
                return file
            }
            if files.isEmpty { error = ProviderError(.invalidResponse, "The job has ended without a file.") }
        case .cancelled:
            error = ProviderError(.cancelled, "The job was cancelled at the provider.")
        default:
            error = status.error ?? ProviderError(.refused, "The job failed, and the provider gives no reason.")
        }
    }

    private static func overdue(_ policy: PollingPolicy) -> ProviderError {
        let words =
            "The provider named no end within \(Quantity.text(policy.overall)); add the job again to go on asking."
        return ProviderError(.noAnswer, words)
    }
}

extension Job {
    /// The job after the user asks for it again; failed files are tried again, and stored ones stay.
    ///
    /// An order that was refused stays as it is, because there is nothing at its provider to ask about.
    ///
    /// - Parameter offer: The same job as named now; its model replaces the former one, and its links replace those of
    ///   files that are not safe yet.
    package func requested(with offer: Job) -> Job {
        guard !isStored, submission?.refusal == nil else { return self }
        var job = self
        job.isCancelled = false
        if job.error != nil {
            job.error = nil
            job.startedAskingAt = nil
            job.asked = 0
        }
        job.nextQuestionAt = nil
        job.trouble = nil
        job.refusals = nil
        // The job may have been named without its model before, or with a wrong one.
        if let named = offer.reference, named.model != nil || named.calls != nil, named.model != reference?.model {
            job.reference = named
        }
        // The row is found and written to by the link that it holds now.
        if row != nil, offer.row != nil { job.origin = offer.origin }
        for index in job.files.indices where !job.files[index].isSafe {
            // Links that differ only in their signatures are one file; the newest link works the longest.
            let fresh = offer.files.first { $0.identity == job.files[index].identity }
            job.files[index] = job.files[index].requested(with: fresh)
        }
        return job
    }
}

extension Job {
    /// The job with files and sizes filled in from `told`; what the job knows already stays.
    package func informed(by told: Job) -> Job {
        var job = self
        if files.isEmpty, error == nil, !told.files.isEmpty {
            job = told
            job.isCancelled = isCancelled
        }
        for index in job.files.indices where job.files[index].size == nil {
            job.files[index].size = told.files.first { $0.identity == job.files[index].identity }?.size
        }
        return job
    }
}

extension JobFile {
    fileprivate func requested(with fresh: JobFile?) -> JobFile {
        var file = self
        if let fresh {
            file.link = fresh.link
            file.deadline = fresh.deadline ?? deadline
        }
        if stage == .failed { file.stage = received > 0 ? .downloading : .waiting }
        file.attempts = 0
        file.misses = 0
        file.rejections = 0
        file.nextAttemptAt = nil
        file.endedLink = nil
        file.renewals = nil
        return file
    }
}
