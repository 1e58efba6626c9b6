package import FoundationEssentials

/// Whether anybody answers at the other end, and when to knock next.
package struct Connectivity: Hashable, Sendable {
    /// Since when nobody answered; `nil` while somebody does.
    package private(set) var offlineSince: Date?
    /// When one item is to be tried again.
    package private(set) var probeAt: Date?
    private var failures = 0

    package init() {}

    package var isOffline: Bool { offlineSince != nil }

    /// Nobody answered: the next knock is after 1 s, 2 s, 4 s, … at most a minute, ±20 %.
    package mutating func lost(at now: Date, random: Double) {
        if let probeAt, probeAt > now { return }
        offlineSince = offlineSince ?? now
        let wait = min(60, Double(1 << min(failures, 6)))
        probeAt = now + wait * (0.8 + 0.4 * random)
        failures += 1
    }

    /// Somebody answered, whatever the answer was; whether that is news.
    package mutating func answered() -> Bool {
        defer { self = Connectivity() }
        return isOffline
    }

    /// The knock is under way: the next `lost` counts again.
    package mutating func probing() {
        probeAt = nil
    }
}
