package import Platform

/// An object that this computer stored, and that its library lacks because it was lost or came back from a backup.
package struct Orphan: Sendable {
    /// The receipt that the object gets.
    package let receipt: Receipt
    /// The file that its key belongs to.
    package let file: RootedPath
    /// When that file had last changed, by the object's metadata.
    package let modifiedAt: FileTime

    /// An object that gets `receipt`, of `file` as it was then.
    package init(_ receipt: Receipt, of file: RootedPath, modifiedAt: FileTime) {
        (self.receipt, self.file, self.modifiedAt) = (receipt, file, modifiedAt)
    }
}
