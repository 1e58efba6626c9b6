package import Platform

/// A directory that is the same as another one, or lies in or around it, although the paths do not show it.
///
/// A symlink or a bind mount can cause this; the same files would be found below both paths, and stored twice.
package struct SharedDirectory: Hashable, Sendable, CustomStringConvertible {
    /// How one directory is related to another.
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
    /// How the two are related.
    package let relation: Relation

    /// `nil` if the directory at `path` shares no files with `others`, as far as they are there; blocks.
    package init?(_ path: FilePath, among others: [FilePath]) {
        let above = DirectoryKey.ancestors(of: path)
        guard let own = above.first else { return nil }
        for other in others {
            // Relations that the paths show are judged elsewhere.
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

    /// The directory's path below `other`; empty for the same directory, `nil` if it lies around the other.
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
