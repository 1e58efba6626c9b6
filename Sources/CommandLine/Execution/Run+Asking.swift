package import Output
package import Platform

extension Run {
    /// Asks on a terminal, and reads the next line of standard input; `nil` at its end.
    ///
    /// Throws `StoppedAsking` if a signal comes before the answer.
    package func answer(to question: String, isSecret: Bool = false) async throws -> String? {
        let isInteractive = surroundings.isInteractive
        if isInteractive { console.ask(question) }
        let answered = try await interruptible { try await surroundings.answer(isSecret) }
        switch answered {
        case .finished(let answer):
            // Hidden input leaves the cursor on the line of the question.
            if isInteractive, isSecret || answer == nil { console.ask("\n") }
            return answer
        case .interrupted(let signal):
            if isInteractive { console.ask("\n") }
            throw StoppedAsking(signal: signal)
        }
    }

    /// Whether the answer to `question` is yes; everything else, and no answer, means no.
    package func isYes(to question: String) async throws -> Bool {
        let answer = try await answer(to: question + " [y/N] ")?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// The exit code if the user does not agree; `nil` if the command goes on.
    package func refusal(of question: String) async throws -> ExitCode? {
        if try await isYes(to: question) { return nil }
        console.note("Nothing was done.")
        return .interrupted
    }
}

/// A signal came while a question waited for its answer; there is nothing to say about it.
package struct StoppedAsking: Error {
    /// The signal that came.
    package let signal: Signal

    /// Asking was stopped by `signal`.
    package init(signal: Signal) {
        self.signal = signal
    }
}
