/// What the set-up page needs from the program that serves it.
package protocol SetUpHost: Sendable {
    /// What is known before the user has answered anything.
    func beginning() async throws -> SetUpBeginning

    /// The folders whose paths begin with `text`, in the same notation; at most 50.
    func folders(_ text: String) throws -> [String]

    /// Tries the answers; reports each finding as soon as it is made, and writes nothing.
    func trial(_ answers: SetUpAnswers, tell: @escaping @Sendable (SetUpFinding) -> Void) async throws -> SetUpVerdict

    /// Signs a user in at the destination of the answers, or has a code sent; the session is saved.
    func signIn(_ typed: SetUpSignIn) async throws -> SetUpSignInOutcome

    /// Writes answers that a trial has accepted, and starts the agent if that is possible.
    func start(_ answers: SetUpAnswers) async throws -> SetUpOutcome

    /// A link to the page of the agent that runs with the profile; `nil` while none runs.
    func agentPage() async throws -> String?
}

/// What the set-up page shows before the user has answered anything.
package struct SetUpBeginning: Encodable, Hashable, Sendable {
    private let schema = "gallery-sync/setup/1"
    private let profile: String
    private let configuration: String
    private let folders: [String]
    private let offers: [String]
    private let url: String
    private let place: String
    private let keyOrigin: String?

    /// The profile and its file, its folders, other folders that exist, and what is known about the destination.
    package init(
        profile: String, configuration: String, folders: [String], offers: [String], url: String, place: String,
        keyOrigin: String?
    ) {
        (self.profile, self.configuration, self.folders, self.offers) = (profile, configuration, folders, offers)
        (self.url, self.place, self.keyOrigin) = (url, place, keyOrigin)
    }

    private enum CodingKeys: CodingKey { case schema, profile, configuration, folders, offers, url, place, keyOrigin }
}

/// What the user typed in the set-up page.
package struct SetUpAnswers: Decodable, Hashable, Sendable {
    /// Absolute, or below `~/`.
    package let folders: [String]
    /// The project's address, or `local`.
    package let url: String
    /// `BUCKET` or `BUCKET/PREFIX`.
    package let place: String
    /// `free`, a size, or `unlimited`; empty where nothing limits it.
    package let budget: String
    /// Empty to keep the present one, or for none; never logged and never sent back.
    package let key: String
    /// Whether to create a missing bucket.
    package var makesBucket: Bool
}

/// The result of one check, in the words of `init` and `doctor`.
package struct SetUpFinding: Encodable, Hashable, Sendable {
    let name: String
    private let result: String
    private let sentence: String
    private let sql: String?

    /// A check's name, its result in one word, its finding, and SQL that would remedy it.
    package init(name: String, result: String, sentence: String, sql: String?) {
        (self.name, self.result, self.sentence, self.sql) = (name, result, sentence, sql)
    }
}

/// Whether the answers may be written, and which of them prevent it.
package struct SetUpVerdict: Encodable, Hashable, Sendable {
    private let schema = "gallery-sync/setup-verdict/1"
    /// Whether they may be written.
    let isRight: Bool
    private let troubles: [Trouble]
    private let findings: [SetUpFinding]
    private let mayMakeBucket: Bool
    private let needsSignIn: Bool

    /// Why an answer is not accepted.
    package struct Trouble: Encodable, Hashable, Sendable {
        /// The answer's name, or `form` for none of them.
        package let field: String
        private let sentence: String

        /// `field` is `folders`, `url`, `bucket`, `budget`, `key`, `email`, `password`, `code`, or `form`.
        package init(_ field: String, _ sentence: String) { (self.field, self.sentence) = (field, sentence) }
    }

    /// A verdict; the answers are right if there is no trouble.
    package init(
        _ findings: [SetUpFinding] = [], troubles: [Trouble] = [], mayMakeBucket: Bool = false,
        needsSignIn: Bool = false
    ) {
        isRight = troubles.isEmpty
        (self.findings, self.troubles) = (findings, troubles)
        (self.mayMakeBucket, self.needsSignIn) = (mayMakeBucket, needsSignIn)
    }

    private enum CodingKeys: CodingKey { case schema, isRight, troubles, findings, mayMakeBucket, needsSignIn }
}

/// What was written and started.
package struct SetUpOutcome: Encodable, Hashable, Sendable {
    private let schema = "gallery-sync/setup-outcome/1"
    private let sentences: [String]
    private let command: String?

    /// Sentences for the user, and the command that the user must still run, if any.
    package init(sentences: [String], command: String?) {
        (self.sentences, self.command) = (sentences, command)
    }

    private enum CodingKeys: CodingKey { case schema, sentences, command }
}
