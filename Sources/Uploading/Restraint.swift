import Configuration
package import Queue

/// Why a watch sends nothing although it could: the computer, not the destination, is in the way.
package enum Restraint: String, Hashable, Sendable, CaseIterable {
    case metered, portal, lowBattery, powerSaver, sleep

    /// In a few words, without a capital.
    package var words: String {
        switch self {
        case .metered: "the network is metered"
        case .portal: "the network wants a sign-in on its own page"
        case .lowBattery: "the battery is low"
        case .powerSaver: "the computer saves power"
        case .sleep: "the computer is about to sleep"
        }
    }

    /// What the user can do, a sentence.
    package var next: String {
        switch self {
        case .metered, .lowBattery, .powerSaver:
            "It goes on by itself when that ends, at once with \"gallery-sync queue resume --now\"."
        case .portal: "Open a page in the browser and sign in there; it goes on by itself."
        case .sleep: "It goes on when the computer wakes."
        }
    }

    /// How an upload that is stopped for this reason between two pieces ends.
    package var outcome: UploadOutcome {
        guard self == .metered else { return .interrupted }
        return .blocked(
            .metered, Item.Failure(code: .other("network.metered"), message: "The network is metered", retryable: true))
    }
}
