import Cleansing
package import Output

/// One command being carried out.
package struct Run: Sendable {
    /// What the command line asked for.
    package let invocation: Invocation
    /// Everything outside the program that the command may use.
    package let surroundings: Surroundings
    /// Where results and notes go.
    package let console: Console
    /// Takes the events of a long command under `--json`; `nil` for all other commands.
    package let events: EventStream?

    /// A run of the command of `invocation`.
    package init(invocation: Invocation, surroundings: Surroundings, console: Console) {
        self.invocation = invocation
        self.surroundings = surroundings
        self.console = console
        events = invocation.isJSON && invocation.command.teller != nil ? EventStream(console) : nil
    }

    /// Carries the command out.
    package func perform() async throws -> ExitCode {
        guard let events, let name = invocation.command.teller else {
            return try await invocation.command.perform(in: self)
        }
        return try await events.framing(name) {
            (surroundings.cleanser.text("\($0)"), ExitCode($0))
        } _: {
            try await invocation.command.perform(in: self)
        }
    }
}
