package import FoundationEssentials
package import Queue

/// A request to move an object of ours to another key, which may have taken effect, or still may.
package struct Move: LateRequest, Hashable, Sendable {
    /// URL, bucket and prefix, as `Destination.name` writes them.
    package let destination: String
    /// The key that the object is to leave; whatever lies under it when the request arrives is moved.
    package let source: ObjectKey
    /// The key that it is to get.
    package let key: ObjectKey
    /// The SHA-256 that the object's metadata names, 64 lowercase hex digits.
    package let sha256: String
    /// Whether the object is an original or a thumbnail.
    package let role: Item.Role
    /// The file that the object is of under its new key, where it is known.
    package let place: Asset.Place?
    /// Whether it is known how the last request ended, so that only another one, which was given up, may still arrive.
    package let isSettled: Bool
    /// When the last request that has no answer was about to be sent; the year 1970 where each has one.
    package let notedAt: Date

    /// A move as the library reads it back.
    package init(
        destination: String, from source: ObjectKey, to key: ObjectKey, sha256: String, role: Item.Role,
        place: Asset.Place?, isSettled: Bool, notedAt: Date
    ) {
        (self.destination, self.source, self.key) = (destination, source, key)
        (self.sha256, self.role, self.place) = (sha256, role, place)
        (self.isSettled, self.notedAt) = (isSettled, notedAt)
    }
}
