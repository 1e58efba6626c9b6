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
    /// Whether the object was there although, as far as this computer knows, it sent none of it.
    package var isFound = false
    /// The receipt under the object's former key, if the server moved it.
    package var movedFrom: Receipt?
}
