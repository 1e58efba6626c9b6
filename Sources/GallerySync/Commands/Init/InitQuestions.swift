import CommandLine
import Configuration
import Gallery
import Platform
import SetUp
import Supabase
import Sync
import Text
import Uploading

/// The questions of `init`: at most six, each skipped if an option answers it.
struct InitQuestions: Sendable {
    let request: InitRequest
    /// Whether the profile is new; an existing one keeps its folders.
    let isNew: Bool
    /// The settings from options, variables and an existing profile: the default answers.
    let known: LoadedSettings
    /// The key that the profile already has.
    let presentKey: AccountKey?
    let home: FilePath
    /// Asks, and returns what was typed; `nil` at the end of input.
    let ask: Asking
    /// Tells the user why an answer is not accepted.
    let tell: @Sendable (String) -> Void

    typealias Asking = @Sendable (_ question: String, _ isSecret: Bool) async throws -> String?

    /// Asks for what is not known yet; throws if the input ends early.
    func answers() async throws -> ProfileAnswers {
        var answers = ProfileAnswers()
        let paths = request.isRestoring ? [] : try await roots()
        answers.draft.destination = try await destination()
        if !answers.draft.destination.local {
            answers.draft.destination.keyFile = request.keyFile ?? known.settings.destination.keyFile
            let isGiven = request.keyFile != nil || presentKey?.origin == AccountKey.variable
            if !isGiven, !isFixed("destination.keyFile") { answers.key = try await key() }
        }
        let isAsked = isNew && !request.isRestoring
        let isAutomatic = isAsked ? try await isAutomatic() : request.isAutomatic ?? true
        answers.draft.roots = paths.map { Settings.Root(path: $0, autoUpload: isAutomatic) }
        return answers
    }
}

extension InitQuestions {
    private func roots() async throws -> [FilePath] {
        let present = known.settings.roots.map(\.path)
        if !request.roots.isEmpty {
            return request.roots.filter { path in
                !present.contains { $0 == path || path.relative(to: $0) != nil }
            }
        }
        if !present.isEmpty {
            let names = present.map(\.display).joined(separator: ", ")
            return try await asked(
                "Which other folder, besides \(names)? (empty for none)", standard: "", option: "DIR"
            ) {
                $0.isEmpty ? .taken([]) : AnswerReading.folder($0, home: home).map { present.contains($0) ? [] : [$0] }
            }
        }
        let pictures = home.appending("Pictures")
        let standard = AnswerReading.isDirectory(pictures) ? "~/Pictures" : ""
        return try await asked("Which folder holds your photos and videos?", standard: standard, option: "DIR") {
            text in
            text.isEmpty ? .refused("Name a folder.") : AnswerReading.folder(text, home: home).map { [$0] }
        }
    }

    private func destination() async throws -> Settings.Destination {
        var destination = known.settings.destination
        if !isFixed("destination.url"), !isFixed("destination.local") {
            destination.url = try await url(destination.url ?? (destination.local ? "local" : ""))
            destination.local = destination.url == nil
        }
        guard !destination.local else { return known.localDestination }
        if !isFixed("destination.bucket") {
            (destination.bucket, destination.prefix) = try await place(destination)
        }
        if let url = destination.url, StorageBudget.isHosted(url), !isFixed("destination.storageBudget") {
            destination.storageBudget = try await budget(destination.storageBudget)
        }
        return destination
    }

    /// Asks for the project's URL; `nil` means a copy on this computer.
    func url(_ standard: String) async throws -> String? {
        let question = "Where to? (a Supabase project's URL, or \"local\" for a second copy on this computer only)"
        return try await asked(question, standard: standard, option: "--url URL or --local", read: AnswerReading.url)
    }

    /// Asks for bucket and prefix in one question, because few computers share a bucket.
    func place(_ destination: Settings.Destination) async throws -> (bucket: String, prefix: String) {
        let question = "Which bucket? (BUCKET/PREFIX where computers share one)"
        let standard = Destination.place(destination.bucket, destination.prefix)
        return try await asked(question, standard: standard, option: "--yes", read: AnswerReading.place)
    }

    /// Asks for the storage budget; `nil` leaves it at what every plan allows.
    private func budget(_ known: StorageAllowance?) async throws -> StorageAllowance? {
        let free = Quantity.text(bytes: StorageBudget.unknownPlan)
        let question = "How much does its plan store? (\"free\" for \(free), a size like 90GB, or \"unlimited\")"
        let standard =
            switch known {
            case nil: "free"
            case .unlimited?: "unlimited"
            // Not rounded, because an empty answer writes what is offered here.
            case .bytes(let bytes)?: Quantity.exact(bytes: bytes)
            }
        return try await asked(question, standard: standard, option: "--budget SIZE", read: AnswerReading.budget)
    }

    /// Asks for the key; `nil` if the present key stays, or there is none.
    func key() async throws -> String? {
        let empty =
            presentKey.map { "empty for the one from \($0.origin)" }
            ?? "empty to sign in with \"gallery-sync login\", or to set GALLERY_SYNC_KEY"
        let key: String = try await asked(
            "Its service key? (not shown; \(empty))", standard: "", option: "--key-file FILE", isSecret: true,
            read: AnswerReading.key)
        return key.isEmpty ? nil : key
    }

    private func isAutomatic() async throws -> Bool {
        if let isAutomatic = request.isAutomatic { return isAutomatic }
        return try await asked(
            "Send everything by itself, new files too?", standard: "yes",
            option: "--yes, or --manual to send only what is named"
        ) { text in
            switch text.lowercased() {
            case "y", "yes": .taken(true)
            case "n", "no": .taken(false)
            default: .refused("Answer yes or no.")
            }
        }
    }
}

extension InitQuestions {
    /// Asks until an answer is accepted; an empty answer means `standard`.
    private func asked<Value>(
        _ question: String, standard: String, option: String, isSecret: Bool = false,
        read: (String) -> SetUpReading<Value>
    ) async throws -> Value {
        if request.acceptsDefaults, case .taken(let value) = read(standard) { return value }
        guard !request.acceptsDefaults else {
            throw unanswered(option)
        }
        while true {
            let hint = standard.isEmpty ? "" : " [\(standard)]"
            guard let typed = try await ask(question + hint + " ", isSecret) else {
                throw unanswered(option)
            }
            let answer = typed.trimmed
            switch read(answer.isEmpty ? standard : answer) {
            case .taken(let value): return value
            case .refused(let reason): tell(reason)
            }
        }
    }

    private func unanswered(_ option: String) -> UsageError {
        UsageError(message: "Nothing can be asked here; add \(option).", command: "init")
    }

    /// Whether an option or a variable sets `key`, so that there is nothing to ask.
    private func isFixed(_ key: String) -> Bool {
        switch known.origin(of: key) {
        case .flag, .environment: true
        case .standard, .file, .remembered: false
        }
    }
}

extension String {
    /// The text without the spaces around it; spaces inside may belong to a name.
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
