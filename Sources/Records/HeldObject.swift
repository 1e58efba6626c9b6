/// What the server says it holds under a key.
package struct HeldObject: Hashable, Sendable {
    /// The server's id of the object; this and every other field is `nil` where the server left it out.
    package let id: String?
    /// Bytes.
    package let size: Int64?
    /// As the server wrote it, with or without quotes.
    package let eTag: String?
    /// The server's id of this upload; a listing does not show it.
    package let version: String?
    /// When the object last changed, as the server wrote it.
    package let updatedAt: String?

    /// An object as a listing or a request for its facts showed it.
    package init(id: String?, size: Int64?, eTag: String?, version: String?, updatedAt: String?) {
        self.id = id
        self.size = size
        self.eTag = eTag
        self.version = version
        self.updatedAt = updatedAt
    }
}
