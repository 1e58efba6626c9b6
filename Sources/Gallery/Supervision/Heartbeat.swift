import Queue

/// Which loops have yet to answer the question whether they are alive; pure logic.
///
/// Questions are counted, not timed, so that a computer that slept does not look like an agent that hangs.
struct Heartbeat: Sendable {
    private struct Open {
        /// The notification that the loop has to hear.
        let mark: Int
        /// Questions since then.
        var times: Int
    }

    private var open: [VitalLoop: Open] = [:]

    /// Loops that have not answered.
    var silent: Set<VitalLoop> { Set(open.keys) }

    /// Whether no loop has been silent for longer than what it does may take.
    var isAlive: Bool { open.allSatisfy { $0.value.times <= $0.key.leeway } }

    /// Asks again: a loop that has not answered yet still owes the first answer.
    mutating func ask(_ marks: [VitalLoop: Int]) {
        for (loop, mark) in marks {
            if open[loop] == nil { open[loop] = Open(mark: mark, times: 0) }
            open[loop]?.times += 1
        }
    }

    /// Takes in the last notification that each loop has heard.
    mutating func hear(_ heard: (VitalLoop) -> Int) {
        open = open.filter { heard($0.key) < $0.value.mark }
    }
}

extension VitalLoop {
    /// How many questions it may leave open: those that wait for servers have limits of their own.
    fileprivate var leeway: Int {
        switch self {
        case .reading, .sending, .limits, .watching: 0
        case .recording, .rescue: 10
        }
    }
}
