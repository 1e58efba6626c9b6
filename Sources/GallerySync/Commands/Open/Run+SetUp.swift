import CommandLine
import Configuration
import Dashboard
import Gallery
import Output
import Platform
import SetUp

extension Run {
    /// Serves the set-up as a page, until it has led to the page of an agent, or a signal comes.
    func setUp(_ request: OpenRequest, _ setup: Setup) async throws -> ExitCode {
        let gate = Gate()
        let host = try PageSetUp(self)
        let server = PageServer(gate: gate, setUp: host, log: log(setup.settings.log))
        try server.start()
        guard let link = gate.link() else { return .internalError }
        try await show(link, request)
        if !invocation.isQuiet {
            console.note(
                "Nothing is set up yet: the page asks what to keep safe, and where to. Ctrl-C ends it; "
                    + "\"gallery-sync init\" asks the same in a terminal.")
        }
        let ended = try await interruptible { await host.end() }
        await server.stop()
        if case .interrupted(let signal) = ended { return ExitCode(signal) }
        return .success
    }
}

extension PageSetUp {
    /// The set-up of the profile of `run`, which can do what `open` and `service` do.
    convenience init(_ run: Run) throws {
        // Read anew each time, because the answers of the set-up change the settings.
        let setup: @Sendable () throws -> Setup = { try Setup(run.invocation, in: run.surroundings) }
        try self.init(
            run, agentLink: { try await run.pageLink(setup()) },
            startService: { try await run.startService(setup()).sentences })
    }
}
