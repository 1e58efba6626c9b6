package import Catalog
package import Platform
package import Roots

extension RootRegistry {
    /// The root that `path` is or lies in; `nil` where it is a directory that can become a root.
    ///
    /// Throws `Refusal` where there is no such directory, it contains a known root, or is a place of our own files.
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
        if let known = root(holding: path), kind != .file { return known }
        guard kind == .directory else {
            let problem = kind == nil ? "There is no directory" : "This is not a directory:"
            throw Refusal(.usage("\(problem) \(path.display)"))
        }
        if let overlap = OverlappingRoot(path, among: all.map(\.known)) {
            throw Refusal(.usage(overlap.description))
        }
        return nil
    }
}

extension Refusal {
    /// That of a sync which names no directory, where neither the settings nor the library have one.
    package static let noDirectory = Refusal(
        .usage("No directory to sync: name one, or put it into the configuration with init."))
}
