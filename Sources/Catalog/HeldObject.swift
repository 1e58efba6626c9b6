/// What the server says it holds under a key.
package struct HeldObject: Hashable, Sendable {
    package let id: String?
    package let size: Int64?
    package let eTag: String?
    package let version: String?
    package let updatedAt: String?

    package init(id: String?, size: Int64?, eTag: String?, version: String?, updatedAt: String?) {
        self.id = id
        self.size = size
        self.eTag = eTag
        self.version = version
        self.updatedAt = updatedAt
    }
}
