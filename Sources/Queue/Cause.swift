import Supabase

/// A cause outside the file that keeps items from being stored; if it is gone for one item, it is for all of them.
package struct Cause: Hashable, Sendable {
    /// The code of the failure.
    package let code: FailureCode
    /// The item's content type, only where the server's answer depends on it.
    let contentType: String?

    /// `nil` if the code is about one file, or about a setting of ours.
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
        // The circuit probes whatever closes the destination as a whole.
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
