import Catalog
import Queue

/// A file that is not written, whatever is tried: trying again would change nothing and might cost something.
struct RestoreRefusal: Error, Hashable {
    /// A clause without a capital or a full stop, such as `a different file is there`.
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// An attempt that did not work out; the next one may, unless that is known.
struct RestoreSetback: Error, Hashable {
    let failure: Item.Failure

    /// - Parameter code: What follows `restore.`, such as `size`.
    init(_ code: String, _ message: String, retryable: Bool = true) {
        failure = Item.Failure(code: "restore.\(code)", message: message, retryable: retryable)
    }
}

/// The end of the whole run: what follows would fail in the same way.
struct RestoreStop: Error, Hashable {
    let ending: Ending
}
