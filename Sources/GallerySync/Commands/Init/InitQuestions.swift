import Configuration
import Gallery
import Platform
import Sync
import Text

/// The questions of `init`: at most six, each skipped where an option answers it.
struct InitQuestions {
    let request: InitRequest
    /// Whether the profile is new; for an existing one only the destination is asked for.
    let isNew: Bool
    /// The settings that options and variables give.
    let known: LoadedSettings
    let home: FilePath
    /// Asks, and returns what was typed; `nil` at the end of input.
    let ask: Asking
    /// Tells the user why an answer is not accepted.
    let tell: (String) -> Void

    typealias Asking = (_ question: String, _ isSecret: Bool) async throws -> String?

    /// The user's answers.
    struct Answers: Hashable {
        var draft = ProfileDraft()
        /// A key that was typed, to be kept in the keyring or a file of its own.
        var key: String?
    }

    /// Asks for what is not known yet; throws where the input ends early.
    func answers() async throws -> Answers {
        var answers = Answers()
        let paths = isNew ? try await roots() : []
        answers.draft.destination = try await destination()
        if !answers.draft.destination.local {
            answers.draft.destination.keyFile = request.keyFile
            if request.keyFile == nil, !known.isGiven("destination.keyFile") { answers.key = try await key() }
        }
        let isAutomatic = isNew ? try await isAutomatic() : true
        answers.draft.roots = paths.map { Settings.Root(path: $0, autoUpload: isAutomatic) }
        return answers
    }
}

extension InitQuestions {
    private func roots() async throws -> [FilePath] {
        if !request.roots.isEmpty { return request.roots }
        let pictures = home.appending("Pictures")
        let standard = Self.isDirectory(pictures) ? "~/Pictures" : ""
        return try await asked("Which folder holds your photos and videos?", standard: standard, option: "DIR") {
            text in
            if text.isEmpty { return .refused("Name a folder.") }
            let path = text.hasPrefix("~/") ? home.appending(String(text.dropFirst(2))) : FilePath(text)
            guard path.isAbsolute else { return .refused("Begin with / or ~/.") }
            return Self.isDirectory(path) ? .taken([path]) : .refused("\(path) is no directory.")
        }
    }

    private func destination() async throws -> Settings.Destination {
        var destination = known.settings.destination
        if !destination.isChosen {
            let question = "Where to? (a Supabase project's URL, or \"local\" for a second copy on this computer only)"
            destination.url = try await asked(question, standard: "", option: "--url URL or --local") { text in
                if text == "local" { return .taken(nil) }
                return Self.check(text, as: "destination.url").map(Optional.some)
            }
            destination.local = destination.url == nil
        }
        guard !destination.local else { return destination }
        (destination.bucket, destination.prefix) = try await place(destination)
        if let url = destination.url, StorageBudget.isHosted(url), !known.isGiven("destination.storageBudget") {
            destination.storageBudget = try await budget()
        }
        return destination
    }

    /// The bucket and the prefix; one question for both, since few computers share a bucket.
    private func place(_ destination: Settings.Destination) async throws -> (bucket: String, prefix: String) {
        let chosen = (destination.bucket, destination.prefix)
        if known.isGiven("destination.bucket") { return chosen }
        let question = "Which bucket? (BUCKET/PREFIX where computers share one)"
        let standard = destination.prefix.isEmpty ? destination.bucket : "\(destination.bucket)/\(destination.prefix)"
        return try await asked(question, standard: standard, option: "--yes") { text in
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch (
                Self.check(parts[0], as: "destination.bucket"),
                Self.check(parts.dropFirst().first ?? "", as: "destination.prefix")
            ) {
            case (.taken(let bucket), .taken(let prefix)): return .taken((bucket, prefix))
            case (.refused(let reason), _), (_, .refused(let reason)): return .refused(reason)
            }
        }
    }

    /// The storage budget; `nil` leaves it at what every plan allows.
    private func budget() async throws -> StorageAllowance? {
        let free = Quantity.text(bytes: StorageBudget.unknownPlan)
        let question = "How much does its plan store? (\"free\" for \(free), a size like 90GB, or \"unlimited\")"
        return try await asked(question, standard: "free", option: "--budget SIZE") { text in
            if text == "free" { return .taken(nil) }
            guard case .taken = Self.check(text, as: "destination.storageBudget") else {
                return .refused("Answer \"free\", a size like 90GB, or \"unlimited\".")
            }
            if text == "unlimited" { return .taken(.unlimited) }
            return Quantity.bytes(text).map { .taken(.bytes($0)) } ?? .refused("Name a size like 90GB.")
        }
    }

    private func key() async throws -> String? {
        let key: String = try await asked(
            "Its service key? (not shown; empty to set GALLERY_SYNC_KEY instead)", standard: "",
            option: "--key-file FILE", isSecret: true
        ) { text in
            text.contains(where: \.isWhitespace) ? .refused("A key is one word.") : .taken(text)
        }
        return key.isEmpty ? nil : key
    }

    private func isAutomatic() async throws -> Bool {
        if let isAutomatic = request.isAutomatic { return isAutomatic }
        return try await asked("Send everything by itself, new files too?", standard: "yes", option: "--manual") {
            text in
            switch text.lowercased() {
            case "y", "yes": .taken(true)
            case "n", "no": .taken(false)
            default: .refused("Answer yes or no.")
            }
        }
    }

}

extension InitQuestions {
    private enum Reading<Value> {
        case taken(Value)
        case refused(String)

        func map<Other>(_ change: (Value) -> Other) -> Reading<Other> {
            switch self {
            case .taken(let value): .taken(change(value))
            case .refused(let reason): .refused(reason)
            }
        }
    }

    /// Asks until an answer is accepted; an empty answer means `standard`.
    private func asked<Value>(
        _ question: String, standard: String, option: String, isSecret: Bool = false, read: (String) -> Reading<Value>
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
            let answer = typed.split(separator: " ").joined(separator: " ")
            switch read(answer.isEmpty ? standard : answer) {
            case .taken(let value): return value
            case .refused(let reason): tell(reason)
            }
        }
    }

    private func unanswered(_ option: String) -> UsageError {
        UsageError(message: "Nobody answers; add \(option).", command: "init")
    }

    private static func check(_ text: String, as key: String) -> Reading<String> {
        guard let reason = Setting.named(key)?.refusal(of: text) else { return .taken(text) }
        return .refused("It " + reason)
    }

    private static func isDirectory(_ path: FilePath) -> Bool {
        (try? FileFacts.existing(path))?.kind == .directory
    }
}

extension LoadedSettings {
    /// Whether a file, a variable or an option gave the setting its value.
    func isGiven(_ key: String) -> Bool { origin(of: key) != .standard }
}
