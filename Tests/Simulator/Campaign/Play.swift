import Platform
import Simulation

/// The result of one history.
struct Play: Sendable {
    let problems: [String]
    let steps: Int
    let digest: UInt64
    let hours: Double
    let lives: Int
    let requests: Int
    let lines: [String]

    /// The most jobs of a history; beyond that, the agent counts as running in circles.
    private static let limit = 4_000_000

    /// Plays `history` in a new `folder`, which is removed afterwards.
    init(
        _ history: History, in folder: FilePath, from empty: EmptyState, keepingLines: Bool = false, pulse: Pulse
    ) throws {
        try Directory.removeTree(at: folder)
        let simulation = Simulation(seed: history.seed &+ history.order << 40, keepsLines: keepingLines, pulse: pulse)
        let (world, failure) = (Simulated<World?>(nil), Simulated<String?>(nil))
        let (end, time) = simulation.run(limit: Self.limit) {
            do {
                let made = try World(history, in: folder, from: empty)
                world.value = made
                await made.run()
            } catch {
                failure.value = "the simulator itself failed: \(error)"
            }
        }
        var problems = (world.value?.problems.value ?? []) + [failure.value].compactMap(\.self)
        switch end {
        case .finished: break
        case .deadlock: problems.append("everything waits for ever")
        case .endless: problems.append("no end after \(Self.limit) steps")
        }
        self.problems = problems
        (steps, digest, lines) = (simulation.steps, simulation.digest, simulation.lines)
        hours = time / .seconds(3_600)
        lives = (world.value?.life.value.number ?? 0) + 1
        requests = world.value?.requests.value ?? 0
        try Directory.removeTree(at: folder)
    }
}
