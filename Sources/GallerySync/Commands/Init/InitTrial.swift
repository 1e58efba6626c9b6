import Access
import Catalog
import Configuration
import Diagnosis
import Gallery
import Output
import Platform
import Supabase
import Text
import Transfer

/// Tries a destination before the configuration names it, and has wrong answers given again.
struct InitTrial: Sendable {
    let run: Run
    let edit: ProfileEdit
    let questions: InitQuestions
    /// The name of the scratch object; another computer may try the same bucket.
    private let name = Randomness.bytes(8).hexadecimal

    /// What a trial that was passed leaves to do.
    struct Outcome {
        var code = ExitCode.success
        /// What to run first; `nil` for the usual command.
        var next: String?
    }

    /// An answer that cannot be right, and why.
    private struct Wrong {
        enum Answer { case url, key, bucket }
        let answer: Answer
        let sentence: String
        let ending: Ending
    }

    /// Tries `answers` until they are right; without a terminal, a wrong one throws `Refusal`.
    func run(_ answers: inout InitQuestions.Answers) async throws -> Outcome {
        guard !answers.draft.destination.local, questions.request.tries else { return Outcome() }
        var offered: String?
        while true {
            let setup = try edit.setup(answers.draft, run.invocation, in: run.surroundings)
            let typed = answers.key.map { AccountKey(secret: $0, origin: "your answer") }
            let key = if let typed { typed } else { try await setup.key(in: run.surroundings) }
            let (findings, wrong) = try await tried(setup, key, offered)
            guard let wrong else { return told(findings, isSignedIn: findings.contains { $0.name == "key" }) }
            guard mayAskAgain(wrong.answer, setup, key) else { throw Refusal(named(wrong, setup, key)) }
            run.console.note(DisplayText.safe(wrong.sentence))
            switch wrong.answer {
            case .url:
                answers.draft.destination.url = try await questions.url(setup.settings.destination.url ?? "")
                answers.draft.destination.local = answers.draft.destination.url == nil
                if answers.draft.destination.local { return Outcome() }
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

    /// Whether the question can be put again: there is a terminal, and no variable decides it.
    private func mayAskAgain(_ answer: Wrong.Answer, _ setup: Setup, _ key: AccountKey?) -> Bool {
        guard run.surroundings.isInteractive, !questions.request.acceptsDefaults else { return false }
        let setting = answer == .url ? "destination.url" : "destination.bucket"
        if answer == .key { return key?.origin != AccountKey.variable }
        if case .environment = setup.loaded.origin(of: setting) { return false }
        return true
    }

    /// How the program ends over a wrong answer, with the option, variable or file that gave it.
    private func named(_ wrong: Wrong, _ setup: Setup, _ key: AccountKey?) -> Ending {
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

// MARK: - Trying

extension InitTrial {
    private func tried(
        _ setup: Setup, _ key: AccountKey?, _ offered: String?
    ) async throws -> (findings: [Finding], wrong: Wrong?) {
        let url = setup.settings.destination.url ?? ""
        let client = HTTPClient(userAgent: "gallery-sync/\(Version.text)")
        defer { client.close() }
        let session = try Session.find(setup.locations, url: url, apiKey: key?.secret, transport: client)
        guard session != nil || key.map({ !$0.kind.opensNothing }) == true else {
            return try await reached(setup, key, client)
        }
        let place = try await Workplace(setup, in: run.surroundings, key: key)
        let examined = try await run.interruptible { () -> (findings: [Finding], wrong: Wrong?) in
            if let missing = try await bucketMissing(place, offered) { return ([], missing) }
            let findings = await examination(place.storage, place.destination, setup).findings()
            return (findings, Self.wrong(among: findings))
        }
        if case .interrupted = examined {
            await examination(place.storage, place.destination, setup).sweep()
        }
        await place.close()
        switch examined {
        case .finished(let result): return result
        case .interrupted(let signal): throw StoppedAsking(signal: signal)
        }
    }

    private func examination(
        _ storage: StorageClient, _ destination: Destination, _ setup: Setup
    ) -> DestinationExamination {
        DestinationExamination(
            storage: storage, destination: destination,
            allowsPublic: setup.settings.destination.allowPublicBucket, name: name)
    }

    /// What can be tried before a sign-in: whether the server answers, and knows the key.
    private func reached(
        _ setup: Setup, _ key: AccountKey?, _ client: HTTPClient
    ) async throws -> (findings: [Finding], wrong: Wrong?) {
        let settings = setup.settings.destination
        let endpoint = StorageEndpoint(base: Workplace.base(of: settings.url ?? ""))
        let credentials = StorageCredentials(key: key?.secret ?? "", origin: key?.origin)
        let examination = examination(
            StorageClient(endpoint: endpoint, credentials: credentials, transport: client),
            Destination(endpoint: endpoint, bucket: settings.bucket, prefix: settings.prefix), setup)
        let reached = try await run.interruptible { await examination.reach() }
        guard case .finished(var findings) = reached else {
            if case .interrupted(let signal) = reached { throw StoppedAsking(signal: signal) }
            return ([], nil)
        }
        let wrong = Self.wrong(among: findings)
        if wrong == nil, let key {
            findings.append(
                .doubtful(
                    "sign-in",
                    "the \(key.kind) from \(key.origin) is no service key: it opens nothing by itself, and "
                        + "\"gallery-sync login\" signs in with it."))
        } else if wrong == nil {
            findings.append(
                .doubtful("sign-in", "no key yet: \"gallery-sync login\" signs in, or GALLERY_SYNC_KEY holds a key."))
        }
        return (findings, wrong)
    }

    /// A missing bucket, which is made where its name was given twice or nothing is to be asked.
    private func bucketMissing(_ place: Workplace, _ offered: String?) async throws -> Wrong? {
        let name = place.destination.bucket
        do throws(StorageError) {
            _ = try await place.storage.bucket(name)
            return nil
        } catch {
            // Every other trouble is found again, and named, by the examination.
            guard error.isBucketMissing, try await place.credentials(nil).kind.opensProject else { return nil }
        }
        if questions.request.isRestoring {
            let sentence = "Bucket \"\(name)\" does not exist there: there is nothing to restore."
            return Wrong(answer: .bucket, sentence: sentence, ending: .needsHuman(sentence))
        }
        guard offered == name || questions.request.acceptsDefaults else {
            guard run.surroundings.isInteractive else { return nil }
            let sentence = "Bucket \"\(name)\" does not exist yet. Name it again, and it is made, private."
            return Wrong(answer: .bucket, sentence: sentence, ending: .needsHuman(sentence))
        }
        do throws(StorageError) {
            try await place.storage.createBucket(name)
        } catch {
            let sentence = "Bucket \"\(name)\" could not be made: \(error)"
            return Wrong(answer: .bucket, sentence: sentence, ending: Ending(error).saying(sentence))
        }
        run.console.note("Made the private bucket \"\(name)\".")
        return nil
    }

    /// The first finding that an answer is to blame for; a missing policy or a wrong clock is no answer.
    private static func wrong(among findings: [Finding]) -> Wrong? {
        let answers: [String: Wrong.Answer] = [
            "connection": .url, "TLS": .url, "key": .key, "sign-in": .key, "bucket": .bucket,
        ]
        for finding in findings where finding.result == .wrong {
            guard let answer = answers[finding.name] else { continue }
            return Wrong(
                answer: answer, sentence: finding.sentence, ending: finding.ending ?? .needsHuman(finding.sentence))
        }
        return nil
    }

    /// Says what was tried.
    private func told(_ findings: [Finding], isSignedIn: Bool) -> Outcome {
        let console = run.console
        console.note(FindingLines.text(findings, console.notePaint))
        var outcome = Outcome()
        if !isSignedIn { outcome.next = "login" }
        guard findings.contains(where: { $0.result == .wrong }) else { return outcome }
        outcome.code = ExitCode(findings)
        outcome.next = "doctor"
        return outcome
    }
}

extension Ending {
    /// The same end with another sentence.
    fileprivate func saying(_ sentence: String) -> Ending {
        switch self {
        case .temporary: .temporary(sentence)
        case .notPermitted: .notPermitted(sentence)
        case .full: .full(sentence)
        default: .needsHuman(sentence)
        }
    }
}
