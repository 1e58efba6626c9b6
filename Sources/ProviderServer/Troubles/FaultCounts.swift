import Serving

/// The faults, with how often each has matched and applied.
struct FaultCounts: Sendable {
    private let troubles: [Trouble]
    private let paces: [Pace?]
    private var matched: [Int]

    init(_ troubles: [Trouble]) {
        self.troubles = troubles
        paces = troubles.map { trouble in
            if case .slow(let rate) = trouble.effect { Pace(bytesPerSecond: rate) } else { nil }
        }
        matched = troubles.map { _ in 0 }
    }

    /// The faults that apply to one request.
    struct Hit: Sendable {
        var effect: Trouble.Effect?
        var paces: [Pace] = []
    }

    /// The faults for the next request; deterministic, because each fault counts the requests that it matches.
    mutating func next(_ method: String, _ path: Substring) -> Hit {
        var hit = Hit()
        for (index, trouble) in troubles.enumerated() where hit.effect == nil && trouble.matches(method, path) {
            matched[index] += 1
            let number = matched[index] - trouble.sparing
            guard number > 0, number <= trouble.times ?? .max else { continue }
            if let pace = paces[index] { hit.paces.append(pace) } else { hit.effect = trouble.effect }
        }
        return hit
    }
}
