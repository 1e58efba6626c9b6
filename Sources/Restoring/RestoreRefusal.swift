import Queue
import Records

/// A file that is not written: trying again would change nothing and might do harm.
struct RestoreRefusal: Error, Hashable {
    /// A clause without a capital or a full stop, such as `a different file is there`.
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// An attempt that failed; the next one may succeed, unless the failure says otherwise.
struct RestoreSetback: Error, Hashable {
    let failure: Item.Failure

    /// - Parameter code: What follows `restore.`, such as `size`.
    init(_ code: String, _ message: String, retryable: Bool = true) {
        failure = Item.Failure(code: .other("restore.\(code)"), message: message, retryable: retryable)
    }
}

/// The end of the whole run: what follows would fail in the same way.
struct RestoreStop: Error, Hashable {
    let ending: Ending
}
