/// A provider's confirmation that it accepted a job.
package struct SubmitReceipt: Hashable, Sendable {
    /// The accepted job, with all that is needed to ask about it.
    package let job: JobReference
    /// Credits used, where the provider says so.
    let credits: Int?
    /// Whether this is the stored answer to an earlier call with the same key: nothing was charged again.
    package let isReplay: Bool

    /// A receipt for `job`, as the provider's answer states it.
    package init(_ job: JobReference, credits: Int? = nil, isReplay: Bool = false) {
        self.job = job
        self.credits = credits
        self.isReplay = isReplay
    }
}
