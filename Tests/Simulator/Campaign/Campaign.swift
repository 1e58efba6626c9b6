import Glibc
import Platform
import Simulation

/// One history after another, with a count of what they did and what they found.
struct Campaign {
    let order: SimulatorOrder
    private let folder: SimulatorFolder
    private let watchdog: Watchdog
    private let clock = ContinuousClock()
    private var histories = 0
    private var hours = 0.0
    private var lives = 0
    private var requests = 0
    private var steps = 0
    private var found = 0
    private var minutes = 0
    private var kinds: [String: UInt64] = [:]

    init(_ order: SimulatorOrder, in folder: SimulatorFolder) {
        self.order = order
        self.folder = folder
        watchdog = Watchdog(patience: order.patience)
    }

    /// Plays all of them; returns whether none had a problem.
    mutating func run() throws -> Bool {
        let start = clock.now
        let empty = try EmptyState(at: folder.emptyState, pulse: watchdog.pulse)
        var seed = order.seed ?? UInt64.random(in: 0..<1 << 40)
        Self.say("first seed \(seed)")
        try watchdog.start()
        while isDue(since: start) {
            watchdog.begins(words(seed))
            if order.spins { spin(seed) }
            let play = try Play(
                order.history(seed), in: folder.path, from: empty, keepingLines: order.printsTrace,
                pulse: watchdog.pulse)
            for line in play.lines { Self.say(line) }
            count(play)
            if let problem = play.problems.first {
                try tell(seed, play, problem, after: clock.now - start, from: empty)
                if order.stopsAtFirst { break }
            }
            seed &+= 1
            tellProgress(clock.now - start)
        }
        tellSum(clock.now - start)
        return found == 0
    }

    /// The command that plays a history once more.
    private func words(_ seed: UInt64) -> String {
        "gallery-sync-simulate --seed \(seed) --place \(folder.place) \(order.manner)--trace"
    }

    /// Runs a simulation whose only job never ends.
    private func spin(_ seed: UInt64) {
        let pulse = watchdog.pulse
        _ = Simulation(seed: seed, pulse: pulse).run {
            Simulation.current?.note("a job that spins")
            while pulse.count > 0 {}
        }
    }

    private func isDue(since start: ContinuousClock.Instant) -> Bool {
        if let most = order.histories { return histories < most }
        return clock.now - start < .seconds(order.seconds ?? 0)
    }

    /// Prints a line immediately, because a campaign may be cut off.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private mutating func count(_ play: Play) {
        histories += 1
        hours += play.hours
        lives += play.lives
        requests += play.requests
        steps += play.steps
    }

    /// Prints a history with a problem, after making it smaller if it is the first of its kind.
    private mutating func tell(
        _ seed: UInt64, _ play: Play, _ problem: String, after time: Duration, from empty: EmptyState
    ) throws {
        found += 1
        Self.say("seed \(seed), after \(time / .seconds(1)) s: \(play.problems.joined(separator: "; "))")
        Self.say("    once more: \(words(seed))")
        guard order.shrinks, kinds.updateValue(seed, forKey: History.kind(problem)) == nil else { return }
        let small = try order.history(seed).shrunk(
            in: folder.path, from: empty, keeping: problem, pulse: watchdog.pulse)
        for line in small.description { Self.say("    \(line)") }
        let again = try Play(small, in: folder.path, from: empty, pulse: watchdog.pulse)
        Self.say("    \(again.problems.joined(separator: "; "))")
    }

    /// Prints the sums so far, once a minute of a campaign that ends by time.
    private mutating func tellProgress(_ time: Duration) {
        guard order.seconds != nil, time >= .seconds(60 * (minutes + 1)) else { return }
        minutes += 1
        tellSum(time)
    }

    private func tellSum(_ time: Duration) {
        let seconds = max(time / .seconds(1), 0.001)
        func rate(_ number: Double) -> String { String(Int((number / seconds * 10).rounded())).asTenths }
        Self.say(
            "\(histories) histories in \(rate(seconds * seconds)) s (\(rate(Double(histories))) a second), "
                + "\(Int(hours)) virtual hours (\(Int(hours / seconds)) a second), \(lives) lives, \(requests) requests, "
                + "\(steps) steps; \(found) with a problem")
    }
}

extension String {
    /// Digits with a point before the last.
    fileprivate var asTenths: String { (count > 1 ? dropLast() : "0") + "." + suffix(1) }
}
