import FoundationEssentials
import Providers
import Text

extension Rescuer {
    /// Seconds between two looks whether a refused key was replaced.
    private static let keyInterval = 60.0

    /// The provider with its present key; `nil` if it is not configured.
    func provider(_ name: ProviderName) -> (any Provider)? {
        renewedClient(of: name) ?? setup.sources.providers[name]
    }

    /// Whether `asked` used the key that the provider is asked with now.
    func hasKeyOf(_ asked: any Provider) -> Bool {
        provider(asked.name).map { $0.account.hasKey(of: asked.account) } ?? true
    }

    /// Reads refused keys again, once a minute; a replaced key is tried at once.
    func lookAtKeys() async throws {
        let refused = Set(await registry.open().filter { $0.refusedKey != nil }.compactMap { $0.reference?.provider })
        guard claimKeyLook(isNeeded: !refused.isEmpty, every: Self.keyInterval) else { return }
        for name in refused {
            guard let fresh = setup.sources.reread(name) else { continue }
            guard let old = provider(name), old.account.hasKey(of: fresh.account) else {
                take(fresh)
                setup.log.info("The key of \(name.rawValue) is another one now: its jobs are asked about again")
                try await tryKeysAgain(of: name)
                continue
            }
        }
    }

    /// Makes files due that wait because their links led to forbidden addresses.
    func tryRefusedLinksAgain() async throws {
        for job in await registry.open() where job.files.contains(where: \.isAstray) {
            try await registry.update(job.id) { job in
                for index in job.files.indices where job.files[index].isAstray { job.files[index].nextAttemptAt = nil }
            }
        }
    }

    /// Makes due what refused keys hold up, at one provider or at all of them.
    func tryKeysAgain(of name: ProviderName?) async throws {
        for job in await registry.open() where job.refusedKey != nil && (name == nil || job.reference?.provider == name)
        {
            try await registry.update(job.id) { $0 = $0.withNewKey }
        }
    }
}
