package import Platform

/// A receipt for the same bytes under another key, and the file that it was earned with.
package struct Duplicate: Hashable, Sendable {
    /// The receipt of the other key.
    package let receipt: Receipt
    /// The name of the root; empty where the library does not know it any more.
    package let root: String
    /// Below the root.
    package let path: FilePath

    /// The file as people know it.
    package var name: String { "\(root)/\(path.display)" }

    /// An object with this receipt, and its file.
    package init(receipt: Receipt, root: String, path: FilePath) {
        (self.receipt, self.root, self.path) = (receipt, root, path)
    }
}
