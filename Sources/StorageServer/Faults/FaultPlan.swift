package import Serving
import Synchronization

/// Fault rules with a random generator that is deterministic for the same seed and order of requests.
///
///     StorageServer(folder: folder, faults: plan.fault)
package final class FaultPlan: Sendable {
    let seed: UInt64
    let rules: [FaultRule]
    private let paces: [Pace?]
    private let counts: Mutex<[Count]>

    private struct Count {
        var matched = 0
        var hit = 0
    }

    /// A plan that has not been applied yet; of the rules that break a request the first applies.
    package init(seed: UInt64 = 0, _ rules: [FaultRule]) {
        self.seed = seed
        self.rules = rules
        paces = rules.map { rule in
            if case .bandwidth(let rate) = rule.effect { Pace(bytesPerSecond: rate) } else { nil }
        }
        counts = Mutex(Array(repeating: Count(), count: rules.count))
    }

    /// How many requests each rule has been applied to, in the order of the rules.
    package var hits: [Int] { counts.withLock { $0.map(\.hit) } }

    /// The fault for `request`: everything that slows it down, and the first rule that breaks it.
    @Sendable package func fault(for request: Request) -> Fault? {
        var slowing: [Int] = []
        var breaking: Int?
        for (index, rule) in rules.enumerated() where breaking == nil && rule.matches(request) && hits(index) {
            if rule.effect.isSlowing { slowing.append(index) } else { breaking = index }
        }
        let isResumable = request.path.contains("/upload/resumable")
        let last = breaking.flatMap { rules[$0].effect.fault(isResumable: isResumable) }
        return slowing.reversed().reduce(last) { then, index in
            if let pace = paces[index] { return .slow(pace, then: then) }
            guard case .latency(let wait) = rules[index].effect else { return then }
            return .late(wait, then: then)
        }
    }

    /// Whether chance applies the rule at `index` to this request.
    private func hits(_ index: Int) -> Bool {
        let rule = rules[index]
        return counts.withLock { counts in
            let number = counts[index].matched
            counts[index].matched += 1
            guard number >= rule.skip, counts[index].hit < rule.times ?? .max, chance(index, number) < rule.rate else {
                return false
            }
            counts[index].hit += 1
            return true
        }
    }

    /// A number from 0 up to 1, determined by the seed, the rule and how often the rule has matched.
    private func chance(_ rule: Int, _ number: Int) -> Double {
        let mixed = Self.mixed(Self.mixed(seed &+ UInt64(rule)) &+ UInt64(number))
        return Double(mixed >> 11) / Double(1 << 53)
    }

    /// SplitMix64's output function (Steele et al., "Fast splittable pseudorandom number generators").
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

extension FaultRule.Effect {
    /// Whether it only slows down, so that other rules may apply to the same request.
    fileprivate var isSlowing: Bool {
        switch self {
        case .latency, .bandwidth: true
        default: false
        }
    }

    fileprivate func fault(isResumable: Bool) -> Fault? {
        switch self {
        case .latency, .bandwidth: nil
        case .status(let status, let seconds, let body, let ahead):
            .answer(
                FaultStatus(status, retryAfter: seconds, body: body, clock: ahead).response(isResumable: isResumable))
        case .reset(let count): .drop(afterReading: count)
        case .truncate(let count): .cutAnswer(after: count)
        case .stall(let count, let silence): .stall(afterReading: count, for: silence)
        }
    }
}
