import Catalog
import Configuration
package import Platform
package import Records
import Roots
package import Sync

/// The files that a sync would find new or changed, from the disk and the files of a profile, without an agent.
///
/// It writes nothing, and sees what an agent that runs meanwhile has committed.
package struct StoredPreview {
    private let setup: Setup
    private let library: Library
    private let roots: RootRegistry

    /// A look at the profile of `setup`, or at an empty one where it has no library yet.
    package init(_ setup: Setup) async throws {
        self.setup = setup
        library = try Library.existing(at: setup.locations.library) ?? Library.empty()
        roots = try await setup.roots(of: library)
    }

    /// Files that an earlier sync found but did not store, as of the end of a look.
    package struct Waiting: Encodable, Hashable, Sendable {
        /// Files that were found before, and wait to be read or sent.
        package internal(set) var files = 0
        /// Their bytes.
        package internal(set) var bytes: Int64 = 0
    }

    /// Passes files below `paths` (absolute; the usual roots if empty) to `take` as they are found; returns the ending.
    ///
    /// Files that already wait are only counted. Throws `Refusal` if a path cannot be synced, or if there is no root.
    package func files(in paths: [FilePath], _ take: ([PreviewedFile]) throws -> Void) async throws -> (Waiting, Ending)
    {
        let scanner = setup.scanner(of: library)
        var (targets, absences) = (try paths.map(target), [RootAbsence]())
        if paths.isEmpty { (targets, absences) = try await usualTargets() }
        var waiting = Waiting()
        for (root, below) in targets {
            if let absence = try await scanner.preview(root, below: below, take) { absences.append(absence) }
            let sums = try await library.waiting(in: root.known.id, below: below)
            waiting.files += sums.files
            waiting.bytes += sums.bytes
        }
        return (waiting, Ending.done.unless(absences))
    }

    /// The roots of a sync without paths; a configured root that was never there does not hide the others.
    private func usualTargets() async throws -> (found: [(root: Root, below: FilePath)], [RootAbsence]) {
        let new = setup.settings.roots.map(\.path).filter { roots.root(holding: $0) == nil }
        var absences: [RootAbsence] = []
        for path in new {
            if let absence = await RootAbsence.ofNew(path) {
                absences.append(absence)
            } else {
                _ = try target(path)
            }
        }
        let usual = roots.usual(setup.settings)
        guard usual.isEmpty else { return (usual, absences) }
        // Throws the error that a sync has for a folder that is not there.
        for path in new { _ = try target(path) }
        throw Refusal.noDirectory
    }

    /// The root at `path`; a new one is added for this look only.
    private func target(_ path: FilePath) throws -> (root: Root, below: FilePath) {
        if let spelt = roots.spelling(of: path, setup.settings) { return (try target(spelt.root).root, spelt.below) }
        if let known = try roots.admit(path, own: setup.own) { return known }
        let name = setup.settings.root(at: path)?.name
        let root = Root(
            KnownRoot(new: path, name: name, beside: roots.all.map(\.known)), settings: setup.settings,
            rescued: setup.generated)
        roots.add(root)
        return (root, FilePath(bytes: []))
    }
}
