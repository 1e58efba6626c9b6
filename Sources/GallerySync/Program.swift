import Cleansing
import CommandLine
import Configuration
import Gallery
import Glibc
import Output
import Platform

/// `gallery-sync`: parse, wire, run, exit.
@main enum Program {
    static func main() {
        StandardDescriptors.fill()
        Signals.block()
        OpenFileLimit.raise()
        ProcessMemory.sharePools()
        let surroundings = Surroundings.ofThisProcess
        do throws(SystemError) {
            try SystemThread.checkRoom(for: fewestThreads)
        } catch {
            surroundings.exit(complain(error, Arguments.all, in: surroundings))
        }
        // Not `exit`, because what libraries do at an exit would disturb the threads that are still at work.
        let exit: @Sendable (ExitCode) -> Never = { Glibc._exit($0.rawValue) }
        let signals = surroundings.interruption.signals(exit: exit)
        let code = MainThread.wait {
            await surroundings.interruption.listening(to: signals, exit: exit) {
                await run(Arguments.all, in: surroundings)
            }
        }
        surroundings.exit(code)
    }

    /// Runs the command that `words` name; errors are written to standard error.
    static func run(_ words: [[UInt8]], in surroundings: Surroundings) async -> ExitCode {
        do {
            let invocation = try Invocation(words, home: surroundings.home)
            let console = surroundings.console(invocation.colour)
            return try await Run(invocation: invocation, surroundings: surroundings, console: console).perform()
        } catch {
            return complain(error, words, in: surroundings)
        }
    }

    /// The threads that every command needs at least: for signals, the pool, the state and the network.
    private static let fewestThreads = 8

    private static func complain(_ error: any Error, _ words: [[UInt8]], in surroundings: Surroundings) -> ExitCode {
        if let stopped = error as? StoppedAsking { return ExitCode(stopped.signal) }
        let code = ExitCode(error)
        // A reader that closed the output needs no error about it.
        guard code != .readerGone else { return code }
        surroundings.console(.auto).complain(
            ErrorDocument.words(of: error), ErrorDocument(error), isJSON: asksForJSON(words), by: surroundings.cleanser)
        return code
    }

    /// Whether the words ask for JSON, even if they are otherwise wrong.
    private static func asksForJSON(_ words: [[UInt8]]) -> Bool {
        words.prefix { $0 != Array("--".utf8) }.contains(Array("--json".utf8))
    }
}
