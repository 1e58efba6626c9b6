import Desktop
import Glibc
import Output
import Platform

extension Surroundings {
    /// The surroundings of this process.
    package static var ofThisProcess: Surroundings {
        Surroundings(
            environment: Environment.all, workingDirectory: try? FilePath.workingDirectory(),
            user: Host.userID,
            accountHome: Host.homeDirectory, results: OpenFile(descriptor: STDOUT_FILENO),
            notes: OpenFile(descriptor: STDERR_FILENO), resultsAreTerminal: Terminal.isTerminal(STDOUT_FILENO),
            notesAreTerminal: Terminal.isTerminal(STDERR_FILENO),
            isInteractive: Terminal.isTerminal(STDIN_FILENO) && Terminal.isTerminal(STDERR_FILENO),
            answer: { isSecret in try await Terminal.line(of: STDIN_FILENO, isHidden: isSecret) },
            supervisor: Supervisor.ofThisProcess, host: { try BusLink() }, exit: { code in Glibc.exit(code.rawValue) })
    }
}
