import Serving

/// Which troubles have hit how often.
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

    /// What hits one request.
    struct Hit: Sendable {
        var effect: Trouble.Effect?
        var paces: [Pace] = []
    }

    /// Throws no dice: each trouble counts the requests it matches, and hits those in its span.
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
