package import FoundationEssentials
package import Platform
package import Queue
import Text

/// Proof that an object is stored, earned by one item.
package struct Receipt: Codable, Hashable, Sendable {
    /// URL, bucket and prefix, as `Destination.name` writes them.
    package let destination: String
    /// Where the object lies in the bucket.
    package let key: ObjectKey
    /// Whether the object is an original or a thumbnail.
    package let role: Item.Role
    /// The item that earned it.
    package let item: ItemIdentifier
    /// Of the local bytes, 64 lowercase hex digits.
    package let sha256: String
    /// Bytes.
    package let size: Int64
    /// The server's id of the object, where it names one.
    package let objectID: String?
    /// The server's id of this upload, where it names one; each upload under a key gets a new one.
    package let version: String?
    /// As the server wrote it, with or without quotes; `nil` where it named none.
    package let eTag: String?
    /// The server's own time of its last change, as it wrote it.
    package let updatedAt: String?
    /// When the server was last asked about the object.
    package var verifiedAt: Date
    /// What showed that the object holds the local bytes.
    package var proof: Proof

    /// What proves that an object holds the bytes that were sent; its size always agrees.
    package enum Proof: String, Codable, CaseIterable, Hashable, Sendable {
        /// Its eTag is the MD5 of the bytes.
        case md5
        /// Its eTag is that of the bytes in parts, cut as hosted storage cuts them.
        case multipartMD5
        /// It was read back, and has the SHA-256.
        case readBack
        /// Nothing else could be compared.
        case size
    }

    /// A receipt as the recorder earned it, or as it was read back from the library.
    package init(
        destination: String, key: ObjectKey, role: Item.Role, item: ItemIdentifier, sha256: String, size: Int64,
        objectID: String?, version: String?, eTag: String?, updatedAt: String?, verifiedAt: Date,
        proof: Proof = .size
    ) {
        self.destination = destination
        self.key = key
        self.role = role
        self.item = item
        self.sha256 = sha256
        self.size = size
        self.objectID = objectID
        self.version = version
        self.eTag = eTag
        self.updatedAt = updatedAt
        self.verifiedAt = verifiedAt
        self.proof = proof
    }
}

extension Receipt {
    /// Whether `item` needs no byte sent: the receipt is its own, or was earned with the same bytes after it was made.
    ///
    /// A receipt that is older than an item never completes it, nor one that is older than the user's request, which may
    /// lie after the item's making if the clock was set back.
    package func proves(_ item: Item) -> Bool {
        if self.item == item.id { return true }
        return sha256 == item.sha256 && size == item.size && verifiedAt >= item.createdAt
            && grants(item.forcedAt.map(FileTime.init))
    }
}

extension Receipt {
    /// Whether both are for the same upload, whenever it was proven; an item that is sent once more earns another.
    package func isOfSameObject(as other: Receipt) -> Bool {
        item.isSame(as: other.item) && objectID == other.objectID && version == other.version
            && updatedAt == other.updatedAt
    }

    /// Whether it was earned by an item made after the user asked for the bytes to be sent again; true if never asked.
    ///
    /// A look that finds the object in order confirms a receipt at a later moment, although nothing was sent.
    package func grants(_ forcedAt: FileTime?) -> Bool {
        forcedAt.map { FileTime(verifiedAt) >= $0 && item.isMade(since: $0) } ?? true
    }
}
