package import FoundationEssentials
import Text

/// A circuit breaker: open for as long as the destination is silent, overloaded or closed.
///
/// While it is open, nothing is sent but one probe at a time, once `probeAt` has come; the probe's outcome decides.
package struct Circuit: Hashable, Sendable {
    /// Why nothing is sent.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// No server answers.
        case offline
        /// Failures of the server's own, one after another.
        case overloaded
        /// 402: the organisation is over its plan; 507: the storage's disk is full.
        case quota
        /// 540: the project sleeps.
        case projectPaused
        /// No user is signed in, or the key is refused.
        case signIn
        /// The bucket is not there, or not visible.
        case bucketMissing
        /// The server that answers cannot prove that it is the destination.
        case untrusted
    }

    /// What the end of one request tells about the destination.
    package enum Sign: Hashable, Sendable {
        /// The server answers and is well.
        case fine
        /// It is overloaded, or fails whatever the request is; with the wait that it asked for, if it did.
        case busy(after: Duration?)
        case silent
        case closed(Reason)
        /// Its disk had no room for this one file.
        case cramped
        /// Nothing: the request did not get there, or its end has other causes.
        case none
    }

    /// `nil` while requests may be sent.
    package private(set) var reason: Reason?
    /// Since when it is open for that reason.
    package private(set) var since: Date?
    /// When one item is to be tried; `nil` while the circuit is closed, and until a later call permits a probe.
    package private(set) var probeAt: Date?
    /// Whether one answer, which may be a mistake, opened it: a probe is sent at once and decides.
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

    /// A closed circuit; `unit` is the first wait for an overloaded host.
    package init(unit: Duration = .seconds(2)) {
        self.unit = unit
    }

    /// Whether nothing but probes may be sent.
    package var isOpen: Bool { reason != nil }

    /// Whether one item may be tried now.
    package func mayProbe(at now: Date) -> Bool {
        guard isOpen, !isProbing, let next = nextProbe(at: now) else { return false }
        return next <= now
    }

    /// When one item may be tried; `nil` while the circuit is closed, and until a later call permits a probe.
    ///
    /// A time that lies farther ahead than any wait was set before the clock was set back, so it counts as now.
    package func nextProbe(at now: Date) -> Date? {
        probeAt.map { $0 > now + Self.hour + Self.longest ? now : $0 }
    }

    /// Notes that the probe is on its way.
    package mutating func probe() { isProbing = isOpen }

    /// Takes in how a request ended; returns the reason for which it was open, if that ends it.
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
        case .cramped: return cramped(wasProbe, at: now)
        }
        return nil
    }

    /// Seconds until a destination that is closed is asked again.
    private static func wait(for reason: Reason) -> Double {
        switch reason {
        // A hotel's network before the user has signed in there, or a wrong clock, is may soon be put right.
        case .untrusted: longest
        // A refused sign-in is asked again, too: the user may have replaced the key.
        case .signIn, .offline, .overloaded, .quota, .projectPaused, .bucketMissing: hour
        }
    }

    /// Opens it for a reason that an earlier run found, until one item shows whether that still holds.
    ///
    /// - Parameter mayProbe: Whether that item may go now; otherwise it waits until a later call permits it.
    package mutating func suspect(_ reason: Reason, at now: Date, mayProbe: Bool) {
        guard !isOpen || isDoubtful && probeAt == nil else { return }
        open(reason, at: now, wait: mayProbe ? 0 : nil)
        isDoubtful = true
    }

    /// Closes it, because the caller made sure that requests may be sent; returns the reason for which it was open.
    package mutating func reset() -> Reason? {
        defer { self = Circuit(unit: unit) }
        return reason
    }
}

extension Circuit {
    /// Any answer ends silence; only the probe's answer ends anything else, because older requests know less.
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

    /// A gateway that restarts may say 401 or 540 once among good answers, so its answer to the probe decides.
    private mutating func closed(for reason: Reason, _ wasProbe: Bool, at now: Date) {
        let isKnown = self.reason != nil && self.reason == reason
        // Requests that were under way get the same answer, which proves nothing more.
        if isKnown, isDoubtful, !wasProbe { return }
        let mayBeSlip = reason == .signIn || reason == .projectPaused
        let isFirst = mayBeSlip && !isKnown && !(wasProbe && isDoubtful)
        open(reason, at: now, wait: isFirst ? 0 : Self.wait(for: reason))
        isDoubtful = isFirst
    }

    /// Smaller files may fit where one did not: only several refusals in a row show that nothing does.
    private mutating func cramped(_ wasProbe: Bool, at now: Date) -> Reason? {
        guard reason == nil || wasProbe else { return nil }
        // A mere suspicion from an earlier run is over, because the server looked at its disk for this file.
        let ended = reason == nil || reason == .quota && !isDoubtful ? nil : reset()
        failures += 1
        if reason == .quota || failures >= Self.threshold {
            open(.quota, at: now, wait: Self.wait(for: .quota))
        }
        return ended
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
