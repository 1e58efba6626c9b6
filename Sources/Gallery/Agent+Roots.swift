import Catalog
import Configuration
import FoundationEssentials
package import Platform
import Providers
import Queue
import Records
import Rescue
package import Roots
import Sync
import Text
import Uploading

extension Agent {
    /// Adds the root, with what is remembered of its disks, to the roots of this run.
    @discardableResult
    func add(_ known: KnownRoot) async throws -> Root {
        let root = try await roots.add(known, of: library, settings: setup.settings, rescued: setup.rescue.folder)
        if !root.autoUpload {
            try await library.noteUnsentPictures(of: known)
        } else if root.isConfigured {
            try await library.sendIndexed(of: known)
            try await library.takeUp(known)
        }
        return root
    }

    /// The root that `path` is or lies in; a new one is added to the library.
    ///
    /// Throws `Refusal` where there is no such directory, it contains a known root or shares files with one, or is a
    /// place of our own files.
    package func adopt(_ path: FilePath) async throws -> (root: Root, below: FilePath) {
        if path != setup.rescue.folder, let spelt = roots.spelling(of: path, setup.settings) {
            return (try await adopt(spelt.root).root, spelt.below)
        }
        // A part of a configured root is not a root of its own, even before the whole was ever looked at.
        let whole = setup.settings.roots.map(\.path).first { path != $0 && path.relative(to: $0) != nil }
        if let whole, roots.root(holding: path) == nil { try await adoptConfigured(whole) }
        if let known = try roots.admit(path, own: own) {
            // Asked only once for rescued files, because each new request wakes every loop, the caller's, too.
            if roots.ask(for: known.root.name) { wake.notify() }
            return known
        }
        let wanted = setup.settings.root(at: path)
        if wanted != nil { try await followRoots() }
        let (known, below) = try await library.root(at: path, name: wanted?.name)
        let root = try await add(known)
        roots.ask(for: root.name)
        for place in own.below(path) where root.rules.reason(for: place.appending("x")) == nil {
            setup.log.info("\(path.appending(place).display) is left out: \(OwnPlaces.reason)")
        }
        wake.notify()
        return (root, below)
    }

    /// Finds roots of the library that are at other places now, as when a disk comes that was away at the start.
    func followRoots() async throws {
        try await RenamedRoots(library: library, configured: setup.settings.roots, log: setup.log).follow()
        for known in try await library.roots() where roots[known.name].map({ $0.known != known }) ?? false {
            try await add(known)
        }
    }

    /// The roots for a request that names no directory: the configured ones, else every known one.
    ///
    /// A configured root that is missing does not keep others from being stored; `absences` has it then. Throws
    /// `Refusal` when there is none.
    func defaultRoots() async throws -> [(root: Root, below: FilePath)] {
        try await lookForRoots()
        try await letGoOfRoots()
        let found = try await namedOrKnownRoots()
        guard found.isEmpty else { return found }
        for configured in setup.settings.roots { try await adoptConfigured(configured.path) }
        throw Refusal.noDirectory
    }

    /// The roots of a watch that names no directory; none if only rescues are to be done.
    ///
    /// Throws `Refusal` if there is nothing to do at all.
    func watchedRoots() async throws -> [Root] {
        try await lookForRoots()
        try await letGoOfRoots()
        let found = try await namedOrKnownRoots().map(\.root)
        guard found.isEmpty, watching.awaited.isEmpty else { return found }
        let names = setup.rescue.providers.keys.map(\.rawValue).sorted()
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

    /// Adopts a configured root; throws `Refusal` if it cannot be one, which is no mistake of this call.
    private func adoptConfigured(_ path: FilePath) async throws {
        do {
            _ = try await adopt(path)
        } catch let refusal as Refusal {
            guard case .usage(let sentence) = refusal.ending, !setup.isOfCall(["roots"]) else { throw refusal }
            throw Refusal(.needsHuman("\(sentence). The configuration names it as a root"))
        }
    }

    private func namedOrKnownRoots() async throws -> [(root: Root, below: FilePath)] {
        // A configured root that is known may be absent for now, such as a disk that is not mounted.
        for configured in setup.settings.roots where roots.root(holding: configured.path) == nil {
            guard watching.awaited[configured.path.display] == nil else { continue }
            try await adoptConfigured(configured.path)
        }
        return roots.usual(setup.settings)
    }
}

// MARK: - Roots that nothing asks for any more

extension Agent {
    /// Makes sure that nothing waits for files of roots that are not looked at any more: it would wait for ever.
    func letGoOfRoots() async throws {
        let dropped = roots.dropped
        for root in dropped { try await letGo(of: root) }
        let names = Set(dropped.map(\.name))
        for root in roots.all where root.autoUpload && !names.contains(root.name) {
            try await library.takeUp(root.known)
        }
    }

    /// Withdraws the root's files that are not stored, except those that are being sent.
    ///
    /// Not while files are left out, because those of the root that are found for that would not be.
    func letGo(of root: Root) async throws {
        try await rootChanges.holding { try await withdraw(root) }
    }

    private func withdraw(_ root: Root) async throws {
        try await withdrawWaiting(of: root)
        // Files on a disk that is away cannot be read, so their attempts end at once, and their items are pending then.
        let isHere = await Blocking.run { root.isHere }
        while !isHere, await !sending(of: root).isEmpty {
            let wakeups = wake.wakeups
            try Task.checkCancellation()
            await wake.wait(after: wakeups, for: .seconds(1))
        }
        let sent = await sending(of: root).filter { $0.role == .original }
        try await library.letGo(of: root.known, besides: Set(sent.map(\.filePath)))
        root.sight.absence = nil
        await library.endAbsence(of: root.known.id)
        // A file may have been read meanwhile.
        try await withdrawWaiting(of: root)
    }

    private func sending(of root: Root) async -> [Item] {
        await queue.unfinished().filter { $0.root == root.name && $0.status == .uploading }
    }

    private func withdrawWaiting(of root: Root) async throws {
        let items = await queue.unfinished().filter { $0.root == root.name && $0.status != .uploading }
        guard !items.isEmpty else { return }
        if items.contains(where: { $0.role != .original }) {
            // Durable before the queue forgets them: otherwise nothing would say that these pictures are missing.
            try await library.noteUnsentPictures(of: root.known)
            try await library.commit()
        }
        _ = try await uploader.withdraw(Set(items.map(\.file)))
    }
}

// MARK: - Disks that come later

extension Agent {
    /// Why roots are away: known ones that are still asked for, and configured ones that were never there.
    var absences: [String: RootAbsence] {
        let quiet = Set((roots.dropped + replaced).map(\.name))
        return roots.absences.filter { !quiet.contains($0.key) }.merging(watching.awaited) { known, _ in known }
    }

    /// The roots at whose places other disks were taken as new roots.
    var replaced: [Root] { roots.replaced { $0.sight.absence == nil } }

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

    /// Notes which configured directories are neither known nor there, as far as that can be told.
    private func lookForRoots() async throws {
        var awaited: [String: RootAbsence] = [:]
        for path in setup.settings.roots.map(\.path) where roots.root(holding: path) == nil {
            awaited[path.display] = await RootAbsence.ofNew(path)
        }
        watching.awaited = awaited
    }
}
