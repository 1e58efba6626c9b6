package import Records
package import Supabase

/// How the object under a receipt's key compares with that receipt.
package enum ObjectFinding: Hashable, Sendable {
    case same
    case missing
    /// It is another object; the words say how it differs.
    case different(String)

    /// What tells an object from a later one under its key if one side has no eTag.
    package enum Identity: Sendable {
        /// Listings show it, too.
        case id
        /// Changes whenever something is stored; needed before deleting or replacing.
        case version
    }

    /// Compares what was verified with what the server holds now: the size, then the eTag, else the identity.
    ///
    /// If the same bytes were stored anew, that is no difference.
    package init(_ receipt: Receipt, held: HeldObject?, by identity: Identity = .id) {
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
            let (before, now) =
                switch identity {
                case .id: (receipt.objectID, held.id)
                case .version: (receipt.version, held.version)
                }
            let isAnother = before != nil && now != nil && before != now
            self = isAnother ? .different("it was deleted and stored anew by another client") : .same
            return
        }
        self = known == tag ? .same : .different("its content was replaced")
    }
}

extension Receipt {
    /// Whether `info` names the size and the bytes that were verified, whatever upload it is from.
    package func names(_ info: ObjectInfo) -> Bool {
        info.size == size && ObjectMetadata(info.metadata)?.sha256 == sha256
    }

    /// Whether `info` still shows the bytes that were verified, as far as both sides know.
    ///
    /// If another attempt sent them again unnoticed, they have another version and the same eTag.
    package func describes(_ info: ObjectInfo) -> Bool {
        guard ObjectMetadata(info.metadata)?.sha256 == sha256 else { return false }
        return ObjectFinding(self, held: HeldObject(info), by: .version) == .same
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
