package import Catalog
package import Supabase

/// How the object under a receipt's key compares with that receipt.
package enum ObjectFinding: Hashable, Sendable {
    case same
    case missing
    /// It is another one; the words say how it differs.
    case different(String)

    /// Compares what was verified with what the server holds now: the size, then the eTag, else the object's id.
    ///
    /// The same bytes stored anew are no difference.
    package init(_ receipt: Receipt, held: HeldObject?) {
        guard let held else {
            self = .missing
            return
        }
        guard held.size == receipt.size else {
            let size = held.size.map { "\($0)" } ?? "an unknown number of"
            self = .different("it has \(size) bytes instead of \(receipt.size)")
            return
        }
        guard let known = ETag(receipt.eTag), let tag = ETag(held.eTag) else {
            let isAnother = receipt.objectID != nil && held.id != nil && receipt.objectID != held.id
            self = isAnother ? .different("it was deleted and stored anew by somebody else") : .same
            return
        }
        self = known == tag ? .same : .different("its content was replaced")
    }
}

extension HeldObject {
    /// An object as a listing shows it, which leaves out the version.
    package init(_ object: ListedObject) {
        self.init(
            id: object.id, size: object.size, eTag: object.eTag, version: nil, updatedAt: object.updatedAt?.rawValue)
    }

    /// An object as a request for its own facts shows it.
    package init(_ info: ObjectInfo) {
        self.init(
            id: info.id, size: info.size, eTag: info.eTag, version: info.version,
            updatedAt: info.lastModified?.rawValue)
    }
}
