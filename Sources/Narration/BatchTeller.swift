package import FoundationEssentials
import Text
package import Uploading

/// When a watch says what it did, and over which span; pure logic.
package struct BatchTeller: Sendable {
    /// One batch: what was done, and how long that took.
    package struct Batch: Hashable, Sendable {
        /// How many files came to which end.
        package let tally: Tally
        /// From the first of them to the last.
        package let time: Duration
    }

    private var told = Tally()
    private var begunAt: Date?
    private var toldAt = Date.distantPast

    /// One that has told nothing yet.
    package init() {}

    /// Seconds after which a batch is told while work goes on.
    package static let longest = 60.0
    /// Seconds between two lines at least, where one file comes after the other.
    static let shortest = 10.0

    /// Notes that work goes on at `now`, unless it was known.
    package mutating func begin(at now: Date) { begunAt = begunAt ?? now }

    /// The batch to be told now, if one is due.
    ///
    /// - Parameters:
    ///   - changedAt: When the last of its events came.
    ///   - isEnding: Whether there is no later chance.
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

    /// When to ask again although nothing happens; `nil` where there is nothing to tell.
    package func due(_ tally: Tally, isQuiet: Bool) -> Date? {
        guard tally != told else { return isQuiet ? nil : begunAt.map { $0 + Self.longest } }
        return isQuiet ? toldAt + Self.shortest : begunAt.map { $0 + Self.longest }
    }
}
