import Configuration
import Providers

/// What came of asking for another link to a file whose link has ended.
enum LinkRenewal: Hashable, Sendable {
    /// A fresh link, or the same one again.
    case named(RemoteMedia)
    /// There is no other, for this reason.
    case none(String)
    /// The provider's key is refused or missing: it waits until that is mended.
    case barred(String)
    /// No answer came; being offline is not limited.
    case unheard(String, asked: Duration?)
    /// It was refused for now; `patience` limits how often in a row.
    case passing(String, asked: Duration?, patience: Duration)
}

extension LinkRenewal {
    /// Reads the error of the provider that was asked.
    ///
    /// - Parameter patience: How long it may refuse; `nil` for the usual patience of a provider of that name.
    init(_ error: ProviderError, by name: ProviderName, patience: Duration? = nil) {
        switch error.bearing {
        case .key: self = .barred(Settings.Providers.refused(name, error))
        case .unheard: self = .unheard("\(name.rawValue) gives no answer: \(error)", asked: error.retryAfter)
        case .passing:
            self = .passing(
                "\(name.rawValue) gives no other now: \(error)", asked: error.retryAfter,
                patience: patience ?? name.patience)
        case .final: self = .none("\(name.rawValue) gives no other: \(error)")
        }
    }
}

/// Where another link to a file is to be had.
enum LinkSource: Sendable {
    case provider(any Provider, JobReference)
    /// Its provider is not configured at the moment.
    case unconfigured(ProviderName)
    case row(any RowKeeping, TableRow)
    /// A bare link has no source but the user.
    case none

    var isNone: Bool { if case .none = self { true } else { false } }
}
