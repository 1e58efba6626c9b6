/// What outside its file keeps an item from being stored: once mended for one, it is mended for all that share it.
package struct Cause: Hashable, Sendable {
    /// The failure's.
    package let code: String
    /// Only where the other side's answer depends on it.
    let contentType: String?

    /// `nil` where the code speaks of one file, or of a setting of ours.
    init?(code: String, contentType: String) {
        guard Self.starts.contains(where: code.hasPrefix) else { return nil }
        self.code = code
        self.contentType = code == "storage.InvalidMimeType" ? contentType : nil
    }

    private static let starts = ["auth.", "storage.", "http.", "verify.", "limit.storage", "limit.proxy"]
}

extension Item {
    /// What its last failure was due to, as far as that concerns others, too.
    package var cause: Cause? { lastError.flatMap { Cause(code: $0.code, contentType: contentType) } }

    /// Whether it rests until that is mended, or a day has passed.
    package var awaitsMending: Bool {
        switch (status, blocked) {
        case (.failed, _), (.pending, .signIn?), (.pending, .tooLarge?): cause != nil
        // The circuit has probes of its own for what closes the destination as a whole.
        default: false
        }
    }

    /// The item as it goes first, to see whether the cause is mended; a failed one keeps its count of attempts.
    package var probing: Item {
        var next = unblocked
        next.status = .pending
        next.nextAttemptAt = nil
        return next
    }
}

extension Item {
    /// What is in its way: the reason's word and, where that makes a difference, `/` and the code behind it.
    package var blockedCause: String? { blocked?.cause(code: lastError?.code) }
}

extension Item.Blocked {
    /// The reason's word and, where that makes a difference, `/` and the code of the failure behind it.
    package func cause(code: String?) -> String {
        guard let code, Self.tellingCodes.contains(code) else { return rawValue }
        return "\(rawValue)/\(code)"
    }

    /// Codes that make a difference to what is to be done.
    package static let tellingCodes: Set = [
        "http.540", "network.untrusted", "http.402", "limit.proxy", "storage.AccessDenied", "storage.Unseen",
        "http.403",
        "http.401",
    ]
}
