package import FoundationEssentials
import Text

/// Whether the destination may be asked: open for as long as it is silent, overloaded or closed, but for probes.
///
/// While it is open nothing is sent but one probe at a time, when `probeAt` has come; what that hears decides.
package struct Circuit: Hashable, Sendable {
    /// Why nothing is sent.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Nobody answers.
        case offline
        /// Failures of the other side's own, one after another.
        case overloaded
        /// 402: the organisation is over its plan.
        case quota
        /// 540: the project sleeps.
        case projectPaused
        /// Nobody is signed in, or the key is refused.
        case signIn
        /// The bucket is not there, or not visible.
        case bucketMissing
        /// Who answers cannot prove to be the destination.
        case untrusted
    }

    /// What the end of one request tells about the other side.
    package enum Sign: Hashable, Sendable {
        /// Somebody answers and is well.
        case fine
        /// It has too much to do or fails by itself; with its own word on when to come again.
        case busy(after: Duration?)
        case silent
        case closed(Reason)
        /// Nothing: it never got there.
        case none
    }

    /// `nil` while requests may be sent.
    package private(set) var reason: Reason?
    /// Since when it is open for that reason.
    package private(set) var since: Date?
    /// When one item is to be tried; `nil` while it is closed, and while only a person can close it.
    package private(set) var probeAt: Date?
    /// Whether it is open by a single answer that may be a slip: a second look comes at once and decides.
    package private(set) var isDoubtful = false
    private var isProbing = false
    /// Failures in a row while closed.
    private var failures = 0
    /// Probes in a row that changed nothing.
    private var probes = 0
    /// The first wait of an overloaded host; each is twice the one before.
    private let unit: Duration

    /// Failures in a row that open it: more than a burst of all requests under way.
    static let threshold = 10
    /// Seconds between two probes of silence or overload, at most.
    static let longest = 60.0
    /// Seconds between two probes of a destination that is closed.
    static let hour = 3_600.0

    package init(unit: Duration = .seconds(2)) {
        self.unit = unit
    }

    package var isOpen: Bool { reason != nil }

    /// Whether one item may be tried now.
    package func mayProbe(at now: Date) -> Bool {
        guard isOpen, !isProbing, let probeAt else { return false }
        return probeAt <= now
    }

    /// The one item is on its way.
    package mutating func probe() { isProbing = isOpen }

    /// Takes in what a request heard; the reason that ended by it, if one did.
    ///
    /// - Parameter random: From 0 to 1, spreads waits by a fifth either way.
    package mutating func note(_ sign: Sign, at now: Date, random: Double) -> Reason? {
        let wasProbe = isProbing
        isProbing = false
        switch sign {
        case .none: return nil
        case .fine: return heard(wasProbe)
        case .busy(let after): return struggled(after, wasProbe, at: now, random)
        case .silent: silent(wasProbe, at: now, random)
        case .closed(let reason): closed(for: reason, wasProbe, at: now)
        }
        return nil
    }

    /// Seconds until a destination that is closed is asked again; `nil` where only a person opens it.
    private static func wait(for reason: Reason) -> Double? {
        switch reason {
        case .signIn: nil
        // The network of a hotel, before somebody has signed in there; or a clock that is set later.
        case .untrusted: longest
        case .offline, .overloaded, .quota, .projectPaused, .bucketMissing: hour
        }
    }

    /// An earlier run found it closed for `reason`: one item is to see whether it still is, before any other goes.
    ///
    /// - Parameter mayProbe: Whether that item may go now; else it waits until this is said again.
    package mutating func suspect(_ reason: Reason, at now: Date, mayProbe: Bool) {
        guard !isOpen || isDoubtful && probeAt == nil else { return }
        open(reason, at: now, wait: mayProbe ? 0 : nil)
        isDoubtful = true
    }

    /// Somebody made sure that requests may be sent; the reason that ended by it, if there was one.
    package mutating func reset() -> Reason? {
        defer { self = Circuit(unit: unit) }
        return reason
    }
}

extension Circuit {
    /// Silence ends with anybody's answer; everything else with the probe's, since older requests know less.
    private mutating func heard(_ wasProbe: Bool) -> Reason? {
        failures = 0
        guard let reason, wasProbe || reason == .offline else { return nil }
        return reset()
    }

    private mutating func struggled(_ after: Duration?, _ wasProbe: Bool, at now: Date, _ random: Double) -> Reason? {
        if reason == .offline, !wasProbe {
            let ended = reset()
            failures = 1
            return ended
        }
        guard reason == nil || wasProbe else { return nil }
        failures += 1
        guard wasProbe || failures >= Self.threshold else { return nil }
        let ended = reason == .overloaded ? nil : reason
        let asked = min(after?.seconds ?? 0, Self.hour)
        open(.overloaded, at: now, wait: max(backOff(unit.seconds, random), asked))
        return ended
    }

    /// A gateway that restarts says 401 or 540 once among good answers; what it says to the second look counts.
    private mutating func closed(for reason: Reason, _ wasProbe: Bool, at now: Date) {
        let isKnown = self.reason != nil && self.reason == reason
        // Requests that were under way say the same again, and know no more.
        if isKnown, isDoubtful, !wasProbe { return }
        let mayBeSlip = reason == .signIn || reason == .projectPaused
        let isFirst = mayBeSlip && !isKnown && !(wasProbe && isDoubtful)
        open(reason, at: now, wait: isFirst ? 0 : Self.wait(for: reason))
        isDoubtful = isFirst
    }

    private mutating func silent(_ wasProbe: Bool, at now: Date, _ random: Double) {
        guard reason == nil || wasProbe else { return }
        if reason != .offline { probes = 0 }
        open(.offline, at: now, wait: backOff(1, random))
    }

    private mutating func backOff(_ unit: Double, _ random: Double) -> Double {
        defer { probes += 1 }
        return min(Self.longest, unit * Double(1 << min(probes, 16))) * (0.8 + 0.4 * random)
    }

    private mutating func open(_ reason: Reason, at now: Date, wait: Double?) {
        if self.reason != reason { since = now }
        self.reason = reason
        probeAt = wait.map { now + $0 }
        failures = 0
        isDoubtful = false
    }
}
