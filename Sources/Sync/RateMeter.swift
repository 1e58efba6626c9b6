package import FoundationEssentials

/// The rate of a growing number over its last seconds.
package struct RateMeter: Sendable {
    /// Seconds that the rate is averaged over.
    private let window: Double
    /// Seconds for which a rate must be known before anything is predicted from it.
    private static let patience = 3.0
    private var samples: [(at: Date, total: Int64)] = []

    /// A meter that looks back over `window`.
    package init(window: Duration = .seconds(8)) { self.window = window / .seconds(1) }

    /// Notes that the number is `total` at `now`; a smaller number than before starts anew.
    package mutating func note(_ total: Int64, at now: Date) {
        if let last = samples.last, total < last.total || now < last.at { samples = [] }
        samples.append((now, total))
        // The newest sample that is older than the window stays: it is where the window begins.
        while samples.count > 2, now.timeIntervalSince(samples[1].at) >= window { samples.removeFirst() }
    }

    /// Whether the rate is known for long enough to predict anything from it.
    package var isTelling: Bool {
        guard let first = samples.first, let last = samples.last else { return false }
        return last.total > first.total && last.at.timeIntervalSince(first.at) >= Self.patience
    }

    /// Per second; 0 before two moments are known.
    package var rate: Double {
        guard let first = samples.first, let last = samples.last else { return 0 }
        let seconds = last.at.timeIntervalSince(first.at)
        return seconds > 0 ? Double(last.total - first.total) / seconds : 0
    }
}
