import Supabase

/// What outside its file keeps an item from being stored: once mended for one, it is mended for all that share it.
package struct Cause: Hashable, Sendable {
    /// The failure's.
    package let code: FailureCode
    /// Only where the other side's answer depends on it.
    let contentType: String?

    /// `nil` where the code speaks of one file, or of a setting of ours.
    init?(code: FailureCode, contentType: String) {
        switch code {
        case .auth, .storage, .http, .verify, .limit(.storage), .limit(.proxy): break
        case .network, .file, .limit(.budget), .other: return nil
        }
        self.code = code
        self.contentType = code == .storage(.invalidMimeType) ? contentType : nil
    }
}

extension Item {
    /// The cause of its last failure, where other items may share it; `nil` otherwise.
    package var cause: Cause? { lastError.flatMap { Cause(code: $0.code, contentType: contentType) } }

    /// Whether it waits until its cause is resolved, or a day has passed.
    package var awaitsMending: Bool {
        switch (status, blocked) {
        case (.failed, _), (.pending, .signIn?), (.pending, .tooLarge?): cause != nil
        // What closes the destination as a whole is probed by the circuit.
        default: false
        }
    }

    /// The item as it is sent as a probe, to see whether the cause is resolved; `retryCount` is kept.
    package var probing: Item {
        var next = unblocked
        next.status = .pending
        next.nextAttemptAt = nil
        return next
    }
}
