package import Configuration
import Platform

extension Settings {
    /// A sentence for each root that has another name than the configuration gives it.
    ///
    /// A name begins the keys of all that is stored of a root, so a name that is set later changes nothing.
    package func namesNotTaken(by known: [KnownRoot]) -> [String] {
        roots.compactMap { configured in
            guard let name = configured.name else { return nil }
            let root = known.last { $0.path == configured.path }
            if let other = known.first(where: { $0.name == name }) {
                // Another disk at the same place has a name of its own, as the user was told.
                guard other.path != configured.path, root?.name != name else { return nil }
                let own = root ?? KnownRoot(new: configured.path, name: name, beside: known)
                return "\(configured.path.display) is the root \(own.name), since the name \(name) belongs to the one "
                    + "that was at \(other.path.display)"
            }
            guard let root else { return nil }
            return "\(root.path.display) stays the root \(root.name), since the keys of what is stored begin with "
                + "that: the name \(name) in the configuration is not looked at"
        }
    }
}
