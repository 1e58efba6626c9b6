package import Configuration
package import FoundationEssentials
import Records
import Reporting
package import Supabase
import Sync
import Text
import Transfer
import Uploading

/// Examines a destination by requests: whether it answers, which user it takes us for, and what it permits.
package struct DestinationExamination: Sendable {
    let storage: StorageClient
    let destination: Destination
    let allowsPublic: Bool
    let clock: @Sendable () -> Date
    private let name: String
    /// The contents to compare with the bucket's limits; `nil` if none are known yet.
    private let contents: GalleryContents?

    /// An examination of the bucket of `destination` through `storage`.
    ///
    /// - Parameters:
    ///   - allowsPublic: Whether a public bucket is accepted.
    ///   - name: The name of the scratch object, new for each examination.
    ///   - contents: The contents to compare with the bucket's limits.
    package init(
        storage: StorageClient, destination: Destination, allowsPublic: Bool, name: String,
        contents: GalleryContents? = nil,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.storage = storage
        self.destination = destination
        self.allowsPublic = allowsPublic
        self.name = name
        self.contents = contents
        self.clock = clock
    }

    /// Examines everything, each step after those it depends on, and stops at the first failure that ends it.
    ///
    /// Stores a scratch object and removes it.
    ///
    /// - Parameter tell: Gets the findings as they are made, some at a time.
    package func findings(telling tell: @Sendable ([Finding]) -> Void = { _ in }) async -> [Finding] {
        var findings: [Finding] = []
        func add(_ more: [Finding]) {
            findings += more
            tell(more)
        }
        let credentials: StorageCredentials
        do throws(StorageError) {
            credentials = try await storage.credentials(nil)
        } catch {
            add([.wrong("sign-in", error)])
            return findings
        }
        let knock = await storage.knock(clock: clock)
        add(connection(knock))
        if let trouble = trouble(of: credentials, knock) {
            add([trouble])
            return findings
        }
        guard !knock.isFatal else {
            add([key(credentials)])
            return findings
        }
        let (bucket, isThere) = await bucket(credentials.kind)
        // Some servers check the key only with this request.
        add((bucket.first?.name == "key" ? [] : [key(credentials)]) + bucket)
        guard isThere else { return findings }
        let trial = scratch
        add((await trial.run()).findings(bucket: destination.bucket, kind: credentials.kind))
        return findings
    }

    /// The findings before a sign-in: only whether the server answers.
    package func reach() async -> [Finding] {
        let knock = await storage.knock(clock: clock)
        guard let key = try? await storage.credentials(nil), key.apiKey?.isEmpty == false,
            let trouble = trouble(of: key, knock)
        else { return connection(knock) }
        return connection(knock) + [trouble]
    }

    /// Removes the scratch object that an interrupted examination may have left; idempotent.
    ///
    /// - Parameter limit: How long to wait for a server that does not answer, because the user is waiting, too.
    package func sweep(within limit: Duration = .seconds(5)) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scratch.sweep() }
            // The task group cancels this if the sweep ends sooner.
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// The trial, below the same prefix as real objects.
    private var scratch: ScratchTrial {
        ScratchTrial(storage, bucket: destination.bucket, folder: destination.prefix, name: name)
    }
}

extension DestinationExamination {
    private func connection(_ knock: Reachability) -> [Finding] {
        let base = destination.isLocal ? "this computer" : destination.endpoint.address
        if let error = knock.error, knock.isFatal, !error.isAboutKey {
            return [
                unreachable(error) ?? ofOther("connection", error)
                    ?? .wrong(error.isAboutTLS ? "TLS" : "connection", error)
            ] + time(knock)
        }
        return [.fine("connection", "\(base) answers")] + encryption + time(knock)
    }

    private func unreachable(_ error: StorageError) -> Finding? {
        guard case .noAnswer(let lost) = error, lost.kind == .unreachable else { return nil }
        let sentence = Sentence.text("\(error)", next: "Check the network and destination.url.")
        return .wrong("connection", sentence, ending: Ending(error))
    }

    /// The finding if something other than the storage answers, such as a network that requires a sign-in of its own.
    private func ofOther(_ name: String, _ error: StorageError) -> Finding? {
        guard error.untrustedSentence == nil else { return nil }
        switch error {
        case .unreadable: break
        case .refused(let refusal): guard Self.statusesOfPortals.contains(refusal.httpStatus) else { return nil }
        case .signedOut, .noAnswer: return nil
        }
        let next =
            "Something else answers in its place. In a hotel or a train, open a page in the browser and sign in to the "
            + "network first; elsewhere check destination.url."
        return .wrong(name, Sentence.text("\(error)", next: next), ending: Ending(error))
    }

    /// Redirections to a sign-in page, and the status that was made for it (RFC 6585, 6).
    private static let statusesOfPortals = [302, 303, 307, 511]

    /// Whether requests are encrypted; empty if requests never leave this computer.
    private var encryption: [Finding] {
        let base = destination.endpoint.base
        if base.hasPrefix("https://") { return [.fine("TLS", "encrypted, and the certificate is good")] }
        guard destination.endpoint.unixSocket == nil, !destination.endpoint.isLoopback else { return [] }
        return [
            .doubtful(
                "TLS",
                "\(destination.endpoint.address) is not encrypted: the key and every file can be read on the way.")
        ]
    }

    private func time(_ knock: Reachability) -> [Finding] {
        guard let skew = knock.skew else { return [] }
        return [skew.warning.map { .wrong("clock", $0) } ?? .fine("clock", "agrees with the server's")]
    }

    private func key(_ credentials: StorageCredentials) -> Finding {
        let kind = credentials.kind
        if destination.isLocal { return .fine("key", "\(kind), made by this computer") }
        let text = credentials.origin.map { "\(kind) from \($0)" } ?? "\(kind)"
        return kind.warning.map { .doubtful("key", "\(text). \($0)") } ?? .fine("key", text)
    }

    /// Why the key must be wrong: it belongs to another project, or the server refuses it.
    private func trouble(of credentials: StorageCredentials, _ knock: Reachability) -> Finding? {
        let base = destination.endpoint.address
        if let theirs = TokenClaims(credentials.bearer)?.project, let ours = destination.endpoint.project,
            theirs != ours
        {
            let key = credentials.origin.map { "The key from \($0)" } ?? "The key"
            let reason =
                "\(key) belongs to the project \(theirs), and \(base) is \(ours): put that project's key there."
            return .wrong("key", reason, ending: .notPermitted(reason))
        }
        guard let error = knock.error, error.isAboutKey else { return nil }
        // A wrong clock, which can make a key invalid, has a finding of its own.
        guard knock.skew?.warning != nil else { return refused(error) }
        let reason = error.sentence(at: clock())
        return .wrong("key", "refused, which a wrong clock alone may cause", ending: .notPermitted(reason))
    }

    private func refused(_ error: StorageError) -> Finding {
        let reason = error.sentence(at: clock())
        return .wrong("key", reason, ending: .notPermitted(reason))
    }
}

extension DestinationExamination {
    /// The findings about the bucket, and whether rights can be tried in it, as far as is visible.
    private func bucket(_ kind: KeyKind) async -> ([Finding], isThere: Bool) {
        do throws(StorageError) {
            let bucket = try await storage.bucket(destination.bucket)
            return ([visible(bucket)] + (contents?.findings(bucket) ?? []), true)
        } catch {
            switch error.answerClass {
            case .notThere, .denied(by: .storage): return ([invisible(kind)], !kind.opensProject)
            case .signIn, .wrongKind: return ([refused(error)], false)
            default: return ([ofOther("storage", error) ?? misplaced(error) ?? .wrong("bucket", error)], false)
            }
        }
    }

    /// The finding if what answers knows no buckets at all.
    private func misplaced(_ error: StorageError) -> Finding? {
        Self.wrongAddress(error).map { .wrong("storage", $0, ending: .needsHuman($0)) }
    }

    private func visible(_ bucket: Bucket) -> Finding {
        let limit = bucket.fileSizeLimit.map { ", takes files up to \(Quantity.text(bytes: $0))" } ?? ""
        guard bucket.isPublic else { return .fine("bucket", "\(bucket.name) is private\(limit)") }
        let reason = Self.publicBucket(bucket.name)
        if allowsPublic {
            return .doubtful("bucket", "\(bucket.name) is public, as destination.allowPublicBucket says")
        }
        return .wrong(
            "bucket", reason, sql: ProjectSQL.privateBucket(bucket.name), ending: .needsHuman(reason))
    }

    /// The finding for a bucket that is not visible: keys for the whole project see all, users need a policy.
    private func invisible(_ kind: KeyKind) -> Finding {
        let name = destination.bucket
        if kind.opensProject {
            return .doubtful("bucket", "\(name) does not exist yet; \"gallery-sync sync\" makes it, private.")
        }
        return Finding(
            name: "bucket", result: .doubtful,
            sentence: "\(name) does not exist, or this sign-in may not see whether it is private.",
            sql: ProjectSQL.bucketVisibility(name))
    }
}

extension Reachability {
    /// Whether further requests are pointless; a refusal of another kind shows that the server works.
    fileprivate var isFatal: Bool {
        switch error?.answerClass {
        case nil: error != nil
        case .retry, .destinationClosed, .signIn, .wrongKind, .denied(by: .proxy): true
        default: false
        }
    }
}

extension StorageError {
    /// Whether the server answered, but refused the key or token of the request.
    fileprivate var isAboutKey: Bool {
        switch answerClass {
        case .signIn, .wrongKind: true
        default: false
        }
    }

    fileprivate var isAboutTLS: Bool {
        if case .noAnswer(let lost) = self { [.secure, .untrusted].contains(lost.kind) } else { false }
    }
}

extension DestinationExamination {
    /// What to do if the answer about a bucket shows that no storage answers; a missing bucket has words of its own.
    package static func wrongAddress(_ error: StorageError) -> String? {
        guard case .refused(let refusal) = error, refusal.httpStatus == 404 else { return nil }
        return "What answers is no Supabase Storage: \(error). Give the project's address, such as "
            + "https://abc.supabase.co (destination.url)."
    }

    /// What is wrong with a bucket that anyone can read, and what to do.
    package static func publicBucket(_ name: String) -> String {
        "Bucket \"\(name)\" is public: anyone who guesses a name sees your photos and where they were taken. "
            + "Make it private, or set allowPublicBucket to true."
    }
}
