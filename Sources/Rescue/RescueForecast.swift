import FoundationEssentials
import Queue

/// Which files a line brings before their links die, and which it cannot; decides only.
///
/// Whatever comes in time at all does so in the order of the deadlines. Where that is not all, the fewest are given
/// up, by leaving out the longest so far whenever one would come too late (Moore and Hodgson's rule): one file that
/// is lost anyway is not to take others with it.
struct RescueForecast: Hashable, Sendable {
    /// What is left of one file.
    struct Load: Hashable, Sendable {
        let deadline: Date
        let bytes: Int64
    }

    /// Places, among the loads, of those that come too late.
    private(set) var late: Set<Int> = []
    /// Of those, the ones whose way would make others late: they wait until the others are safe.
    private(set) var yielding: Set<Int> = []

    /// - Parameters:
    ///   - loads: In the order of their deadlines.
    ///   - rate: Bytes per second of the whole line.
    init(_ loads: [Load], rate: Double, at now: Date) {
        var kept = Heap<Longest>()
        var bytes = 0.0
        for (place, load) in loads.enumerated() {
            kept.insert(Longest(bytes: load.bytes, place: place))
            bytes += Double(load.bytes)
            guard now + bytes / rate > load.deadline, let longest = kept.popFirst() else { continue }
            bytes -= Double(longest.bytes)
            late.insert(longest.place)
        }
        yielding = late.isEmpty ? [] : harmful(loads, rate: rate, at: now)
    }

    /// The late ones that do not fit into the time that all kept ones behind them have to spare.
    private func harmful(_ loads: [Load], rate: Double, at now: Date) -> Set<Int> {
        var bytes = loads.enumerated().reduce(0.0) { late.contains($1.offset) ? $0 : $0 + Double($1.element.bytes) }
        var spare = Double.infinity
        var harmful: Set<Int> = []
        for (place, load) in loads.enumerated().reversed() {
            if late.contains(place) {
                if Double(load.bytes) / rate > spare { harmful.insert(place) }
            } else {
                spare = min(spare, load.deadline.timeIntervalSince(now) - bytes / rate)
                bytes -= Double(load.bytes)
            }
        }
        return harmful
    }

    /// The longest comes first; of equals the one with more time.
    private struct Longest: Comparable {
        let bytes: Int64
        let place: Int

        static func < (one: Longest, other: Longest) -> Bool {
            (one.bytes, one.place) > (other.bytes, other.place)
        }
    }
}
