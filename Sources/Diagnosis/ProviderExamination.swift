package import Configuration
import FoundationEssentials
package import Providers

/// Examines one configured provider: whether its key is there, and is accepted.
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

    /// Asks for the jobs that end just now, which costs nothing, where the provider has such a list.
    package func finding() async -> Finding {
        let found: AccountKey?
        do throws(SettingsError) {
            found = try key.get()
        } catch {
            return .wrong(name.rawValue, "\(error)")
        }
        guard let site else { return .wrong(name.rawValue, Settings.Providers.missing(name)) }
        let source = found.map { "key from \($0.origin)" } ?? "it needs no key"
        do throws(ProviderError) {
            _ = try await site.finished(since: Date())
            return .fine(name.rawValue, found == nil ? "it answers" : "\(source), accepted")
        } catch {
            switch error.kind {
            case .unsupported:
                return .fine(name.rawValue, "\(source), not tried: there is no call for it that costs nothing")
            case .unauthorized:
                return .wrong(
                    name.rawValue, "The \(source) is refused: put the right one there. It says: \(error.message)")
            default: return .doubtful(name.rawValue, "\(source), not proven: \(error.message)")
            }
        }
    }
}
