/// A cause outside its file that keeps an item from being stored; items that share it resume together.
package struct Cause: Hashable, Sendable {
    /// The failure's code.
    package let code: String
    /// Set only where the server's answer depends on it.
    let contentType: String?

    /// `nil` where the code concerns one file only, or a setting of ours.
    init?(code: String, contentType: String) {
        guard Self.starts.contains(where: code.hasPrefix) else { return nil }
        self.code = code
        self.contentType = code == "storage.InvalidMimeType" ? contentType : nil
    }

    private static let starts = ["auth.", "storage.", "http.", "verify.", "limit.storage", "limit.proxy"]
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

extension Item {
    /// Why it is blocked: the reason's word, and `/` and the failure's code where the advice needs it.
    package var blockedCause: String? { blocked?.cause(code: lastError?.code) }
}

extension Item.Blocked {
    /// The reason's word and, where the advice depends on it, `/` and the failure's code.
    package func cause(code: String?) -> String {
        guard let code, Self.tellingCodes.contains(code) else { return rawValue }
        return "\(rawValue)/\(code)"
    }

    /// The codes on which the advice to the user depends.
    package static let tellingCodes: Set = [
        "http.540", "network.untrusted", "http.402", "limit.proxy", "storage.AccessDenied", "storage.Unseen",
        "http.403",
        "http.401",
    ]
}
