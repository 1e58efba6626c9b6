import CommandLine
import Output

/// `service`: the systemd user unit that runs `watch`.
struct ServiceRequest: Command, Hashable {
    enum Action: String, CaseIterable {
        case install, remove, status, logs
    }

    var action: Action
    /// Whether the unit is printed instead of installed.
    var prints = false
    /// Whether further lines of the log are shown as they come.
    var follows = false

    var hasJSON: Bool { !prints && action != .logs }

    func perform(in run: Run) async throws -> ExitCode { try await run.service(self) }
}
