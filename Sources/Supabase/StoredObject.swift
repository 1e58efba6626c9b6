/// What the server answers to an upload or a copy: the object as it is stored now.
package struct StoredObject: Hashable, Codable, Sendable {
    /// The server's id of the object, which a move keeps.
    package let id: String
    /// The key without the bucket, which the service puts before it.
    package let key: String

    /// An object as the server named it; `key` is without the bucket.
    init(id: String, key: String) {
        self.id = id
        self.key = key
    }
}

/// Everything that the server tells about one object; the only answer with its user metadata.
package struct ObjectInfo: Hashable, Codable, Sendable {
    /// The server's id of the object, which a move keeps.
    package let id: String
    /// The key without the bucket.
    package let key: String
    /// The id of its bucket.
    package let bucket: String
    /// Changes with every upload of the same key.
    package let version: String?
    /// Bytes; `nil` where the service does not know.
    package let size: Int64?
    /// As the upload declared it; the server does not look at the bytes.
    package let contentType: String?
    /// The `Cache-Control` header that caches get, such as `max-age=3600`.
    package let cacheControl: String?
    /// With its quotes; an MD5 on some servers only.
    package let eTag: String?
    /// User metadata; `nil` where none was given.
    package let metadata: [String: JSONValue]?
    /// When its bytes were last replaced, by the server's clock.
    package let lastModified: StorageTime?
    /// When the key was first stored, by the server's clock.
    package let createdAt: StorageTime?

    private enum CodingKeys: String, CodingKey {
        case id, key = "name", bucket = "bucket_id", version, size, contentType = "content_type"
        case cacheControl = "cache_control", eTag = "etag", metadata
        case lastModified = "last_modified", createdAt = "created_at"
    }
}

/// One object of a listing, which never contains user metadata.
package struct ListedObject: Hashable, Sendable {
    /// The server's id of the object; `nil` where the service does not list it.
    package let id: String?
    /// The key without the bucket.
    package let key: String
    /// Bytes; `nil` where the service does not know.
    package let size: Int64?
    /// With its quotes, as in `ObjectInfo`.
    package let eTag: String?
    /// As the upload declared it.
    package let contentType: String?
    /// When the key was first stored, by the server's clock.
    let createdAt: StorageTime?
    /// When the object last changed, by the server's clock.
    package let updatedAt: StorageTime?

    /// An object that is known without a listing.
    package init(key: String, size: Int64?) {
        (self.key, self.size) = (key, size)
        (id, eTag, contentType, createdAt, updatedAt) = (nil, nil, nil, nil, nil)
    }
}

/// One page of a listing, in byte order of the keys.
package struct ObjectPage: Hashable, Sendable {
    /// The objects of this page; may be empty where the page lists folders only.
    package let objects: [ListedObject]
    /// Key prefixes that end in a slash; empty unless folders were requested.
    package let folders: [String]
    /// What requests the next page; `nil` on the last one.
    package let nextCursor: String?
}

/// The bytes of a download, or how many went to a file, and where they belong in the object.
package struct DownloadedObject: Hashable, Sendable {
    /// The bytes; empty where they went to a file.
    package let body: [UInt8]
    /// Bytes that arrived.
    package let received: Int64
    /// The first byte's place in the object: 0 whenever the server sent all of it.
    package let offset: Int64
    /// Bytes of the whole object; `nil` where the server does not say.
    package let size: Int64?
    /// With its quotes; `nil` where the server sent none.
    let eTag: String?
    /// As the upload declared it.
    let contentType: String?
}

extension ListedObject: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, key = "name", metadata, createdAt = "created_at", updatedAt = "updated_at"
    }

    private struct Facts: Decodable {
        let eTag: String?
        let size: Int64?
        let mimetype: String?
    }

    /// Reads size, eTag and content type out of the nested `metadata` that listings have.
    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        let facts = try keys.decodeIfPresent(Facts.self, forKey: .metadata)
        id = try keys.decodeIfPresent(String.self, forKey: .id)
        key = try keys.decode(String.self, forKey: .key)
        size = facts?.size
        eTag = facts?.eTag
        contentType = facts?.mimetype
        createdAt = try keys.decodeIfPresent(StorageTime.self, forKey: .createdAt)
        updatedAt = try keys.decodeIfPresent(StorageTime.self, forKey: .updatedAt)
    }
}

extension ObjectPage: Decodable {
    private enum CodingKeys: CodingKey {
        case objects, folders, nextCursor, hasNext
    }

    private struct Folder: Decodable {
        let name: String
    }

    /// Requires a cursor where `hasNext` is true, and ignores one where it is not.
    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        objects = try keys.decode([ListedObject].self, forKey: .objects)
        folders = try keys.decodeIfPresent([Folder].self, forKey: .folders)?.map(\.name) ?? []
        let hasNext = try keys.decodeIfPresent(Bool.self, forKey: .hasNext) ?? false
        nextCursor = hasNext ? try keys.decode(String.self, forKey: .nextCursor) : nil
    }
}
