import FoundationEssentials
import Queue

/// Which files arrive before their links expire at a given rate, and which do not; pure logic.
///
/// If all files can arrive in time, they do so in the order of their deadlines. If they cannot, as few as possible are
/// given up, by leaving out the largest so far whenever one would be late (Moore and Hodgson's rule), because a file
/// that is lost anyway must not make others late.
struct RescueForecast: Hashable, Sendable {
    /// What remains to be downloaded of one file.
    struct Load: Hashable, Sendable {
        let deadline: Date
        let bytes: Int64
    }

    /// Indices of the loads that come too late.
    private(set) var late: Set<Int> = []
    /// Those of `late` that would make others late, so that they wait until the others are safe.
    private(set) var yielding: Set<Int> = []

    /// - Parameters:
    ///   - loads: In the order of their deadlines.
    ///   - rate: Bytes per second of all downloads together.
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

    /// The late files that do not fit into the spare time of the kept files after them.
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

    /// The largest comes first; of equals the one with the later deadline.
    private struct Longest: Comparable {
        let bytes: Int64
        let place: Int

        static func < (one: Longest, other: Longest) -> Bool {
            (one.bytes, one.place) > (other.bytes, other.place)
        }
    }
}
