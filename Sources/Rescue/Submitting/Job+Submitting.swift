package import Providers

extension Job {
    /// An order for a video that was not sent to its provider yet.
    package init(_ intent: SubmitIntent) {
        self.init(JobIdentifier(intent), origin: .submitted, submission: Submission(intent), addedAt: intent.madeAt)
    }

    /// Whether something is still to be done before the provider has it or has refused it.
    package var isUnsent: Bool {
        guard !isCancelled, error == nil else { return false }
        return switch submission?.stage {
        case .intended, .called: true
        default: false
        }
    }

    /// The job as it must be on disk before the call.
    package var calling: Job {
        var job = self
        job.submission = submission?.calling
        // From here on the outcome is unknown until the answer is on disk.
        job.state = .unknown("unknown")
        return job
    }

    /// The job after the call's answer; where that was lost, its state is `unknown`.
    package func after(_ answer: Result<SubmitReceipt, ProviderError>) -> Job {
        var job = self
        job.submission = submission?.after(answer)
        switch job.submission?.stage {
        case .taken(let reference):
            job.reference = reference
            job.state = .queued
        case .refused(let error):
            job.error = error
            job.state = .failed
        case .called: job.state = .unknown("unknown")
        case .intended, nil: job.state = .queued
        }
        return job
    }

    /// The job with the reason why its order was refused, which earlier versions lost when it was asked for again.
    var withRefusal: Job {
        guard error == nil, let refusal = submission?.refusal else { return self }
        var job = self
        job.error = refusal
        return job
    }

    /// The job after it turned out to be in the registry already, under its provider's identifier.
    package func followed(as reference: JobReference) -> Job {
        var job = after(.success(SubmitReceipt(reference)))
        job.reference = nil
        job.isCancelled = true
        return job
    }

    /// What an order without an answer waits for, and what can be done; `nil` for every other job.
    package var unanswered: String? {
        guard isUnsent else { return nil }
        return advice ?? "it was not taken yet; \"watch\" or \"rescue\" sends it, \"jobs cancel\" gives it up"
    }

    /// What the user can do about a submission of unknown outcome; `nil` for every other job.
    package var advice: String? {
        guard case .called = submission?.stage, let intent = submission?.intent, isUnsent else { return nil }
        let (name, model) = (intent.provider.rawValue, intent.model)
        if intent.provider == .storyToVideo {
            return """
                storytovideo may have begun this project: its answer was lost, and it is not sent again by itself. Look at \
                the projects there: where it is, "gallery-sync jobs add storytovideo ID"; then, and where it is not, \
                "gallery-sync jobs cancel \(id.rawValue)"
                """
        }
        guard intent.provider == .fal else {
            return "\(name)'s answer was lost; it is asked again with the same key, which costs nothing more"
        }
        return """
            fal may have taken this job: its answer was lost, and it is not sent again by itself. Look at \
            https://fal.ai/dashboard/requests: where it is, "gallery-sync jobs add fal ID --model \(model)"; then, and \
            where it is not, "gallery-sync jobs cancel \(id.rawValue)". "watch" and "rescue" look into fal's history too
            """
    }
}

extension Submission {
    /// The job that the provider made of it; `nil` unless it was taken.
    package var reference: JobReference? { if case .taken(let reference) = stage { reference } else { nil } }
    /// Why its provider did not take it; `nil` unless it was refused.
    var refusal: ProviderError? { if case .refused(let error) = stage { error } else { nil } }
}
