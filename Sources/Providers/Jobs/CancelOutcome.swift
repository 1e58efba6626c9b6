/// What a request to cancel a job achieved.
package enum CancelOutcome: Hashable, Sendable {
    /// The provider will stop it; its status shows when.
    case requested
    /// It had already ended.
    case tooLate
}
