import CommandLine
import Configuration
import Desktop
import Gallery
import Output
import Platform
import Records
import Supabase
import Sync
import Text
import Uploading

extension Run {
    /// `watch`: background sync until stopped.
    func watch(_ request: WatchRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let paths = try directories(request.roots)
        guard case .taken(let lock) = try StateLock.acquire(setup.locations) else {
            throw LockHeld(processID: try StateLock.holder(setup.locations)?.processID)
        }
        // If the kernel refuses, the watch is merely less polite.
        if setup.settings.watch.polite { try? Priority.background() }
        let log = log(setup.settings.log)
        let waited = try await interruptible { try await awaitKeyring(setup, log) }
        if case .interrupted(let signal) = waited { return ExitCode(signal) }
        return try await withAgent(
            setup, lock: lock, mode: .watch, namesNoRoot: paths.isEmpty, remembering: .watch
        ) { agent in
            let start = ContinuousClock.now
            let ended = try await interruptible {
                try await servingPage(of: agent, setup) { try await agent.keepSafe(paths) }
            }
            let tally = agent.activity.events.tally
            events?.conclude(with: ["run": .object(Event.fields(tally, ContinuousClock.now - start))])
            guard case .interrupted(let signal) = ended else { return .success }
            log.info(Self.stopping(signal))
            return ExitCode(signal)
        }
    }

    /// Waits until the keyring that holds the key is unlocked, because at a login the watch may start before that.
    private func awaitKeyring(_ setup: Setup, _ log: Log) async throws {
        guard setup.settings.destination.url != nil, try await setup.key(in: surroundings) == nil,
            let keyring = Keyring(environment: surroundings.environment)
        else { return }
        let sentence = "The keyring with the key is locked: waiting until it is unlocked."
        var isFirst = true
        while await keyring.isLocked(for: setup.loaded.profile) {
            if isFirst {
                log.warning(sentence)
                // Reports ready already, because systemd would give up a start that waits for a person.
                surroundings.supervisor?.tell(.ready)
                surroundings.supervisor?.tell(.status(sentence))
                isFirst = false
            }
            surroundings.supervisor?.tell(.alive)
            try await Task.sleep(for: Self.keyringInterval)
        }
    }

    private static let keyringInterval = Duration.seconds(10)
}
