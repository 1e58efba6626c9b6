import Platform
package import Queue
package import Records

/// What became of one file or picture, told at the moment it is certain.
package struct FileEvent: Hashable, Sendable {
    /// How it ended for now.
    package enum Fate: Hashable, Sendable {
        /// Its receipt is written.
        case stored(Standing, Receipt.Proof)
        /// The file is not tried again by itself, or could not be read.
        case failed(Item.Failure)
        /// Something outside the file is in the way.
        case held(Item.Blocked, Item.Failure)
        /// The file went away, or changed, before it was sent.
        case withdrawn
    }

    /// What is stored now, compared with what was stored of the same file before.
    package enum Standing: String, Hashable, Sendable {
        case new, changed
        /// The same bytes once more.
        case again
        /// Storage held the bytes already, without a receipt of this computer.
        case found
        /// The object was moved on the server, because the file was moved here.
        case moved
    }

    /// The root's name and the path below it, for people.
    package let path: String
    /// Whether it is the file itself or one of its pictures.
    package let role: Item.Role
    /// Bytes.
    package let size: Int64
    /// How it ended.
    package let fate: Fate

    /// What became of `item`.
    package init(_ item: Item, _ fate: Fate) {
        path = "\(item.root)/\(item.path)"
        role = item.role
        size = item.size
        self.fate = fate
    }

    /// What became of a file that never was an item.
    package init(_ asset: Asset, _ fate: Fate) {
        path = "\(asset.root)/\(asset.path.display)"
        role = .original
        size = asset.size
        self.fate = fate
    }
}
