package import Configuration
import FoundationEssentials
package import Providers
import Text

/// Examines one configured provider: whether its key is accepted, for what, and how long its links live.
package struct ProviderExamination: Sendable {
    let name: ProviderName
    let key: Result<AccountKey?, SettingsError>
    let site: (any Provider)?

    /// An examination of the account at `name`; `site` is `nil` where its key or URL is missing.
    package init(_ name: ProviderName, key: Result<AccountKey?, SettingsError>, site: (any Provider)?) {
        self.name = name
        self.key = key
        self.site = site
    }

    /// Lists the jobs that end just now, and asks about one that does not exist; neither costs anything.
    package func finding() async -> Finding {
        let found: AccountKey?
        do throws(SettingsError) {
            found = try key.get()
        } catch {
            return .wrong(name.rawValue, "\(error)")
        }
        guard let site else { return .wrong(name.rawValue, Settings.Providers.missing(name)) }
        let source = found.map { "key from \($0.origin)" } ?? "it needs no key"
        let (list, question) = (await listing(site), await asking(site))
        switch (list, question) {
        case (.works, .works), (.works, .none), (.none, .works):
            let may = Self.may(list: list == .works, ask: question == .works)
            let start = found == nil ? "it answers, and needs no key" : "\(source), accepted"
            return .fine(name.rawValue, "\(start): \(may); \(Self.lifetime(of: site))")
        case (.works, .refused(let words)), (.works, .unproven(let words)):
            return .doubtful(
                name.rawValue, "\(source): \(Self.may(list: true, ask: false)), not ask about them: \(words)")
        case (.refused(let words), .works), (.unproven(let words), .works):
            return .doubtful(name.rawValue, "\(source): \(Self.may(list: false, ask: true)), not list them: \(words)")
        case (.none, .none):
            return .fine(
                name.rawValue,
                "\(source), not tried: there is no call for it that costs nothing; \(Self.lifetime(of: site))")
        case (.refused(let words), _), (_, .refused(let words)):
            return .wrong(name.rawValue, Self.refusal(of: found, at: name) + " It says: \(words)")
        case (.unproven(let words), _), (_, .unproven(let words)):
            return .doubtful(name.rawValue, "\(source), not proven: \(words)")
        }
    }

    private static func refusal(of key: AccountKey?, at name: ProviderName) -> String {
        key.map { "The key from \($0.origin) is refused: put the right one there." }
            ?? "Nothing is permitted there: look at the server at providers.\(name.rawValue).url."
    }

    private static func may(list: Bool, ask: Bool) -> String {
        switch (list, ask) {
        case (true, true): "it may list jobs and ask about them"
        case (true, false): "it may list jobs"
        default: "it may ask about jobs"
        }
    }

    private static func lifetime(of site: any Provider) -> String {
        guard let lifetime = site.lifetime else { return "how long links live is not documented" }
        return "links live \(Quantity.text(lifetime)) as a rule"
    }
}

// MARK: - The two calls

extension ProviderExamination {
    private enum Outcome: Hashable {
        case works
        /// The provider has no such call.
        case none
        case refused(String)
        case unproven(String)
    }

    private func listing(_ site: any Provider) async -> Outcome {
        do throws(ProviderError) {
            _ = try await site.finished(since: Date())
            return .works
        } catch {
            return Self.outcome(of: error)
        }
    }

    /// Asks about a job that does not exist: any answer except a refusal of the key shows that the key was accepted.
    private func asking(_ site: any Provider) async -> Outcome {
        guard let job = Self.absent(at: name) else { return .none }
        do throws(ProviderError) {
            _ = try await site.status(of: job)
            return .works
        } catch {
            guard [.missing, .expired, .refused].contains(error.kind) else { return Self.outcome(of: error) }
            return .works
        }
    }

    private static func outcome(of error: ProviderError) -> Outcome {
        switch error.kind {
        case .unsupported: .none
        case .unauthorized: .refused(error.message)
        default: .unproven(error.message)
        }
    }

    /// A job that no provider has; `nil` if even its name would need one of the user's projects.
    private static func absent(at name: ProviderName) -> JobReference? {
        let id = "00000000-0000-4000-8000-000000000000"
        switch name {
        case .vertex: return nil
        case .gemini: return JobReference(name, "models/veo-3.1-generate-preview/operations/\(id)")
        case .storyToVideo: return JobReference(name, "projects/\(id)")
        case .fal: return JobReference(name, id, model: "fal-ai/veo3.1")
        default: return JobReference(name, id)
        }
    }
}
