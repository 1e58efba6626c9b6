/// Whether a client sends its body at least as fast as required (`Daemon.leastBytes`).
///
/// Time in which the server itself does not read does not count.
struct BodyPace {
    private var start: ContinuousClock.Instant?
    private var count = 0

    /// Whether the client still keeps the pace, now that `bytes` more have arrived.
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

    /// Notes that the server stops reading, so that the time until the next bytes does not count.
    mutating func pause() { (start, count) = (nil, 0) }
}
