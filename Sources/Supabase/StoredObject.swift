/// What an upload or a copy answers: the object as it is stored now.
package struct StoredObject: Hashable, Codable, Sendable {
    package let id: String
    /// The key without the bucket, which the service puts before it.
    package let key: String

    package init(id: String, key: String) {
        self.id = id
        self.key = key
    }
}

/// All that is known about one object; the only place that shows its user metadata.
package struct ObjectInfo: Hashable, Codable, Sendable {
    package let id: String
    package let key: String
    package let bucket: String
    /// Changes with every upload of the same key.
    package let version: String?
    /// Bytes; `nil` where the service does not know.
    package let size: Int64?
    package let contentType: String?
    package let cacheControl: String?
    /// With its quotes; an MD5 on some servers only.
    package let eTag: String?
    package let metadata: [String: JSONValue]?
    package let lastModified: StorageTime?
    package let createdAt: StorageTime?

    private enum CodingKeys: String, CodingKey {
        case id, key = "name", bucket = "bucket_id", version, size, contentType = "content_type"
        case cacheControl = "cache_control", eTag = "etag", metadata
        case lastModified = "last_modified", createdAt = "created_at"
    }
}

/// What the headers of an object say.
package struct ObjectHead: Hashable, Sendable {
    /// Bytes of the whole object.
    package let size: Int64?
    package let contentType: String?
    package let cacheControl: String?
    package let eTag: String?
}

/// One object of a listing; without user metadata, which listings do not show.
package struct ListedObject: Hashable, Sendable {
    package let id: String?
    package let key: String
    /// Bytes; `nil` where the service does not know.
    package let size: Int64?
    package let eTag: String?
    package let contentType: String?
    package let createdAt: StorageTime?
    package let updatedAt: StorageTime?
}

/// A part of a listing, in byte order of the keys.
package struct ObjectPage: Hashable, Sendable {
    package let objects: [ListedObject]
    /// Key prefixes that end in a slash; only where folders were asked for.
    package let folders: [String]
    /// What continues the listing; `nil` on its last page.
    package let nextCursor: String?
}

/// What the bytes of a download are.
package struct DownloadedObject: Hashable, Sendable {
    /// The object's bytes, where they went to memory.
    package let body: [UInt8]
    /// Bytes that arrived.
    package let received: Int64
    /// Where they begin in the object: 0 whenever the server sent all of it.
    package let offset: Int64
    /// Bytes of the whole object.
    package let size: Int64?
    package let eTag: String?
    package let contentType: String?
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

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        objects = try keys.decode([ListedObject].self, forKey: .objects)
        folders = try keys.decodeIfPresent([Folder].self, forKey: .folders)?.map(\.name) ?? []
        let hasNext = try keys.decodeIfPresent(Bool.self, forKey: .hasNext) ?? false
        nextCursor = hasNext ? try keys.decode(String.self, forKey: .nextCursor) : nil
    }
}
