import Catalog
package import Configuration
package import Control
import Dashboard
import Desktop
import FoundationEssentials
package import Gallery
import Output
package import Platform
import Providers
package import Records
import Reporting
import Rescue
import Supabase
package import Sync
package import Text
import Transfer

extension Run {
    /// Has `request` carried out by the lock's holder, else by an agent in this process.
    ///
    /// If the holder ends before it is done, the next holder or this process carries it out. Shows progress meanwhile.
    /// A signal ends it, and a second one at once.
    ///
    /// - Parameter isForReading: Whether it only looks, so that a read-only state and storage are enough. Facts found
    ///   by an agent on a copy of such a state are not remembered.
    package func carryOut<Asked: AgentRequest>(
        _ request: Asked, _ setup: Setup, mode: Agent.Mode = .pass, remembering command: LastRun.Command? = nil,
        isForReading: Bool = false
    ) async throws -> AgentReply<Asked.Answer> {
        while true {
            if isForReading, StateCopy.isNeeded(for: setup.locations) {
                if let reply = try await replyOfCopy(to: request, setup, mode: mode) { return reply }
                continue
            }
            switch try StateLock.acquire(setup.locations) {
            case .held(let holder):
                if let reply = try await reply(of: holder, to: request, setup) { return reply }
            case .taken(let lock):
                return try await reply(to: request, setup, lock, mode, command, isForReading: isForReading)
            }
        }
    }

    /// The answer of an agent in this process; parameters as for `withAgent`.
    func reply<Asked: AgentRequest>(
        to request: Asked, _ setup: Setup, _ lock: StateLock, _ mode: Agent.Mode, _ command: LastRun.Command? = nil,
        isForReading: Bool, state: Locations? = nil
    ) async throws -> AgentReply<Asked.Answer> {
        try await withAgent(
            setup, lock: lock, mode: mode, namesNoRoot: request.namesNoRoot, remembering: command,
            isForReading: isForReading, state: state
        ) { agent in
            let ended = try await interruptible(announcing: true) {
                try await showing({ try await agent.progress() }) { try await agent.answer(request) }
            }
            return AgentReply(ended)
        }
    }

    /// Runs an agent in this process on the profile's state while `body` runs.
    ///
    /// - Parameters:
    ///   - namesNoRoot: As for `Agent.run`.
    ///   - command: The command to remember as failed if no workplace can be made for it.
    ///   - isForReading: Whether a read-only storage is enough.
    ///   - state: Where the locked state is, if not where the profile has it.
    package func withAgent<Value: Sendable>(
        _ setup: Setup, lock: StateLock, mode: Agent.Mode = .pass, namesNoRoot: Bool = false,
        remembering command: LastRun.Command? = nil, isForReading: Bool = false, state: Locations? = nil,
        _ body: @escaping @Sendable (Agent) async throws -> Value
    ) async throws -> Value {
        let place: Workplace
        do {
            place = try await workplace(setup, isForReading: isForReading)
        } catch {
            // The first error matters more than a failure to remember it.
            if let command { try? await remember(error, as: LastRun(command, began: Date()), setup) }
            throw error
        }
        do {
            let locations = state ?? setup.locations
            var parts = try parts(setup, place, locations)
            parts.isBucketDoubtful = place.wasRepaired
            if mode == .watch {
                parts.hooks.supervisor = surroundings.supervisor
                parts.hooks.host = try surroundings.host()
                if setup.settings.page.enabled { parts.hooks.gate = Gate() }
            }
            let agent = try await Agent(parts, lock: lock)
            let control = try ControlServer(agent, locations: locations)
            try control.start()
            let value: Value
            do {
                value = try await agent.run(mode, namesNoRoot: namesNoRoot, body)
            } catch {
                await control.stop()
                throw error
            }
            await control.stop()
            await place.close()
            return value
        } catch {
            await place.close()
            throw error
        }
    }

    private func parts(_ setup: Setup, _ place: Workplace, _ locations: Locations) throws -> Agent.Setup {
        var parts = Agent.Setup(
            settings: setup.settings, locations: locations, destination: place.destination,
            transport: place.client, workers: try mediaWorkers(setup.settings), credentials: place.credentials)
        parts.profile = setup.loaded.profile
        parts.callSettings = setup.loaded.ofOptions
        parts.hooks = hooks(setup, place)
        parts.log = log(setup.settings.log)
        if let tail = parts.hooks.tail { parts.log = parts.log.copied(to: tail) }
        parts.rescue = try sources(setup, place)
        return parts
    }

    private func hooks(_ setup: Setup, _ place: Workplace) -> ProcessHooks {
        var hooks = ProcessHooks()
        hooks.tail = LogTail(cleanser: surroundings.cleanser)
        if let path = setup.settings.report.prometheusFile {
            let file = OutputFile(path: path, mark: Array(MetricsText.mark.utf8), kind: "file of metrics")
            // Its reader runs as another user.
            hooks.keepMetrics = { try file.write(Array($0.utf8), mode: 0o644) }
        }
        if let events { hooks.hear = { events.tell(Event($0)) } }
        hooks.readSettings = { [invocation, surroundings] in try? Setup(invocation, in: surroundings).settings }
        hooks.dropConnections = { [client = place.client] in client.renew() }
        hooks.setRate = { [client = place.client] in client.setLimit(bytesPerSecond: $0) }
        return hooks
    }

    private func sources(_ setup: Setup, _ place: Workplace) throws -> RescueSources {
        let sites = ProviderSites(setup, in: surroundings, transport: place.downloads)
        var sources = RescueSources(folder: setup.generated)
        sources.providers = try sites.all()
        sources.reread = { sites.reread($0) }
        sources.linkRules = sites.linkRules
        sources.polling.overall = setup.settings.rescue.jobTime
        sources.rows = place.rows
        if setup.settings.rescue.inbox { sources.inbox = place.inbox }
        sources.downloads = place.downloads
        return sources
    }

    /// Remembers a start that failed before there was an agent, if there is a library.
    ///
    /// The failure says nothing about the profile if options of this call name another destination.
    private func remember(_ error: any Error, as run: LastRun, _ setup: Setup) async throws {
        guard try FileFacts.existing(setup.locations.library) != nil else { return }
        let library = try Library(path: setup.locations.library)
        let known = try await library.fact(Library.destinationFact)
        let isOther = known.map { !$0.hasPrefix(Workplace.storageName(setup.settings.destination) + " ") } ?? false
        if !isOther || setup.loaded.ofOptions.isDisjoint(with: ["destination.url", "destination.local"]) {
            try await library.remember(run.ended(error, at: Date()))
        }
        try await library.close()
    }

    /// The answer of the lock's holder; `nil` if it ended before it was done.
    func reply<Asked: AgentRequest>(
        of holder: StateLock.Holder?, to request: Asked, _ setup: Setup
    ) async throws -> AgentReply<Asked.Answer>? {
        do {
            return try await ask(request, of: holder, setup)
        } catch let error as AgentEnding {
            guard try await hasEnded(holder, setup, within: .seconds(30)) else { throw error }
            // Gives a service that is being restarted time to take the lock first.
            try await Task.sleep(for: .milliseconds(300))
        } catch let error as AgentSilent {
            guard Asked.mayBeRepeated, try await hasEnded(holder, setup, within: .milliseconds(500)) else {
                throw error
            }
        }
        return nil
    }

    /// Whether `holder` loses the lock within that time.
    private func hasEnded(_ holder: StateLock.Holder?, _ setup: Setup, within limit: Duration) async throws -> Bool {
        let end = ContinuousClock.now + limit
        while try StateLock.holder(setup.locations) == holder {
            guard ContinuousClock.now < end else { return false }
            try await Task.sleep(for: .milliseconds(20))
        }
        return true
    }

    private func ask<Asked: AgentRequest>(
        _ request: Asked, of holder: StateLock.Holder?, _ setup: Setup
    ) async throws -> AgentReply<Asked.Answer> {
        guard let holder else { throw LockHeld(processID: nil) }
        let client = HTTPClient()
        defer { client.close() }
        try await compareSettings(besides: Asked.obeyedSettings, setup, holder, over: client)
        let control = ControlClient(socket: holder.controlSocket, transport: client)
        let ended = try await interruptible {
            try await showing({ try await control.progress() }) {
                try await answer(to: request, by: holder, over: client)
            }
        }
        return AgentReply(ended)
    }

    /// The log that `settings` describe, on standard error.
    package func log(_ settings: Settings.Log) -> Log {
        console.log(settings, cleanser: surroundings.cleanser)
    }
}

/// Another process holds the lock and cannot be asked.
package struct LockHeld: Error, CustomStringConvertible {
    let processID: Int32?

    /// An error about the process with this id; `nil` if the id is unknown.
    package init(processID: Int32?) {
        self.processID = processID
    }

    /// A sentence with the process and what to do.
    package var description: String {
        let holder = processID.map { "process \($0)" } ?? "another process"
        return "This profile's state is held by \(holder). Stop that one, or wait until it ends, and run this again."
    }
}

// MARK: - Progress and signals

extension Run {
    /// Shows `progress` five times a second while `body` runs, or writes it as an event once a second.
    package func showing<Value: Sendable>(
        _ progress: @escaping @Sendable () async throws -> Progress,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard events != nil || !invocation.isJSON && !invocation.isQuiet else { return try await body() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await display(progress)
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }

    private func display(_ progress: @Sendable () async throws -> Progress) async throws {
        var display = ProgressDisplay(console) { Terminal.columns(2) ?? 80 }
        var meter = RateMeter()
        defer { display.end() }
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: events == nil ? .milliseconds(200) : .seconds(1))
                var now = try await progress()
                meter.note(now.bytesDone, at: Date())
                now.rate = meter.isTelling ? meter.rate : 0
                if let events {
                    events.tell(Event(now))
                } else {
                    display.show(now, at: Date())
                }
            } catch {
                // The task was cancelled, or the agent is too busy to answer: the request itself reports how it ended.
                if Task.isCancelled { return }
            }
        }
    }

    /// Runs `body` until it ends or the first signal arrives.
    ///
    /// - Parameter announcing: Whether to tell the user that the signal was received, because requests end first.
    package func interruptible<Value: Sendable>(
        announcing: Bool = false, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Interruptible<Value> {
        try await withThrowingTaskGroup(of: Interruptible<Value>?.self) { group in
            group.addTask {
                guard let signal = await surroundings.interruption.wait() else { return nil }
                // Tells it at once, because `body` may take a moment to end.
                if announcing, !invocation.isQuiet { console.note("gallery-sync: \(Self.stopping(signal))") }
                return .interrupted(signal)
            }
            group.addTask { .finished(try await body()) }
            defer { group.cancelAll() }
            while let ended = try await group.next() {
                if let ended { return ended }
            }
            throw CancellationError()
        }
    }
}

extension Run {
    /// The message when the first signal arrives.
    package static func stopping(_ signal: Signal) -> String {
        let again = signal == .interrupt ? " Ctrl-C again stops at once." : ""
        return "Stopping; \(Quantity.text(Agent.grace)) for what runs.\(again)"
    }
}

/// The result of work that a signal may end.
package enum Interruptible<Value: Sendable>: Sendable {
    case finished(Value)
    case interrupted(Signal)
}

extension AgentReply {
    /// The reply that came, unless a signal came first.
    fileprivate init(_ ended: Interruptible<AgentReply>) {
        switch ended {
        case .finished(let reply): self = reply
        case .interrupted(let signal): self = .ended(.interrupted(signal.rawValue))
        }
    }
}

extension Run {
    /// The media workers in the settings; `nil` if thumbnails are off.
    ///
    /// Half as many as cores; as many as cores with `always`, for commands that only make thumbnails.
    package func mediaWorkers(_ settings: Settings, always: Bool = false) throws -> (any MediaExamining)? {
        guard settings.thumbnails.enabled || always else { return nil }
        let usual = always ? Host.cores : max(1, Host.cores / 2)
        var limits = MediaWorkerPool.Limits(count: settings.thumbnails.workers ?? usual)
        limits.memory = settings.media.memory
        limits.processorTime = Int(settings.media.cpuTime.seconds.rounded(.up))
        limits.time = settings.media.time
        limits.idle = settings.media.idle
        return MediaWorkerPool(program: try Self.mediaProgram(), limits: limits)
    }

    /// The media workers' executable.
    package static func mediaProgram() throws(SystemError) -> FilePath {
        try mediaProgram(of: Host.executable())
    }

    /// The executable beside the agent, as built, or below libexec, as installed.
    static func mediaProgram(of agent: FilePath) throws(SystemError) -> FilePath {
        let name: FilePath = "gallery-sync-media"
        let beside = agent.parent.appending(name)
        let installed = agent.parent.parent.appending("libexec/gallery-sync").appending(name)
        if try FileFacts.existing(beside) != nil { return beside }
        return try FileFacts.existing(installed) != nil ? installed : beside
    }
}
