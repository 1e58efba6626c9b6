import Catalog
import Configuration
import FoundationEssentials
package import Platform
import Providers
import Queue
import Rescue
package import Roots
import Sync
import Text

extension Agent {
    /// Adds the root, with what is remembered of its disks, to those of this run.
    @discardableResult
    func add(_ known: KnownRoot) async throws -> Root {
        try await roots.add(known, of: library, settings: setup.settings, rescued: setup.generated)
    }

    /// The root that `path` is or lies in; a new one is added to the library.
    ///
    /// Throws `Refusal` where there is no such directory, it contains a known root, or is a place of our own files.
    package func adopt(_ path: FilePath) async throws -> (root: Root, below: FilePath) {
        if let known = try roots.admit(path, own: own) { return known }
        let (known, below) = try await library.root(at: path, name: setup.settings.root(at: path)?.name)
        let root = try await add(known)
        for place in own.below(path) where root.rules.reason(for: place.appending("x")) == nil {
            setup.log.info("\(path.appending(place).display) is left out: \(OwnPlaces.reason)")
        }
        wake.notify()
        return (root, below)
    }

    /// The roots for a request that names no directory: the configured ones, else every known one.
    ///
    /// A configured one that is not there keeps no other from being stored: `absences` has it from then on. Throws
    /// `Refusal` when there is none.
    func defaultRoots() async throws -> [(root: Root, below: FilePath)] {
        try await lookForRoots()
        let found = try await namedOrKnownRoots()
        guard found.isEmpty else { return found }
        for configured in setup.settings.roots { _ = try await adopt(configured.path) }
        throw Refusal.noDirectory
    }

    /// The roots of a watch that names no directory; none where there are only rescues to be done.
    ///
    /// Throws `Refusal` where there is nothing to be done at all.
    func watchedRoots() async throws -> [Root] {
        try await lookForRoots()
        let found = try await namedOrKnownRoots().map(\.root)
        guard found.isEmpty, watching.awaited.isEmpty else { return found }
        let names = setup.providers.keys.map(\.rawValue).sorted()
        let jobs = await rescuer.registry.open()
        guard !names.isEmpty || !jobs.isEmpty else {
            throw Refusal(
                .usage(
                    "Nothing to watch: name a directory, or put one into the configuration with \"gallery-sync init\"; "
                        + "for rescues alone, configure a provider or add a link with \"gallery-sync rescue\"."))
        }
        let sites = names.isEmpty ? "what was ordered" : names.joined(separator: ", ")
        setup.log.info("No directory to watch: only rescuing (\(sites))")
        return []
    }

    private func namedOrKnownRoots() async throws -> [(root: Root, below: FilePath)] {
        // A configured root that is known may be absent for now, such as a disk that is not mounted.
        for configured in setup.settings.roots where roots.root(holding: configured.path) == nil {
            guard watching.awaited[configured.path.display] == nil else { continue }
            _ = try await adopt(configured.path)
        }
        return roots.usual(setup.settings)
    }
}

// MARK: - Disks that come later

extension Agent {
    /// Why roots are away: known ones, and configured ones that were never there.
    var absences: [String: RootAbsence] { roots.absences.merging(watching.awaited) { known, _ in known } }

    /// Watches configured directories once they are there, such as on a disk that is mounted after the login.
    func awaitRoots() async throws {
        while !watching.awaited.isEmpty {
            try await setup.time.sleep(setup.clock() + Self.absencePatience.seconds)
            let before = watching.awaited
            try await lookForRoots()
            for configured in setup.settings.roots where before[configured.path.display] != nil {
                guard watching.awaited[configured.path.display] == nil else { continue }
                let root = try await adopt(configured.path).root
                setup.log.info("Watching \(root.known.path.display) as \(root.name)")
            }
            if watching.awaited != before { wake.notify() }
        }
    }

    /// Notes which configured directories are neither known nor there, as far as they can be looked for.
    private func lookForRoots() async throws {
        var awaited: [String: RootAbsence] = [:]
        for path in setup.settings.roots.map(\.path) where roots.root(holding: path) == nil {
            awaited[path.display] = await RootAbsence.ofNew(path)
        }
        watching.awaited = awaited
    }
}
