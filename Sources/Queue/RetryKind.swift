import Supabase

/// How patiently an error is retried (contract 2.2 and 2.3).
package enum RetryKind: Hashable, Sendable, CaseIterable {
    /// The connection broke: the ladder from its first rung.
    case transport
    /// The server itself failed: the ladder from its first rung.
    case server
    /// The server is overloaded: from the second rung, with fewer parallel requests.
    case load
    /// The server's disk is full or it is under maintenance: hours rather than seconds.
    case slow
    /// An error that seldom passes, such as of the database, of a connection that corrupts data, or of a server that moves
    /// no object where there is no room for a second one: a few attempts.
    case limited
    /// Two writers collided: one more attempt.
    case once

    /// The kind for a failure's code.
    package init(_ failure: Item.Failure) {
        switch failure.code {
        case .storage(.databaseReadOnly): self = .slow
        case .storage(.databaseError), .verify(.hash), .limit(.budget): self = .limited
        case .storage(.transactionError): self = .once
        case .http(429), .http(544), .storage(.slowDown), .storage(.databaseTimeout): self = .load
        case .network: self = .transport
        default: self = .server
        }
    }

    /// The number of rungs that are skipped at the start.
    var headStart: Int {
        switch self {
        case .transport, .server, .limited, .once: 0
        case .load: 1
        case .slow: 4
        }
    }

    /// The most attempts, the first included; `nil` for as many as the ladder has.
    var attempts: Int? {
        switch self {
        case .transport, .server, .load, .slow: nil
        case .limited: 4
        case .once: 2
        }
    }
}
