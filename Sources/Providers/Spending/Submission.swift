package import FoundationEssentials

/// One intent on its way to a job; each stage is on disk before the next begins.
package struct Submission: Hashable, Codable, Sendable {
    /// What is submitted.
    package let intent: SubmitIntent
    /// How far the submission came; changes only by `calling` and `after(_:)`.
    package private(set) var stage: Stage
    /// What the provider says it charged, in millionths of its unit.
    package private(set) var charged: Int64?
    /// The last stage in the audit log; behind the ledger only after a crash between the two writes.
    package var audited: Ledger.Stage?

    private enum CodingKeys: String, CodingKey { case intent, stage, charged, audited }

    /// How far a submission came.
    package enum Stage: Hashable, Codable, Sendable {
        /// Written down; nothing was sent.
        case intended
        /// A call may be under way, or its answer was lost.
        case called
        case taken(JobReference)
        /// The provider said no; nothing was charged.
        case refused(ProviderError)
    }

    /// A submission that must be on disk before anything is sent.
    package init(_ intent: SubmitIntent) {
        self.intent = intent
        stage = .intended
    }
}

extension Submission {
    /// What to do with a submission that is found after a restart.
    package enum Recovery: Hashable, Sendable {
        /// Nothing was sent, or the key makes a second call harmless.
        case submit
        /// The provider may have acted: look among its jobs since then, or else ask the user.
        case lookUp(since: Date)
        case follow(JobReference)
        case none
    }

    /// The next action, which never charges twice.
    package func recovery(hasIdempotencyKeys: Bool) -> Recovery {
        switch stage {
        case .intended: .submit
        case .called: hasIdempotencyKeys ? .submit : .lookUp(since: intent.madeAt)
        case .taken(let job): .follow(job)
        case .refused: .none
        }
    }

    /// The submission as it must be on disk before the call.
    package var calling: Submission { at(.called) }

    /// The submission after the call: a lost or ambiguous answer leaves it `called`.
    package func after(_ answer: Result<SubmitReceipt, ProviderError>) -> Submission {
        switch answer {
        case .success(let receipt): taken(receipt)
        case .failure(let error) where error.mayHaveArrived: self
        case .failure(let error) where error.isRetryable || error.kind == .cancelled: at(.intended)
        case .failure(let error): at(.refused(error))
        }
    }

    private func taken(_ receipt: SubmitReceipt) -> Submission {
        var submission = at(.taken(receipt.job))
        submission.charged = receipt.credits.map { Int64(max(0, min($0, 1_000_000))) * 1_000_000 }
        return submission
    }

    private func at(_ stage: Stage) -> Submission {
        var submission = self
        submission.stage = stage
        return submission
    }
}
