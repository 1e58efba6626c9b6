package import FoundationEssentials
package import Transfer

/// How far this computer's clock is from a server's.
package struct ClockSkew: Hashable, Sendable {
    /// Positive where the clock here is ahead; servers tell whole seconds only.
    package let ahead: Duration

    /// Reads the `Date` of an answer that arrived at `now`; `nil` where it has none.
    package init?(_ headers: HTTPHeaders, now: Date) {
        guard let date = headers["date"].flatMap(Date.init(httpDate:)) else { return nil }
        self.init(server: date, now: now)
    }

    /// Compares the server's clock, in whole seconds, with `now` on this computer.
    package init(server: Date, now: Date) {
        ahead = .seconds(now.timeIntervalSince(server))
    }

    /// Whether tokens may look expired, or not yet valid, only because of the clock.
    package var matters: Bool { ahead >= Self.tolerance || ahead <= .zero - Self.tolerance }

    /// The sentence for people; `nil` where the skew is too small to matter.
    package var warning: String? {
        guard matters else { return nil }
        let side = ahead > .zero ? "ahead of" : "behind"
        return "This computer's clock is \(amount) \(side) the server's. Set it right (\"timedatectl set-ntp true\")."
    }

    /// Such as `61 minutes`, rounded.
    private var amount: String {
        let seconds = abs(ahead.components.seconds)
        let (count, unit): (Int64, String) =
            switch seconds {
            case ..<7170: ((seconds + 30) / 60, "minute")
            case ..<172_800: ((seconds + 1800) / 3600, "hour")
            default: ((seconds + 43200) / 86400, "day")
            }
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }

    /// Smaller differences cause no trouble, even with the time that an answer travels added.
    private static let tolerance = Duration.seconds(60)
}
