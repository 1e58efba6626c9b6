/// A provider's word that it took a job.
package struct SubmitReceipt: Hashable, Sendable {
    package let job: JobReference
    /// Credits used, where the provider says so.
    package let credits: Int?
    /// Whether this is the stored answer to an earlier call with the same key: nothing was charged again.
    package let isReplay: Bool

    package init(_ job: JobReference, credits: Int? = nil, isReplay: Bool = false) {
        self.job = job
        self.credits = credits
        self.isReplay = isReplay
    }
}
