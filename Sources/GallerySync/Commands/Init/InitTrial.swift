import Access
import CommandLine
import Configuration
import Diagnosis
import Gallery
import Output
import Platform
import Records
import Roots
import SetUp
import Supabase
import Text
import Transfer

/// Tries a destination before the configuration names it, and asks again after a wrong answer.
struct InitTrial: Sendable {
    let run: Run
    let edit: ProfileEdit
    let questions: InitQuestions

    /// What is left to do after a successful trial.
    struct Outcome {
        var code = ExitCode.success
        /// The command to run next; `nil` for the usual one.
        var next: String?
    }

    /// Tries `answers` until they are right; without a terminal, a wrong answer throws `Refusal`.
    func run(_ answers: inout ProfileAnswers) async throws -> Outcome {
        guard !answers.draft.destination.local, questions.request.tries else { return Outcome() }
        var offered: String?
        while true {
            let setup = try edit.setup(answers.draft, run.invocation, in: run.surroundings)
            let key = if let typed = answers.typedKey { typed } else { try await setup.key(in: run.surroundings) }
            let result = try await tried(setup, key, offered)
            guard let wrong = result.wrong else { return told(result) }
            guard mayAskAgain(wrong.answer, setup, key) else { throw Refusal(named(wrong, setup, key)) }
            run.console.note(DisplayText.safe(wrong.sentence))
            switch wrong.answer {
            case .url:
                answers.draft.destination.url = try await questions.url(setup.settings.destination.url ?? "")
                guard answers.draft.destination.url != nil else {
                    answers.draft.destination = questions.known.localDestination
                    return Outcome()
                }
            case .key:
                answers.key = try await questions.key()
                if answers.key != nil { answers.draft.destination.keyFile = nil }
            case .bucket:
                offered = setup.settings.destination.bucket
                (answers.draft.destination.bucket, answers.draft.destination.prefix) =
                    try await questions.place(answers.draft.destination)
            }
        }
    }

    /// Whether to ask the question again: there is a terminal, and no variable decides the answer.
    private func mayAskAgain(_ answer: DestinationTrial.Wrong.Answer, _ setup: Setup, _ key: AccountKey?) -> Bool {
        guard run.surroundings.isInteractive, !questions.request.acceptsDefaults else { return false }
        let setting = answer == .url ? "destination.url" : "destination.bucket"
        if answer == .key { return key?.origin != AccountKey.variable }
        if case .environment = setup.loaded.origin(of: setting) { return false }
        return true
    }

    /// How the program ends because of a wrong answer, naming the option, variable or file that gave it.
    private func named(_ wrong: DestinationTrial.Wrong, _ setup: Setup, _ key: AccountKey?) -> Ending {
        let setting = wrong.answer == .url ? "destination.url" : "destination.bucket"
        var source = "\(questions.known.origin(of: setting))"
        if questions.known.origin(of: setting) == .standard { source = setting }
        let value = wrong.answer == .url ? setup.settings.destination.url ?? "" : setup.settings.destination.bucket
        let place = wrong.answer == .key ? key?.origin ?? "The key" : "\(source) \(value)"
        let stop = wrong.sentence.hasSuffix(".") ? "" : "."
        let sentence = "\(place): \(wrong.sentence)\(stop) Nothing was written; --no-try writes it untried."
        return wrong.ending.saying(sentence)
    }
}

extension InitTrial {
    private func tried(
        _ setup: Setup, _ key: AccountKey?, _ offered: String?
    ) async throws -> DestinationTrial.Result {
        var trial = DestinationTrial(run)
        let isGivenTwice = offered == setup.settings.destination.bucket
        if questions.request.isRestoring {
            trial.missingBucket = .refused
        } else if isGivenTwice || questions.request.acceptsDefaults {
            trial.missingBucket = .made
        } else {
            trial.missingBucket = run.surroundings.isInteractive ? .confirmed : .left
        }
        return try await trial.result(setup, key)
    }

    /// Tells the user what was tried.
    private func told(_ result: DestinationTrial.Result) -> Outcome {
        let console = run.console
        let told = result.findings.filter { $0.result == .wrong || !run.invocation.isQuiet }
        if !told.isEmpty { console.note(FindingLines.text(told, console.notePaint, columns: Run.columns(of: 2))) }
        var outcome = Outcome()
        if !result.isSignedIn { outcome.next = "login" }
        guard result.findings.contains(where: { $0.result == .wrong }) else { return outcome }
        outcome.code = ExitCode(result.findings)
        outcome.next = "doctor"
        return outcome
    }
}
