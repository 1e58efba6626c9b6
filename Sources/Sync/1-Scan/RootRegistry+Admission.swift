package import Configuration
package import Platform
package import Records
package import Roots

extension RootRegistry {
    /// The root that `path` is or lies in; `nil` where it is a directory that can become a root.
    ///
    /// Throws `Refusal` where there is no such directory, it contains a known root or shares files with one, or is a
    /// place of our own files.
    package func admit(_ path: FilePath, own: OwnPlaces) throws(Refusal) -> (root: Root, below: FilePath)? {
        let kind: FileKind?
        do throws(SystemError) {
            kind = try FileFacts.existing(path)?.kind
        } catch {
            throw Refusal(.usage("\(error)"))
        }
        if own.holds(path) {
            throw Refusal(.usage("\(path.display) is where gallery-sync keeps its own files: they are no gallery"))
        }
        if let known = root(holding: path), kind != .file {
            // On a disk that ignores case, files would be found again under the name in other letters.
            return (known.root, known.root.spelling(of: known.below))
        }
        guard kind == .directory else {
            let problem =
                kind == nil
                ? "There is no directory \(path.display)"
                : "\(path.display) is not a directory: name the one that it lies in"
            throw Refusal(.usage(problem))
        }
        if let overlap = OverlappingRoot(path, among: all.map(\.known)) {
            throw Refusal(.usage(overlap.description))
        }
        let dropped = Set(dropped.map(\.name))
        let asked = all.filter { !dropped.contains($0.name) }.map(\.known.path)
        if let shared = SharedDirectory(path, among: asked) { throw Refusal(.needsHuman(shared.description)) }
        return nil
    }

    /// The configured or known root, by its own path, that a directory named on the command line is or lies in.
    ///
    /// Symlinks in the directory's path were resolved, while a root's path may contain them; or its name is in other
    /// letters, and the disk ignores case.
    package func spelling(of path: FilePath, _ settings: Settings) -> (root: FilePath, below: FilePath)? {
        let configured = settings.roots.map(\.path)
        let others = configured.isEmpty ? all.map(\.known.path) : configured
        let isSpelt = others.contains { $0 == path || path.relative(to: $0) != nil }
        guard !isSpelt else { return nil }
        let listed = path.listed
        for other in others where listed == other || listed.relative(to: other) != nil {
            return (other, listed.relative(to: other) ?? "")
        }
        guard let shared = SharedDirectory(path, among: others) else { return nil }
        return shared.below.map { (shared.other, $0) }
    }
}

extension Refusal {
    /// For a sync that names no directory, if neither the settings nor the library know one.
    package static let noDirectory = Refusal(
        .usage("No directory to sync: name one, or put it into the configuration with init."))
}
