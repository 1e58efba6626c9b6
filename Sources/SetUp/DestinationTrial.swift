import Access
package import CommandLine
package import Configuration
package import Diagnosis
import Gallery
import Output
import Platform
package import Records
import Supabase
import Text
import Transfer

/// Tries a destination as a profile would use it, before the configuration names it.
package struct DestinationTrial: Sendable {
    let run: Run
    /// What to do if the bucket does not exist yet.
    package var missingBucket = MissingBucket.left
    /// How the user can sign in, as said where the trial was asked for.
    package var wayIn = "\"gallery-sync login\" signs in"
    /// Gets the findings as they are made.
    package var tell: @Sendable ([Finding]) -> Void = { _ in }
    /// The name of the scratch object, random because another computer may try the same bucket.
    private let name = Randomness.bytes(8).hexadecimal

    /// A trial with the settings and the console of `run`.
    package init(_ run: Run) { self.run = run }

    /// What to do if there is no bucket.
    package enum MissingBucket {
        /// Make it, as a private one.
        case made
        /// Leave that to the first sync.
        case left
        /// Make it only if the user gives its name again.
        case confirmed
        /// Refuse it, because there would be nothing to restore.
        case refused
    }

    /// The findings of a trial, and what they mean for the answers.
    package struct Result: Sendable {
        /// In the order of the trial.
        package var findings: [Finding]
        /// The answer that must be changed; `nil` if none is wrong.
        package var wrong: Wrong?
        /// Whether the key could make the bucket, which does not exist.
        package var mayMakeBucket: Bool

        /// What was found.
        package init(findings: [Finding], wrong: Wrong? = nil, mayMakeBucket: Bool = false) {
            self.findings = findings
            self.wrong = wrong
            self.mayMakeBucket = mayMakeBucket
        }

        /// Whether there is something to sign in with.
        package var isSignedIn: Bool { findings.contains { $0.name == "key" } }
        /// Whether a user has to sign in, for the first time or again.
        package var needsSignIn: Bool { findings.contains { $0.name == "sign-in" && $0.result != .fine } }
    }

    /// An answer that is certainly wrong, and why.
    package struct Wrong: Sendable {
        /// The questions whose answers a destination can refuse.
        package enum Answer: String { case url, key, bucket }
        /// The wrong answer.
        package let answer: Answer
        /// Why, for people.
        package let sentence: String
        /// The ending of a command that cannot ask again.
        package let ending: Ending
    }

    /// Tries the destination of `setup` with `key`; throws `StoppedAsking` if a signal comes first.
    package func result(_ setup: Setup, _ key: AccountKey?) async throws -> Result {
        let url = setup.settings.destination.url ?? ""
        let client = HTTPClient(userAgent: "gallery-sync/\(Version.text)")
        defer { client.close() }
        let session = try Session.find(setup.locations, url: url, apiKey: key?.secret, transport: client)
        guard session != nil || key.map({ !$0.kind.opensNothing }) == true else {
            return try await reached(setup, key, client)
        }
        let place = try await Workplace(setup, in: run.surroundings, key: key)
        let examined = try await run.interruptible { () -> Result in
            let (missing, isMissing) = try await bucketMissing(place)
            if let missing { return Result(findings: [], wrong: missing) }
            let findings = await examination(place.storage, place.destination, setup).findings(telling: tell)
            return Result(findings: findings, wrong: Self.wrong(among: findings), mayMakeBucket: isMissing)
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
}

extension DestinationTrial {
    private func examination(
        _ storage: StorageClient, _ destination: Destination, _ setup: Setup
    ) -> DestinationExamination {
        DestinationExamination(
            storage: storage, destination: destination,
            allowsPublic: setup.settings.destination.allowPublicBucket, name: name)
    }

    /// The trials that need no sign-in: whether the server answers, and knows the key.
    private func reached(_ setup: Setup, _ key: AccountKey?, _ client: HTTPClient) async throws -> Result {
        let settings = setup.settings.destination
        let endpoint = StorageEndpoint(base: Workplace.base(of: settings.url ?? ""))
        let credentials = StorageCredentials(key: key?.secret ?? "", origin: key?.origin)
        let examination = examination(
            StorageClient(endpoint: endpoint, credentials: credentials, transport: client),
            Destination(endpoint: endpoint, bucket: settings.bucket, prefix: settings.prefix), setup)
        let reached = try await run.interruptible { await examination.reach() }
        switch reached {
        case .interrupted(let signal): throw StoppedAsking(signal: signal)
        case .finished(var findings):
            let wrong = Self.wrong(among: findings)
            if wrong == nil { findings.append(signIn(key)) }
            tell(findings)
            return Result(findings: findings, wrong: wrong)
        }
    }

    private func signIn(_ key: AccountKey?) -> Finding {
        guard let key else {
            return .doubtful("sign-in", "no key yet: \(wayIn), or GALLERY_SYNC_KEY holds a key.")
        }
        return .doubtful(
            "sign-in",
            "the \(key.kind) from \(key.origin) is no service key: it opens nothing by itself, and \(wayIn) with it.")
    }

    /// Whether the bucket is still missing, and what that means for its name.
    private func bucketMissing(_ place: Workplace) async throws -> (Wrong?, isMissing: Bool) {
        let name = place.destination.bucket
        do throws(StorageError) {
            _ = try await place.storage.bucket(name)
            return (nil, false)
        } catch {
            // The examination finds and names every other trouble.
            guard error.isBucketMissing, try await place.credentials(nil).kind.opensProject else {
                return (nil, false)
            }
        }
        switch missingBucket {
        case .left: return (nil, true)
        case .refused:
            return (Self.wrong("Bucket \"\(name)\" does not exist there: there is nothing to restore."), true)
        case .confirmed:
            return (Self.wrong("Bucket \"\(name)\" does not exist yet. Name it again, and it is made, private."), true)
        case .made: return (await unmade(name, at: place), false)
        }
    }

    private static func wrong(_ sentence: String) -> Wrong {
        Wrong(answer: .bucket, sentence: sentence, ending: .needsHuman(sentence))
    }

    /// Makes the bucket; returns why it could not be made.
    private func unmade(_ name: String, at place: Workplace) async -> Wrong? {
        do throws(StorageError) {
            try await place.storage.createBucket(name)
        } catch {
            let sentence = "Bucket \"\(name)\" could not be made: \(error)"
            return Wrong(answer: .bucket, sentence: sentence, ending: Ending(error).saying(sentence))
        }
        run.remark("Made the private bucket \"\(name)\".")
        return nil
    }

    /// The first finding whose cause is an answer, which a missing policy or a wrong clock is not.
    private static func wrong(among findings: [Finding]) -> Wrong? {
        let answers: [String: Wrong.Answer] = [
            "connection": .url, "TLS": .url, "storage": .url, "key": .key, "sign-in": .key, "bucket": .bucket,
        ]
        for finding in findings where finding.result == .wrong {
            guard let answer = answers[finding.name] else { continue }
            return Wrong(
                answer: answer, sentence: finding.sentence, ending: finding.ending ?? .needsHuman(finding.sentence))
        }
        return nil
    }
}

extension Ending {
    /// The same ending with another sentence.
    package func saying(_ sentence: String) -> Ending {
        switch self {
        case .temporary: .temporary(sentence)
        case .notPermitted: .notPermitted(sentence)
        case .full: .full(sentence)
        case .disk: .disk(sentence)
        default: .needsHuman(sentence)
        }
    }
}
