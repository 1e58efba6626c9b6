import Cleansing
import Output

/// One command being carried out.
struct Run: Sendable {
    let invocation: Invocation
    let surroundings: Surroundings
    let console: Console
    /// Takes what a long command tells under `--json`; `nil` for all others.
    let events: EventStream?

    init(invocation: Invocation, surroundings: Surroundings, console: Console) {
        self.invocation = invocation
        self.surroundings = surroundings
        self.console = console
        events = invocation.isJSON && invocation.command.teller != nil ? EventStream(console) : nil
    }

    /// Carries the command out.
    func perform() async throws -> ExitCode {
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
