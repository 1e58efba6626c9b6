import Platform

/// Processes that play side by side, because each process plays on one thread.
enum Crew {
    /// The distance between the first seeds of two processes.
    private static let stride: UInt64 = 1 << 32

    /// Plays in as many processes as `order` says; returns whether none found a problem.
    static func play(_ order: SimulatorOrder) throws -> Bool {
        let program = try Host.executable()
        let first = order.seed ?? UInt64.random(in: 0..<1 << 40)
        let children = try (0..<order.jobs).map { number in
            try ChildProcess.spawn(
                program, arguments: order.words + ["--seed", "\(first &+ UInt64(number) * stride)"])
        }
        return MainThread.wait {
            var isClean = true
            for child in children where await child.exit != .exited(0) { isClean = false }
            return isClean
        }
    }
}
