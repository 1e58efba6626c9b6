package import Queue

/// Items that are kept in the library for the same reason.
package struct BlockedSum: Hashable, Sendable {
    /// What blocks them; `nil` for those that go back into the queue.
    package let reason: Item.Blocked?
    /// The code of the failure behind it.
    package let code: FailureCode?
    /// Items that wait for this cause.
    package let count: Int
    /// Of those, originals.
    package let files: Int
    /// The smallest of them: its size is nearest to a limit.
    package let smallest: Item

    /// Items that wait for the same cause.
    package init(reason: Item.Blocked?, code: FailureCode?, count: Int, files: Int, smallest: Item) {
        (self.reason, self.code) = (reason, code)
        (self.count, self.files, self.smallest) = (count, files, smallest)
    }
}
