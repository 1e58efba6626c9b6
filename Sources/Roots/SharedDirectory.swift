package import Platform

/// A directory that is one of several others, or lies in or around one, though the paths do not show it.
///
/// A symlink or a bind mount makes one; below both paths would lie the same files, to be stored twice.
package struct SharedDirectory: Hashable, Sendable, CustomStringConvertible {
    /// How one directory lies to another.
    package enum Relation: Hashable, Sendable {
        case same
        /// It lies in the other one, at this path below it.
        case inside(FilePath)
        /// The other one lies in it.
        case around
    }

    /// The directory that was looked at.
    package let path: FilePath
    /// The first of the others that has files in common with it.
    package let other: FilePath
    /// How the two lie to each other.
    package let relation: Relation

    /// `nil` where the directory at `path` has no files in common with `others`, as far as they are there; blocks.
    package init?(_ path: FilePath, among others: [FilePath]) {
        let above = DirectoryKey.ancestors(of: path)
        guard let own = above.first else { return nil }
        for other in others {
            // What the paths show is judged elsewhere.
            guard other != path, other.relative(to: path) == nil, path.relative(to: other) == nil else { continue }
            let around = DirectoryKey.ancestors(of: other)
            guard let key = around.first?.key else { continue }
            if key == own.key {
                (self.path, self.other, relation) = (path, other, .same)
                return
            }
            if let found = above.first(where: { $0.key == key }), let below = own.path.relative(to: found.path) {
                (self.path, self.other, relation) = (path, other, .inside(below))
                return
            }
            if around.contains(where: { $0.key == own.key }) {
                (self.path, self.other, relation) = (path, other, .around)
                return
            }
        }
        return nil
    }

    /// Which path below `other` the directory has; empty for the same one, `nil` where it lies around that.
    package var below: FilePath? {
        switch relation {
        case .same: FilePath(bytes: [])
        case .inside(let below): below
        case .around: nil
        }
    }

    /// What is wrong, and what the user can do.
    package var description: String {
        let words =
            switch relation {
            case .same: "\(path) and \(other) are one directory"
            case .inside: "\(path) lies inside \(other), by another path"
            case .around: "\(other) lies inside \(path), by another path"
            }
        return words + ", and its files would be stored twice: name one of the two as a root"
    }
}
