/// The bound that a ratio or a number must reach.
enum Goal: Hashable, Sendable {
    case atLeast(Double)
    case atMost(Double)

    func isReached(by value: Double) -> Bool {
        switch self {
        case .atLeast(let limit): value >= limit
        case .atMost(let limit): value <= limit
        }
    }

    var limit: Double {
        switch self {
        case .atLeast(let limit), .atMost(let limit): limit
        }
    }

    var sign: String {
        switch self {
        case .atLeast: "≥"
        case .atMost: "≤"
        }
    }
}
