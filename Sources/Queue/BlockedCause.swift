package import Supabase

/// The cause that keeps an item waiting: the reason and, if it changes what is to be done, the failure code behind it.
package struct BlockedCause: Hashable, Sendable {
    /// What is in the way.
    package let reason: Item.Blocked
    /// The failure behind it; `nil` where none led to it, as for a pause.
    package let code: FailureCode?

    /// Keeps `code` only if it changes what is to be done.
    package init(_ reason: Item.Blocked, code: FailureCode?) {
        self.reason = reason
        self.code = code.flatMap { Self.tellingCodes.contains($0) ? $0 : nil }
    }

    /// Codes that change what is to be done.
    package static let tellingCodes: Set<FailureCode> = [
        .http(540), .network(.untrusted), .http(402), .http(507), .limit(.proxy), .storage(.accessDenied),
        .storage(.unseen), .http(403), .http(401),
    ]

    /// The codes of a destination that takes nothing more, whatever the budget is: its plan or its disk is full.
    package static let closures: [FailureCode] = [.http(402), .http(507)]

    /// Whether the destination itself has no room.
    package var isClosure: Bool { reason == .budget && code.map { Self.closures.contains($0) } ?? false }

    /// Whether it stands in the way of all due items, although only those that were tried are marked.
    package var isOfAll: Bool {
        switch reason {
        case .offline, .bucket, .metered: true
        case .signIn: code == nil || code == .http(401)
        case .budget: isClosure
        case .paused, .tooLarge, .away: false
        }
    }
}

extension Item {
    /// What is in the item's way, for counting.
    package var blockedCause: BlockedCause? { blocked.map { BlockedCause($0, code: lastError?.code) } }

    /// Whether the item is pending, and nothing of its own keeps it from being sent.
    package var isDue: Bool { status == .pending && blocked == nil && nextAttemptAt == nil }
}

extension StorageCode {
    /// Our own code for an object that the server accepted and then does not show to this key.
    package static let unseen = StorageCode(rawValue: "Unseen")
}

extension BlockedCause {
    /// The reason's word, then `/` and the code where there is one.
    package var text: String { code.map { "\(reason.rawValue)/\($0.text)" } ?? reason.rawValue }

    /// Reads what `text` wrote; `nil` where that begins with no reason.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        guard let reason = parts.first.flatMap(Item.Blocked.init) else { return nil }
        self.init(reason, code: parts.count > 1 ? FailureCode(parts[1]) : nil)
    }
}
