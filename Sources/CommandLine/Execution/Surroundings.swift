package import Cleansing
import Configuration
package import Desktop
import Gallery
package import Output
package import Platform
import Providers

/// Everything outside the program that a command may use, so that tests can replace it.
package struct Surroundings: Sendable {
    /// The variables of the environment.
    package var environment: [String: String]
    /// `nil` if it was deleted or cannot be looked at.
    var workingDirectory: FilePath?
    /// The number of the user who runs the program.
    package var user: UInt32
    var accountHome: FilePath?
    /// Standard output.
    package var results: OpenFile
    /// Standard error.
    package var notes: OpenFile
    var resultsAreTerminal = false
    var notesAreTerminal = false
    /// Whether a person can answer questions.
    package var isInteractive = false
    /// Reads the answer to a question, without its newline; `nil` at the end of input, or when cancelled.
    var answer: @Sendable (_ isSecret: Bool) async throws -> String?
    /// The first signal that asks the program to end.
    package var interruption = Interruption()
    /// The service manager that wants to know how a watch is; `nil` if this process is not a service.
    package var supervisor: Supervisor?
    /// Makes a link to the desktop; `nil` if the desktop is to be ignored.
    package var host: @Sendable () throws -> (any HostLink)? = { nil }
    /// Ends the process.
    package var exit: @Sendable (ExitCode) -> Never
}

extension Surroundings {
    /// The variable that holds the password of the users of `serve`.
    package static let servePasswordVariable = "GALLERY_SYNC_SERVE_PASSWORD"

    /// The directory that `~` stands for; `nil` if none is known.
    package var home: FilePath? {
        try? LocationRequest(environment: environment, user: user, accountHome: accountHome).home()
    }

    /// A cleanser that hides the secrets in the environment.
    package var cleanser: Cleanser {
        // Every name of this form is a key's, including keys of providers that only the configuration knows.
        let keys = environment.keys.filter { $0.hasPrefix("GALLERY_SYNC_") && $0.hasSuffix("_KEY") }.sorted()
        let variables = ["GALLERY_SYNC_JWT_SECRET", Self.servePasswordVariable] + keys
        return Cleanser(hiding: variables.compactMap { environment[$0] })
    }

    /// A console on standard output and standard error.
    package func console(_ colour: ColourChoice) -> Console {
        var capabilities = Console.Capabilities(
            colour, environment: environment, resultsAreTerminal: resultsAreTerminal,
            notesAreTerminal: notesAreTerminal)
        // A stream that cannot be examined counts as no journal.
        capabilities.isJournal = JournalStream.isNamed(by: environment["JOURNAL_STREAM"], try? notes.facts())
        return Console(results: results, notes: notes, capabilities: capabilities) {
            [resultsAreTerminal, notesAreTerminal] stream in
            (stream == .results ? resultsAreTerminal : notesAreTerminal) ? Terminal.columns(stream.rawValue) : nil
        }
    }

    /// `path` as an absolute one; a relative path starts at the working directory, and is refused if that is gone.
    package func absolute(_ path: FilePath) throws(UsageError) -> FilePath {
        if path.isAbsolute { return path }
        guard let workingDirectory else {
            throw UsageError(
                message: "The current directory is gone or not yours to see, so \(path.display) names nothing: "
                    + "change to another one, or write the path from / on.")
        }
        let rest = path.components.filter { $0 != [UInt8(ascii: ".")] }
        // The parent of / is / itself; SQLite opens no path that begins with "/..".
        return rest.reduce(workingDirectory) { path, name in
            path == "/" && name == [0x2E, 0x2E] ? path : path.appending(name)
        }
    }
}
