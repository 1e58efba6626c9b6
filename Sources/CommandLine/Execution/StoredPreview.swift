package import Catalog
import Configuration
package import Platform
import Roots
package import Sync

/// What a sync would find new or changed, as the disk and the files of a profile tell it, without an agent.
///
/// Nothing is written. It sees what an agent that runs meanwhile has committed.
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

    /// Hands the files of `paths`, absolute, or of the usual roots, to `take` as they are met; says how it ended.
    ///
    /// Throws `Refusal` where a path cannot be synced, or none is named and none is known.
    package func files(in paths: [FilePath], _ take: ([PreviewedFile]) throws -> Void) async throws -> Ending {
        let scanner = setup.scanner(of: library)
        var absences: [RootAbsence] = []
        for (root, below) in try targets(paths) {
            if let absence = try await scanner.preview(root, below: below, take) { absences.append(absence) }
        }
        return Ending.done.unless(absences)
    }

    private func targets(_ paths: [FilePath]) throws -> [(root: Root, below: FilePath)] {
        guard paths.isEmpty else { return try paths.map(target) }
        for configured in setup.settings.roots where roots.root(holding: configured.path) == nil {
            _ = try target(configured.path)
        }
        let usual = roots.usual(setup.settings)
        guard !usual.isEmpty else { throw Refusal.noDirectory }
        return usual
    }

    /// The root at `path`; a new one joins those of this look only.
    private func target(_ path: FilePath) throws -> (root: Root, below: FilePath) {
        if let known = try roots.admit(path, own: setup.own) { return known }
        let name = setup.settings.root(at: path)?.name
        let root = Root(
            KnownRoot(new: path, name: name, beside: roots.all.map(\.known)), settings: setup.settings,
            rescued: setup.generated)
        roots.add(root)
        return (root, FilePath(bytes: []))
    }
}
