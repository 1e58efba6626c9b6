/// What became of the wish to cancel a job.
package enum CancelOutcome: Hashable, Sendable {
    /// The provider will stop it; its status tells when.
    case requested
    /// It had ended before.
    case tooLate
}
