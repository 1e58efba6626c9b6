package import FoundationEssentials
import Text
package import Uploading

/// Decides when a watch says what it did, and over which span; pure logic.
package struct BatchTeller: Sendable {
    /// One batch: what was done, and how long that took.
    package struct Batch: Hashable, Sendable {
        /// How many files ended in which way.
        package let tally: Tally
        /// The time from the first file to the last.
        package let time: Duration
    }

    private var told = Tally()
    private var begunAt: Date?
    private var toldAt = Date.distantPast

    /// A teller that has told nothing yet.
    package init() {}

    /// Seconds after which a batch is told while work goes on.
    package static let longest = 60.0
    /// The least seconds between two lines, for files that come one after the other.
    static let shortest = 10.0

    /// Notes that work is under way at `now`, unless that is known already.
    package mutating func begin(at now: Date) { begunAt = begunAt ?? now }

    /// The batch to tell now, if one is due.
    ///
    /// - Parameters:
    ///   - changedAt: When the last event of `tally` came.
    ///   - isEnding: Whether this is the last chance to tell it.
    package mutating func batch(
        _ tally: Tally, changedAt: Date?, isQuiet: Bool, isEnding: Bool = false, at now: Date
    ) -> Batch? {
        let done = tally - told
        guard !done.isEmpty else {
            if isQuiet { begunAt = nil }
            return nil
        }
        let begin = begunAt ?? changedAt ?? now
        begunAt = begin
        let wait = DatedWait(from: isQuiet ? toldAt : begin, seconds: isQuiet ? Self.shortest : Self.longest)
        guard wait.isOver(at: now) || isEnding else { return nil }
        told = tally
        toldAt = now
        begunAt = isQuiet ? nil : now
        let end = isQuiet ? min(now, changedAt ?? now) : now
        return Batch(tally: done, time: .seconds(max(0, end.timeIntervalSince(begin).rounded())))
    }

    /// When to ask again although nothing happens; `nil` if there is nothing to tell.
    package func due(_ tally: Tally, isQuiet: Bool) -> Date? {
        guard tally != told else { return isQuiet ? nil : begunAt.map { $0 + Self.longest } }
        return isQuiet ? toldAt + Self.shortest : begunAt.map { $0 + Self.longest }
    }
}
