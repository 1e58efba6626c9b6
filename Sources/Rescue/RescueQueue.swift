import FoundationEssentials

/// How fast downloads are, for deciding what to fetch next.
package struct LineSpeed: Hashable, Sendable {
    /// Bytes per second, measured over all downloads.
    let rate: Double
    /// Bytes that one request brings at most; a request that has begun is not interrupted.
    let chunk: Int64

    /// A measured speed; `rate` is above 0.
    package init(rate: Double, chunk: Int64) {
        self.rate = rate
        self.chunk = chunk
    }
}

/// The files to be fetched, in the order in which they get a slot; pure logic.
///
/// The earliest deadline comes first, and files without one come last. A file gives way only if it would be late even
/// on a line a tenth faster, and only to files that it would make late.
struct RescueQueue: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        let place: JobPlace
        let deadline: Date?
        /// Bytes that are still to come; `nil` while the size is unknown.
        let left: Int64?
        /// The job's position in the registry.
        let rank: Int
        /// Whether a request for it is under way.
        let isBusy: Bool
    }

    private let entries: [Entry]
    /// Whether the first entry is in time only if nothing else is fetched at the same time.
    private let firstIsAlone: Bool

    init(_ waiting: [Entry], speed: LineSpeed?, at now: Date) {
        let sorted = waiting.sorted { one, other in
            let deadlines = [one, other].map { $0.deadline ?? .distantFuture }
            return (deadlines[0], one.rank, one.place.index) < (deadlines[1], other.rank, other.place.index)
        }
        guard let speed, speed.rate > 0 else {
            (entries, firstIsAlone) = (sorted, false)
            return
        }
        let bound = sorted.prefix { $0.deadline != nil }
        let forecast = RescueForecast(
            bound.map { .init(deadline: $0.deadline ?? .distantFuture, bytes: $0.left ?? 0) },
            rate: speed.rate * Self.hope, at: now)
        let places = bound.indices.filter { !forecast.yielding.contains($0) } + forecast.yielding.sorted()
        entries = places.map { bound[$0] } + sorted.dropFirst(bound.count)
        firstIsAlone = places.first.map { !forecast.late.contains($0) && bound[$0].isTight(speed, at: now) } ?? false
    }

    /// How much faster than measured the line may turn out to be, as a factor.
    private static let hope = 1.1

    /// The files to begin now, at most one for each of `free` slots.
    func next(_ free: Int) -> [JobPlace] {
        let candidates = firstIsAlone ? entries.prefix(1) : entries[...]
        return candidates.lazy.filter { !$0.isBusy }.prefix(max(0, free)).map(\.place)
    }
}

extension RescueQueue.Entry {
    /// Whether sharing the line with another file, whose request has just begun, would make it late.
    fileprivate func isTight(_ speed: LineSpeed, at now: Date) -> Bool {
        guard let deadline, let left, left > 0 else { return false }
        return now + (2 * Double(left) + Double(speed.chunk)) / speed.rate > deadline
    }
}
