import Queue

/// Which loops have yet to answer whether they are alive; pure logic.
///
/// Questions are counted and not timed, so that a computer that slept does not look like an agent that hangs.
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

    /// Whether every loop has answered within the time that its work may take.
    var isAlive: Bool { open.allSatisfy { $0.value.times <= $0.key.leeway } }

    /// Asks again; a loop that has not answered yet still owes its first answer.
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
    /// How many questions a loop may leave open; loops that wait for servers may leave more.
    fileprivate var leeway: Int {
        switch self {
        case .reading, .sending, .limits, .watching: 0
        case .recording, .rescue: 10
        }
    }
}
