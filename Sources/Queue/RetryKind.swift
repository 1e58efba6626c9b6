/// How patiently an error is to be met (contract 2.2 and 2.3).
package enum RetryKind: Hashable, Sendable, CaseIterable {
    /// The line broke: the ladder from its first rung.
    case transport
    /// The other side failed by itself: likewise.
    case server
    /// It has too much to do: from the second rung, and less at once.
    case load
    /// Its disk is full or it is being looked after: hours rather than seconds.
    case slow
    /// A fault that seldom goes away by itself, of the database or of the line that spoils what goes over it: a few tries.
    case limited
    /// Two writers met: once more.
    case once

    /// The kind of a failure, by its code.
    package init(_ failure: Item.Failure) {
        switch failure.code {
        case "storage.DatabaseReadOnly": self = .slow
        case "storage.DatabaseError", "verify.hash": self = .limited
        case "storage.TransactionError": self = .once
        case "http.429", "http.544", "storage.SlowDown", "storage.DatabaseTimeout": self = .load
        default: self = failure.code.hasPrefix("network.") ? .transport : .server
        }
    }

    /// Rungs of the ladder that are left out below.
    var headStart: Int {
        switch self {
        case .transport, .server, .limited, .once: 0
        case .load: 1
        case .slow: 4
        }
    }

    /// Attempts, the first included, where the ladder would allow more.
    var attempts: Int? {
        switch self {
        case .transport, .server, .load, .slow: nil
        case .limited: 4
        case .once: 2
        }
    }
}
