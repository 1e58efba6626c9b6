/// The two directions in which bytes move.
enum FlowDirection: Sendable {
    case sending, receiving
}

/// A rate limit for each direction, or none.
struct FlowLimits {
    var sending: RateLimit?
    var receiving: RateLimit?

    init(sending: Int?, receiving: Int?, at now: ContinuousClock.Instant) {
        self.sending = sending.map { RateLimit(bytesPerSecond: $0, at: now) }
        self.receiving = receiving.map { RateLimit(bytesPerSecond: $0, at: now) }
    }

    subscript(direction: FlowDirection) -> RateLimit? {
        get { direction == .sending ? sending : receiving }
        set { if direction == .sending { sending = newValue } else { receiving = newValue } }
    }
}

/// Shares the common limit among all exchanges; the one that has waited longest goes first.
///
/// Used on the transfer thread only.
final class Throttle: @unchecked Sendable {
    private var limits: FlowLimits
    /// The exchanges that wait, the longest waiting first.
    private(set) var held: [Exchange] = []

    init() {
        limits = FlowLimits(sending: nil, receiving: nil, at: .now)
    }

    /// Limits the bodies of all requests together, each direction separately.
    func limit(bytesPerSecond: Int?, at now: ContinuousClock.Instant) {
        limits = FlowLimits(sending: bytesPerSecond, receiving: bytesPerSecond, at: now)
    }

    /// How many of `wanted` bytes may move; 0 holds the exchange until it is released.
    func grant(_ wanted: Int, _ direction: FlowDirection, to exchange: Exchange) -> Int {
        guard limits[direction] != nil || exchange.limits[direction] != nil else { return wanted }
        let now = ContinuousClock.now
        var granted = limits[direction]?.grant(upTo: wanted, at: now) ?? wanted
        granted = exchange.limits[direction]?.grant(upTo: granted, at: now) ?? granted
        if granted == 0 { hold(exchange, direction) }
        return granted
    }

    func spend(_ count: Int, _ direction: FlowDirection, of exchange: Exchange) {
        limits[direction]?.spend(count)
        exchange.limits[direction]?.spend(count)
    }

    /// When the next exchange may be released; `now` for one whose limit was removed.
    func nextRelease(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        held.map { opening($0) ?? now }.min()
    }

    /// The exchanges that may continue now: of those that share the common limit, only the first.
    func release(at now: ContinuousClock.Instant) -> [Exchange] {
        var taken: Set<FlowDirection> = []
        let released = held.filter { exchange in
            guard let direction = exchange.held, opening(exchange) ?? now <= now else { return false }
            return limits[direction] == nil || taken.insert(direction).inserted
        }
        released.forEach(forget)
        return released
    }

    func forget(_ exchange: Exchange) {
        guard exchange.held != nil else { return }
        exchange.held = nil
        held.removeAll { $0 === exchange }
    }

    private func hold(_ exchange: Exchange, _ direction: FlowDirection) {
        if exchange.held == nil { held.append(exchange) }
        exchange.held = direction
    }

    /// When both its own and the common limit allow the next bytes; `nil` without limits.
    private func opening(_ exchange: Exchange) -> ContinuousClock.Instant? {
        guard let direction = exchange.held else { return nil }
        return [limits[direction]?.opens, exchange.limits[direction]?.opens].compactMap(\.self).max()
    }
}
