import CommandLine
import Output

/// `service`: manages the systemd user unit that runs `watch`.
struct ServiceRequest: Command, Hashable {
    enum Action: String, CaseIterable {
        case install, remove, status, logs
    }

    var action: Action
    /// Whether to print the unit instead of installing it.
    var prints = false
    /// Whether to go on with new lines of the log as they come.
    var follows = false

    var hasJSON: Bool { !prints && action != .logs }

    func perform(in run: Run) async throws -> ExitCode { try await run.service(self) }
}
