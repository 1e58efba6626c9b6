import Catalog
import Configuration
import Gallery
import Output
import Platform
import Supabase
import Sync
import Text

extension Run {
    /// `watch`: background sync until stopped.
    func watch(_ request: WatchRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let paths = try directories(request.roots)
        guard case .taken(let lock) = try StateLock.acquire(setup.locations) else {
            throw LockHeld(processID: try StateLock.holder(setup.locations)?.processID)
        }
        // A kernel that refuses only leaves the watch less polite.
        if setup.settings.watch.polite { try? Priority.background() }
        let log = log(setup.settings.log)
        return try await withAgent(setup, lock: lock, mode: .watch, remembering: .watch) { agent in
            let start = ContinuousClock.now
            let ended = try await interruptible { try await agent.keepSafe(paths) }
            let tally = agent.activity.chronicle.tally
            events?.conclude(with: ["run": .object(Event.fields(tally, ContinuousClock.now - start))])
            guard case .interrupted(let signal) = ended else { return .success }
            log.info(Self.stopping(signal))
            return ExitCode(signal)
        }
    }
}
