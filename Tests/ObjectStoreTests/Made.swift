import Platform
import Serving
import Synchronization

@testable import ObjectStore

extension IndexedBucket {
    /// A private bucket without limits.
    init(named id: String) {
        self.init(
            id: id, owner: "", isPublic: false, sizeLimit: nil, allowedTypes: nil, createdAt: 1, updatedAt: 2)
    }
}

extension IndexedObject {
    /// A row of the bucket `b`, with facts of its own in each column.
    init(made key: String, version: String, size: Int64 = 3, number: Int64 = 7) {
        self.init(
            bucket: "b", key: key, id: "id of \(key)", version: version, owner: "owner", createdAt: 11, updatedAt: 12,
            content: Content(
                size: size, type: "image/jpeg", cacheControl: "max-age=60", eTag: "\"-\"", modifiedAt: 13,
                robots: "noindex"),
            userMetadata: #"{"path":"ä"}"#, number: number)
    }

    /// The row of a blob that holds what was stored.
    init(_ stored: Draft.Stored, key: String = "a", number: Int64 = 7, metadata: String? = nil) {
        self.init(made: key, version: stored.version, size: stored.size, number: number)
        content.eTag = stored.eTag
        if let metadata { userMetadata = metadata }
    }
}

extension RequestBody {
    /// A body that arrives in these pieces, and is lost after them where `isLost`.
    init(pieces: [[UInt8]], isLost: Bool = false) {
        let rest = Mutex(pieces[...])
        self.init(length: nil) { () throws(BodyFailure) in
            let piece = rest.withLock { $0.popFirst() }
            if piece == nil, isLost { throw .lost }
            return piece
        }
    }
}
