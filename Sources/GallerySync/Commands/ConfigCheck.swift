import Gallery
import Platform
import Supabase

/// Whether the agent would start with these settings, and what is in the way.
struct ConfigCheck {
    let findings: [Finding]

    /// One thing that was looked at.
    struct Finding: Hashable, Encodable {
        let name: String
        let result: Result
        let sentence: String
    }

    enum Result: String, Hashable, Encodable {
        case fine
        /// It starts, but somebody should know.
        case doubtful
        case wrong
    }

    init(setup: Setup, key: Swift.Result<StorageKey?, SettingsError>) {
        findings =
            [Self.configuration(setup), Self.destination(setup.settings.destination)]
            + Self.key(key, for: setup.settings.destination) + Self.roots(setup.settings.roots)
    }

    var isFine: Bool { !findings.contains { $0.result == .wrong } }

    func lines(_ paint: Paint) -> [String] {
        let width = findings.map { DisplayText.width($0.name) }.max() ?? 0
        return findings.map { finding in
            let sign =
                switch finding.result {
                case .fine: paint.good("ok   ")
                case .doubtful: paint.waiting("note ")
                case .wrong: paint.bad("wrong")
                }
            return "\(sign)  \(DisplayText.left(finding.name, columns: width))  \(DisplayText.safe(finding.sentence))"
        }
    }

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
        guard let file = setup.configuration else {
            return Finding(
                name: "configuration", result: .doubtful,
                sentence: "\(setup.locations.configuration) does not exist; defaults, variables and options hold.")
        }
        return Finding(name: "configuration", result: .fine, sentence: "\(file.path), profile \(setup.loaded.profile)")
    }

    private static func destination(_ destination: Settings.Destination) -> Finding {
        if destination.local {
            return Finding(
                name: "destination", result: .doubtful,
                sentence: "this computer. Not protected against loss of this disk.")
        }
        guard let url = destination.url else {
            return Finding(name: "destination", result: .wrong, sentence: noDestination)
        }
        if url.hasPrefix("http://"), !isLoopback(url) {
            return Finding(
                name: "destination", result: .doubtful,
                sentence: "\(url) is not encrypted: the key and every file can be read on the way.")
        }
        return Finding(name: "destination", result: .fine, sentence: "\(url), bucket \(destination.bucket)")
    }

    /// What every command says that needs a destination and has none.
    static let noDestination =
        "No destination. Run \"gallery-sync init\", or add --local to keep a second copy on this computer only."

    private static func isLoopback(_ url: String) -> Bool {
        let host = url.dropFirst("http://".count).prefix { !":/".contains($0) }
        return host == "localhost" || host.hasPrefix("127.") || url.hasPrefix("http://[::1]")
    }

    private static func key(
        _ key: Swift.Result<StorageKey?, SettingsError>, for destination: Settings.Destination
    ) -> [Finding] {
        switch key {
        case .failure(let error): return [Finding(name: "key", result: .wrong, sentence: "\(error)")]
        case .success(let key?):
            let origin = "from \(key.origin)"
            guard let warning = key.kind.warning else { return [Finding(name: "key", result: .fine, sentence: origin)] }
            return [Finding(name: "key", result: .doubtful, sentence: "\(origin): \(key.kind). \(warning)")]
        case .success(nil):
            guard destination.url != nil else { return [] }
            return [
                Finding(name: "key", result: .wrong, sentence: "Set GALLERY_SYNC_KEY or destination.keyFile.")
            ]
        }
    }

    private static func roots(_ roots: [Settings.Root]) -> [Finding] {
        if roots.isEmpty {
            return [Finding(name: "roots", result: .doubtful, sentence: "none; name directories on the command line.")]
        }
        return roots.map { root in
            do throws(SystemError) {
                _ = try Directory(root.path).names()
                return Finding(name: "root", result: .fine, sentence: root.path.display)
            } catch {
                return Finding(name: "root", result: .wrong, sentence: "\(root.path): \(error.reason).")
            }
        }
    }
}
