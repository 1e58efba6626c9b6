package import MediaModel
package import Platform
package import Queue

/// An asset whose content is known.
package struct IdentifiedAsset: Sendable {
    /// The asset as the library knew it when its file was read.
    package let asset: Asset
    /// What the first bytes and the name say that it is.
    package let identity: MediaIdentity
    /// Of the content, 64 lowercase hex digits.
    package let sha256: String
    /// The file that was read; it stays open, so that pictures are made from the same bytes.
    package let file: OpenFile

    /// An asset whose `file` still had its size and time after it was hashed.
    package init(asset: Asset, identity: MediaIdentity, sha256: String, file: OpenFile) {
        self.asset = asset
        self.identity = identity
        self.sha256 = sha256
        self.file = file
    }
}
