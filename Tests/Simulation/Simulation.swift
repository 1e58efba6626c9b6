import CSimulation
import Platform

/// One run of asynchronous code on one thread, under virtual time, in an order that a seed decides.
///
/// All ready jobs run in random order; if none is ready, time jumps to the next moment that something waits for. The
/// same seed gives the same run, unless the code under test reads something from outside that differs.
package final class Simulation {
    /// How a run ended.
    package enum End: Hashable, Sendable {
        case finished
        /// Something waits for an event that never comes.
        case deadlock
        /// The limit of steps was reached.
        case endless
    }

    private struct Appointment {
        let at: Int64
        let work: () -> Void
    }

    /// The generator that decides the order, and everything that the outside draws.
    package var random: SplitMix
    /// Jobs that ran so far.
    package private(set) var steps = 0
    /// The lines noted so far, if they are kept.
    package private(set) var lines: [String] = []
    /// The hash of all lines, whether kept or not.
    package private(set) var digest: UInt64 = 14_695_981_039_346_656_037
    /// Of 1000 jobs that may block, how many wait for seconds, as for a disk that wakes up.
    package var slowness: UInt64 = 10
    /// The name of a queue of which nearly every second job waits that long, whatever the other queues do.
    package var stalled: String?
    /// Called before each job that may block; there the outside can change while a program works.
    package var beforeCall: (() -> Void)?
    /// Called before each call for a file; a result above 0 is the error that the call fails with.
    package var beforeFileCall: ((FileCall) -> Int32)?
    var followers: [Follower] = []
    /// How many bytes of each real file would survive a power cut, by inode; a file without an entry would lose all.
    package fileprivate(set) var synchronized: [UInt64: Int64] = [:]
    private let keepsLines: Bool
    private let pulse: Pulse
    private var ready: [() -> Void] = []
    /// The latest appointment first.
    private var later: [Appointment] = []

    /// A run that has not begun, and beats `pulse` with each job; `keepsLines` costs memory.
    package init(seed: UInt64, keepsLines: Bool = false, pulse: Pulse) {
        random = SplitMix(seed: seed)
        self.keepsLines = keepsLines
        self.pulse = pulse
    }

    /// Must be called first in `main`: a statically linked runtime starts after this module, and undoes its work.
    package static func begin() { csimulation_fix_hashing() }

    /// The simulation that the calling thread runs.
    package static var current: Simulation? { csimulation_current().map(of) }

    static func of(_ context: UnsafeMutableRawPointer) -> Simulation {
        Unmanaged<Simulation>.fromOpaque(context).takeUnretainedValue()
    }

    /// The virtual time since the start.
    package var now: Duration { .nanoseconds(csimulation_time()) }

    /// Runs `body` and all that it starts until `body` returns; at most `limit` jobs.
    package func run(limit: Int = .max, _ body: @escaping @Sendable () async -> Void) -> (end: End, time: Duration) {
        csimulation_enter(Unmanaged.passUnretained(self).toOpaque())
        defer { csimulation_enter(nil) }
        let ending = Ending()
        Task.detached {
            await Threads.$current.withValue(SimulatedThreads()) { await body() }
            ending.isReached = true
        }
        while !ending.isReached {
            guard steps < limit else { return (.endless, now) }
            guard step() else { return (.deadlock, now) }
        }
        // Lets ready jobs end, so that they release their memory.
        for _ in 0..<10_000 where !ready.isEmpty { _ = step() }
        return (.finished, now)
    }

    /// Used only on the simulation's one thread.
    private final class Ending: @unchecked Sendable {
        var isReached = false
    }

    private func step() -> Bool {
        if ready.isEmpty { callFollowers() }
        if ready.isEmpty {
            guard let next = later.popLast() else { return false }
            csimulation_advance(next.at)
            ready.append(next.work)
        }
        ready.swapAt(Int(random.next() % UInt64(ready.count)), ready.count - 1)
        steps += 1
        pulse.beat()
        ready.removeLast()()
        return true
    }

    func submit(after nanoseconds: Int64 = 0, _ work: @escaping () -> Void) {
        guard nanoseconds > 0 else { return ready.append(work) }
        let at = csimulation_time() &+ nanoseconds
        later.insert(Appointment(at: at, work: work), at: place(of: at))
    }

    /// The place behind appointments at the same moment, which then run first.
    private func place(of moment: Int64) -> Int {
        var (low, high) = (0, later.count)
        while low < high {
            let middle = (low + high) / 2
            if later[middle].at <= moment { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Adds a line to the trace, preceded by the virtual time.
    package func note(_ text: @autoclosure () -> String) {
        let line = "\(csimulation_time() / 1_000_000) \(steps) \(text())"
        for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
        pulse.keep(line)
        if keepsLines { lines.append(line) }
    }
}

/// Gives the process's replaced clocks and generators their numbers.
@_cdecl("csimulation_draw") func drawForProcess(_ context: UnsafeMutableRawPointer) -> UInt64 {
    Simulation.of(context).random.next()
}

/// Called for every `fsync` and `fdatasync`.
@_cdecl("csimulation_note_synchronized") func noteSynchronized(
    _ context: UnsafeMutableRawPointer, _ inode: UInt64, _ size: Int64
) {
    Simulation.of(context).synchronized[inode] = size
}
