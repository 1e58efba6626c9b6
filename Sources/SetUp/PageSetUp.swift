package import CommandLine
import Configuration
package import Dashboard
import Diagnosis
import Output
import Platform
import Records
import Sync
import Synchronization
import Text

/// The set-up page: it asks what `init` asks on a terminal, with the same checks, words and files.
package final class PageSetUp: SetUpHost {
    let run: Run
    private let agentLink: @Sendable () async throws -> String?
    private let startService: @Sendable () async throws -> [String]
    let locations: Locations
    private let home: FilePath
    private let profile: String
    /// The last answers that a trial accepted, with the key that opens the destination.
    private let right = Mutex<SetUpAnswers?>(nil)
    private let handedOver = AsyncStream.makeStream(of: Void.self)

    /// The set-up of the profile that `run` is about.
    ///
    /// - Parameters:
    ///   - agentLink: A link to the page of the running agent; `nil` if none runs.
    ///   - startService: Installs and starts the service; returns sentences about it. Throws `Refusal` if none can be.
    package init(
        _ run: Run, agentLink: @escaping @Sendable () async throws -> String?,
        startService: @escaping @Sendable () async throws -> [String]
    ) throws {
        let request = try Setup.locationRequest(run.invocation, in: run.surroundings)
        (home, locations, profile) = (try request.home(), try Locations(for: request), request.profile)
        (self.run, self.agentLink, self.startService) = (run, agentLink, startService)
    }

    /// Returns when the page has gone on to that of an agent.
    package func end() async {
        for await _ in handedOver.stream { return }
    }

    /// The profile as it is now; the file may be edited meanwhile.
    func edit() throws -> ProfileEdit { try ProfileEdit(profile, locations: locations, home: home) }

    /// What the configuration and this computer tell before the user is asked.
    package func beginning() async throws -> SetUpBeginning {
        let edit = try edit()
        let known = try edit.known(run.invocation, in: run.surroundings).settings
        let destination = known.destination
        let offers = ["Pictures", "Videos", "DCIM"].filter { AnswerReading.isDirectory(home.appending($0)) }
        return SetUpBeginning(
            profile: profile, configuration: locations.configuration.display,
            folders: known.roots.map(\.path.display), offers: offers.map { "~/\($0)" }, url: destination.url ?? "",
            place: Destination.place(destination.bucket, destination.prefix),
            keyOrigin: try await run.presentKey(edit, known.destination)?.origin)
    }

    /// The folders whose paths begin with `text`.
    package func folders(_ text: String) throws -> [String] { FolderCompletion.folders(text, home: home) }

    /// A link to the running agent's page; returning one ends the set-up.
    package func agentPage() async throws -> String? {
        guard let link = try await agentLink() else { return nil }
        handedOver.continuation.yield()
        return link
    }
}

// MARK: - Try

extension PageSetUp {
    /// Tries answers as `init` does; accepted ones may be started with.
    package func trial(
        _ typed: SetUpAnswers, tell: @escaping @Sendable (SetUpFinding) -> Void
    ) async throws -> SetUpVerdict {
        right.withLock { $0 = nil }
        let edit = try edit()
        let (answers, troubles) = try read(typed, edit)
        guard troubles.isEmpty else { return SetUpVerdict(troubles: troubles) }
        let result: DestinationTrial.Result
        do {
            result = try await tried(answers, edit, makesBucket: typed.makesBucket) { findings in
                for finding in findings { tell(SetUpFinding(finding)) }
            }
        } catch let refusal as Refusal {
            return SetUpVerdict(troubles: [.init("form", "\(refusal)")])
        }
        let room = Finding.room(answers.draft.destination)
        let findings = (result.findings + [room]).map { SetUpFinding($0) }
        tell(SetUpFinding(room))
        if let wrong = result.wrong {
            return SetUpVerdict(
                findings, troubles: [.init(wrong.answer.rawValue, DisplayText.safe(wrong.sentence))],
                mayMakeBucket: result.mayMakeBucket, needsSignIn: result.needsSignIn)
        }
        if result.isSignedIn || answers.draft.destination.local { right.withLock { $0 = typed } }
        return SetUpVerdict(findings, mayMakeBucket: result.mayMakeBucket, needsSignIn: result.needsSignIn)
    }

    private func tried(
        _ answers: ProfileAnswers, _ edit: ProfileEdit, makesBucket: Bool,
        tell: @escaping @Sendable ([Finding]) -> Void
    ) async throws -> DestinationTrial.Result {
        guard !answers.draft.destination.local else { return DestinationTrial.Result(findings: []) }
        var trial = DestinationTrial(run)
        trial.missingBucket = makesBucket ? .made : .left
        (trial.tell, trial.wayIn) = (tell, "you can sign in below")
        let setup = try edit.setup(answers.draft, run.invocation, in: run.surroundings)
        let key = if let typed = answers.typedKey { typed } else { try await setup.key(in: run.surroundings) }
        return try await trial.result(setup, key)
    }

    /// The meaning of the answers, and why some are not accepted.
    func read(
        _ typed: SetUpAnswers, _ edit: ProfileEdit
    ) throws -> (ProfileAnswers, [SetUpVerdict.Trouble]) {
        var (answers, troubles) = (ProfileAnswers(), [SetUpVerdict.Trouble]())
        func take<Value>(_ field: String, _ reading: SetUpReading<Value>) -> Value? {
            switch reading {
            case .taken(let value): return value
            case .refused(let reason):
                troubles.append(.init(field, reason))
                return nil
            }
        }
        let loaded = try edit.known(run.invocation, in: run.surroundings)
        let known = loaded.settings
        var destination = typed.url == "local" ? loaded.localDestination : known.destination
        let present = known.roots.map(\.path)
        var folders: [FilePath] = []
        for text in typed.folders {
            guard let folder = take("folders", AnswerReading.folder(text, home: home)) else { continue }
            if !folders.contains(folder) { folders.append(folder) }
        }
        if typed.folders.isEmpty { troubles.append(.init("folders", "Name a folder.")) }
        troubles += trouble(with: folders, beside: present.filter { !folders.contains($0) })
        answers.draft.roots = folders.filter { !present.contains($0) }.map { Settings.Root(path: $0) }
        destination.url = take("url", AnswerReading.url(typed.url)) ?? nil
        destination.local = typed.url == "local"
        if !destination.local {
            if let place = take("bucket", AnswerReading.place(typed.place)) {
                (destination.bucket, destination.prefix) = place
            }
            if !typed.budget.isEmpty, let budget = take("budget", AnswerReading.budget(typed.budget)) {
                destination.storageBudget = budget
            }
            if let key = take("key", AnswerReading.key(typed.key)), !key.isEmpty {
                answers.key = key
                destination.keyFile = nil
            }
        }
        answers.draft.destination = destination
        return (answers, troubles)
    }

    /// Why folders cannot be kept safe: this program fills them, or they contain each other or one of `present`.
    private func trouble(with folders: [FilePath], beside present: [FilePath]) -> [SetUpVerdict.Trouble] {
        let own = folders.compactMap { OwnPlaces(locations).refusal(of: $0) }
        return (own + AnswerReading.troubles(among: present + folders)).map { .init("folders", $0) }
    }
}

// MARK: - Start

extension PageSetUp {
    /// Writes the profile, and starts the service that keeps it safe.
    package func start(_ typed: SetUpAnswers) async throws -> SetUpOutcome {
        guard right.withLock({ $0 }) == typed else {
            throw PageRefusal(
                status: 409, message: "These answers were not found right.", next: "Try them, then start.")
        }
        let edit = try edit()
        var (answers, _) = try read(typed, edit)
        try await run.keep(&answers, edit)
        let wrote = "Wrote \(locations.configuration)."
        do {
            return SetUpOutcome(sentences: [wrote] + (try await startService()), command: nil)
        } catch let refusal as Refusal {
            return SetUpOutcome(sentences: [wrote, "\(refusal)"], command: run.command("watch", profile: profile))
        }
    }
}

extension SetUpFinding {
    fileprivate init(_ finding: Finding) {
        self.init(
            name: finding.name, result: finding.result.rawValue, sentence: DisplayText.safe(finding.sentence),
            sql: finding.sql)
    }
}
