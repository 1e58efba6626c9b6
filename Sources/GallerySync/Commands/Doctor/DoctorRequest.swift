import CommandLine
import Output

/// `doctor`: finds problems at the destination and on this computer.
struct DoctorRequest: Command {
    func perform(in run: Run) async throws -> ExitCode { try await run.doctor() }
}
