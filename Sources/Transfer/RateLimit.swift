/// A token bucket of bytes: fills steadily, may be overdrawn once, and then waits to be positive again.
///
/// It reads no clock: the current time is always an argument.
struct RateLimit {
    /// Bytes per second; at least 1.
    let rate: Int
    /// Bytes that may move at once: at most a twentieth of a second's worth, so that the flow is even.
    let piece: Int
    private var allowance: Double
    private var counted: ContinuousClock.Instant

    init(bytesPerSecond: Int, at now: ContinuousClock.Instant) {
        rate = max(bytesPerSecond, 1)
        piece = min(max(rate / 20, 512), 256 * 1024)
        allowance = Double(piece)
        counted = now
    }

    /// Bytes that may move now: 0, or up to one piece.
    mutating func grant(upTo wanted: Int, at now: ContinuousClock.Instant) -> Int {
        fill(at: now)
        return allowance > 0 ? min(wanted, piece) : 0
    }

    /// Subtracts the bytes that moved, which may be more than were granted.
    mutating func spend(_ count: Int) {
        allowance -= Double(count)
    }

    /// When the next bytes may move; in the past where they may move now.
    var opens: ContinuousClock.Instant {
        guard allowance <= 0 else { return counted }
        return counted + .seconds((1 - allowance) / Double(rate))
    }

    /// Adds the time since the last call; idle time saves up no more than one piece.
    private mutating func fill(at now: ContinuousClock.Instant) {
        guard now > counted else { return }
        allowance = min(allowance + (now - counted) / .seconds(1) * Double(rate), Double(piece))
        counted = now
    }
}
