import Desktop
import FoundationEssentials
import Queue
import Rescue
import Sync
import Text

extension Agent {
    /// Tells the supervisor that the agent is alive, as long as every vital loop comes round.
    ///
    /// Each loop is woken by its own event and answers by coming round, so the beats end if one of them hangs.
    func beat() async throws {
        guard let supervisor = setup.hooks.supervisor, let patience = supervisor.patience else { return }
        // Half the time, as sd_watchdog_enabled(3) advises; answers take no longer than a loop's round.
        let interval = patience.seconds / 2
        let pause = min(1, interval / 4)
        var heartbeat = Heartbeat()
        while !watching.isStopping {
            ask(&heartbeat)
            repeat {
                try await rest(pause)
                hear(&heartbeat)
            } while !heartbeat.isAlive && !watching.isStopping
            guard !watching.isStopping else { return }
            supervisor.tell(.alive)
            try await rest(interval - pause)
        }
    }

    /// Waits for some seconds, or until the agent is told to stop.
    private func rest(_ seconds: Double) async throws {
        // Not by the date, because a clock that is set back must not end the beats.
        let end = ContinuousClock.now + .seconds(seconds)
        // Notifications for other waits wake this one, too.
        while !watching.isStopping, ContinuousClock.now < end {
            let wakeups = ending.wakeups
            try Task.checkCancellation()
            if watching.isStopping { return }
            await ending.wait(after: wakeups, for: end - .now)
        }
        try Task.checkCancellation()
    }

    /// Wakes every vital loop, and notes the notification that each has to hear.
    func ask(_ heartbeat: inout Heartbeat) {
        for event in [wake, upkeep] { event.notify() }
        rescuer.notify()
        heartbeat.ask(
            Dictionary(uniqueKeysWithValues: VitalLoop.allCases.map { ($0, event(of: $0).wakeups) }))
    }

    /// Notes which loops have come round since they were asked.
    func hear(_ heartbeat: inout Heartbeat) {
        heartbeat.hear { event(of: $0).lastHeard(by: $0) }
    }

    private func event(of loop: VitalLoop) -> WakeEvent {
        switch loop {
        case .reading, .sending, .recording, .watching: wake
        case .limits: upkeep
        case .rescue: rescuer.wake
        }
    }
}
