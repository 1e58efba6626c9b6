import CommandLine
import Configuration
import Diagnosis
import Gallery
import Output
import Roots
import Supabase
import Text

/// Whether the agent would start with these settings, and what prevents it.
struct ConfigCheck {
    let findings: [Finding]

    /// - Parameters:
    ///   - isLocal: Whether this computer is the destination, by a setting or because it was at the first receipt.
    ///   - worker: The finding about the media worker; `nil` with thumbnails off.
    ///   - roots: The roots that the profile has had so far.
    ///   - elsewhere: The destination that has the files stored so far, if it is another one.
    init(
        setup: Setup, isLocal: Bool, key: Result<AccountKey?, SettingsError>, worker: Finding?, roots: [KnownRoot],
        elsewhere: String?
    ) {
        findings =
            [Self.configuration(setup), Self.destination(setup.settings.destination, isLocal: isLocal)]
            + (elsewhere.map { [.storedElsewhere($0)] } ?? [])
            + Self.key(key, for: setup.settings.destination) + Finding.roots(setup.settings.roots)
            + setup.settings.namesNotTaken(by: roots).map { .doubtful("root", "\($0).") }
            + (worker.map { [$0] } ?? [])
    }

    var isFine: Bool { !findings.contains { $0.result == .wrong } }

    /// One document, `gallery-sync/check/1`.
    func json() throws -> [UInt8] { try JSONDocument.bytes(Document(fine: isFine, findings: findings)) }

    private struct Document: Encodable {
        var schema = "gallery-sync/check/1"
        let fine: Bool
        let findings: [Finding]
    }
}

extension ConfigCheck {
    private static func configuration(_ setup: Setup) -> Finding {
        if let clause = setup.loaded.missingProfile {
            return .doubtful("configuration", "\(setup.locations.configuration) \(clause): choose one with --profile.")
        }
        return setup.configuration.map { .fine("configuration", "\($0.path), profile \(setup.loaded.profile)") }
            ?? .doubtful(
                "configuration",
                "\(setup.locations.configuration) does not exist; defaults, variables and options hold.")
    }

    private static func destination(_ destination: Settings.Destination, isLocal: Bool) -> Finding {
        let name = "destination"
        if isLocal { return .doubtful(name, "this computer. Not protected against loss of this disk.") }
        guard let url = destination.url else { return .wrong(name, Workplace.noDestination) }
        if url.hasPrefix("http://"), !StorageEndpoint(base: url).isLoopback {
            return .doubtful(name, "\(url) is not encrypted: the key and every file can be read on the way.")
        }
        return .fine(name, "\(url), bucket \(destination.bucket)")
    }

    private static func key(
        _ key: Result<AccountKey?, SettingsError>, for destination: Settings.Destination
    ) -> [Finding] {
        switch key {
        case .failure(let error): return [.wrong("key", "\(error)")]
        case .success(let key?):
            let origin = "from \(key.origin)"
            let warning = key.kind.warning.map { "\(origin): \(key.kind). \($0)" }
            return [warning.map { .doubtful("key", $0) } ?? .fine("key", origin)]
        case .success(nil):
            return destination.url == nil ? [] : [.wrong("key", "Set GALLERY_SYNC_KEY or destination.keyFile.")]
        }
    }
}
