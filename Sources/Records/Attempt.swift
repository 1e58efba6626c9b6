package import FoundationEssentials
package import Queue

/// Bytes of ours that may lie under a key although no receipt covers them.
package struct Attempt: LateRequest, Hashable, Sendable {
    /// URL, bucket and prefix, as `Destination.name` writes them.
    package let destination: String
    /// The key that the bytes may lie under.
    package let key: ObjectKey
    /// The SHA-256 that the object's metadata names, 64 lowercase hex digits.
    package let sha256: String
    /// Whether the bytes are an original's or a thumbnail's.
    package let role: Item.Role
    /// Bytes; 0 if an earlier version noted the attempt, or if the bytes are known to be gone.
    package let size: Int64
    /// The file that the bytes came from, where it is known.
    package let place: Asset.Place?
    /// What was last found out about the bytes.
    package let state: State
    /// When the item was last tried, or made if it never was; the year 1970 if an earlier version noted the attempt.
    package let notedAt: Date

    /// An attempt as the library reads it back.
    package init(
        destination: String, key: ObjectKey, sha256: String, role: Item.Role, size: Int64, place: Asset.Place?,
        state: State, notedAt: Date
    ) {
        (self.destination, self.key, self.sha256) = (destination, key, sha256)
        (self.role, self.size, self.place) = (role, size, place)
        (self.state, self.notedAt) = (state, notedAt)
    }

    /// What is known about an attempt.
    ///
    /// The numbers are stored: never reuse one. Up to version 11 of the library 3 was a deletion, up to 12 the numbers
    /// 4 and 5 were marks, up to 15 the number 2 was a move that had not taken place.
    package enum State: Int64, Sendable {
        /// The server has not been asked yet.
        case unknown = 0
        /// The object is there: a leftover.
        case there = 1
        /// An upload over the object of a receipt for other bytes is under way: it is noted before its first byte.
        case replacing = 6
    }
}
