package import Queue
package import Records

/// An item whose bytes the server has taken; the proof is still to be fetched.
package struct Accepted: Hashable, Sendable {
    /// The item; `sent` once the queue has taken note of that.
    package var item: Item
    /// What the server calls the object, where it said so.
    package let objectID: String?
    /// The eTags that it may have.
    package let evidence: Evidence
    /// Whether its bytes were uploaded, rather than found, moved or copied on the server.
    package var isUploaded = false
    /// Whether the object was there although this computer has sent nothing of it, as far as it knows.
    package var isFound = false
    /// The receipt of the key that the object had before the server moved it here.
    package var movedFrom: Receipt?
}
