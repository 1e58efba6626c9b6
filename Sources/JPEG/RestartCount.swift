/// Tells where restart markers stand in a scan: one before each unit that follows a whole interval (ITU-T T.81, E.1.4).
struct RestartCount {
    private let interval: Int
    private var untilMarker: Int

    /// - Parameter interval: Units between markers; 0 for none.
    init(every interval: Int) {
        (self.interval, untilMarker) = (interval, interval)
    }

    /// Goes to the next unit; `true` if a marker must come before it.
    @inline(__always) mutating func isDue() -> Bool {
        guard interval > 0 else { return false }
        let isDue = untilMarker == 0
        untilMarker = (isDue ? interval : untilMarker) &- 1
        return isDue
    }
}
