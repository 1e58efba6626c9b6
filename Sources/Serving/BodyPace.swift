/// Whether a client sends its body as fast as the least that is asked of it (`Daemon.leastBytes`).
///
/// Time in which the server takes nothing does not count.
struct BodyPace {
    private var start: ContinuousClock.Instant?
    private var count = 0

    /// Whether the client keeps the pace, now that `bytes` more have arrived.
    mutating func isKept(by bytes: Int, at now: ContinuousClock.Instant) -> Bool {
        count += bytes
        guard let begun = start else {
            start = now
            return true
        }
        guard now - begun >= Daemon.paceWindow else { return true }
        defer { (start, count) = (now, 0) }
        return count >= Daemon.leastBytes
    }

    /// The client is held back from here on.
    mutating func pause() { (start, count) = (nil, 0) }
}
