package import Configuration
import Platform

extension Settings {
    /// A sentence for each root that the configuration names otherwise than it is called.
    ///
    /// A name begins the keys of all that is stored of a root, so that one that is set later changes nothing.
    package func namesNotTaken(by known: [KnownRoot]) -> [String] {
        roots.compactMap { configured in
            guard let name = configured.name,
                let root = known.last(where: { $0.path == configured.path }), root.name != name,
                // Another root had that name first.
                !known.contains(where: { $0.name == name })
            else { return nil }
            return "\(root.path.display) stays the root \(root.name), since the keys of what is stored begin with "
                + "that: the name \(name) in the configuration is not looked at"
        }
    }
}
