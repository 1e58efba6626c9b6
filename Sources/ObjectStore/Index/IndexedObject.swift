package import Database

/// An object as the index stores it; its bytes are in the blob named for `version`.
package struct IndexedObject: Hashable, Sendable {
    /// The id of its bucket.
    package var bucket: String
    /// Its key in the bucket.
    package var key: String
    /// A UUID, kept while the object is replaced.
    package var id: String
    /// New with every upload.
    package var version: String
    /// The `sub` of the user who stored it; empty for the service role.
    package var owner: String
    /// Milliseconds since 1970, like all times in the index.
    package var createdAt: Int64
    /// When it was replaced or moved last.
    package var updatedAt: Int64
    /// What is known about its bytes.
    package var content: Content
    /// The text of a JSON object, or `nil`.
    package var userMetadata: String?
    /// Grows with every change, so that the newer of two rows has the greater number.
    package var number: Int64 = 0

    /// An object with all that the index stores.
    package init(
        bucket: String, key: String, id: String, version: String, owner: String, createdAt: Int64, updatedAt: Int64,
        content: Content, userMetadata: String? = nil, number: Int64 = 0
    ) {
        self.bucket = bucket
        self.key = key
        self.id = id
        self.version = version
        self.owner = owner
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.content = content
        self.userMetadata = userMetadata
        self.number = number
    }

    /// What is known about the bytes, and how they are served.
    package struct Content: Hashable, Sendable {
        /// How many bytes it has.
        package var size: Int64
        /// The content type that it is served with.
        package var type: String
        /// The `Cache-Control` that it is served with.
        package var cacheControl: String
        /// With its quotes: the MD5 of the bytes, or over the parts' MD5s (`ETagRule`).
        package var eTag: String
        /// When the bytes arrived, in milliseconds since 1970.
        package var modifiedAt: Int64
        /// The `X-Robots-Tag` to serve; `nil` for the server's default.
        package var robots: String?

        /// The facts of some bytes.
        package init(
            size: Int64, type: String, cacheControl: String, eTag: String, modifiedAt: Int64, robots: String? = nil
        ) {
            self.size = size
            self.type = type
            self.cacheControl = cacheControl
            self.eTag = eTag
            self.modifiedAt = modifiedAt
            self.robots = robots
        }
    }
}

extension IndexedObject {
    static let columns = """
        bucket, key, id, version, owner, created_at, updated_at, size, type, cache_control, etag, modified_at, \
        robots, user_metadata, number
        """

    /// Reads a row of `columns`.
    package init(_ row: Row) {
        bucket = row.text(0)
        key = row.text(1)
        id = row.text(2)
        version = row.text(3)
        owner = row.text(4)
        createdAt = row.integer(5)
        updatedAt = row.integer(6)
        content = Content(
            size: row.integer(7), type: row.text(8), cacheControl: row.text(9), eTag: row.text(10),
            modifiedAt: row.integer(11), robots: row.textOrNil(12))
        userMetadata = row.textOrNil(13)
        number = row.integer(14)
    }

    var values: [Value] {
        [
            .text(bucket), .text(key), .text(id), .text(version), .text(owner), .integer(createdAt),
            .integer(updatedAt), .integer(content.size), .text(content.type), .text(content.cacheControl),
            .text(content.eTag), .integer(content.modifiedAt), Value(content.robots), Value(userMetadata),
            .integer(number),
        ]
    }
}

extension IndexedObject {
    /// The object that `upload` becomes when it is finished at `now`.
    package init(_ upload: Upload, id: String, eTag: String, size: Int64, at now: Int64, number: Int64) {
        let metadata = UploadMetadataPairs(settled: upload.metadata)
        self.init(
            bucket: upload.bucket, key: upload.key, id: id, version: upload.version, owner: upload.owner,
            createdAt: now, updatedAt: now,
            content: Content(
                size: size, type: metadata?.type ?? "application/octet-stream",
                cacheControl: metadata?.cacheControl ?? "no-cache", eTag: eTag, modifiedAt: now),
            userMetadata: metadata?.userMetadata, number: number)
    }
}

extension IndexedObject.Content {
    /// The `metadata` member of lists and copies.
    package var json: JSON {
        var members: [(String, JSON)] = [
            ("eTag", .text(eTag)), ("size", .integer(size)), ("mimetype", .text(type)),
            ("cacheControl", .text(cacheControl)),
            ("lastModified", .text(ServerTime(milliseconds: modifiedAt).iso8601)), ("contentLength", .integer(size)),
            ("httpStatusCode", 200),
        ]
        if let robots { members.append(("xRobotsTag", .text(robots))) }
        return .object(members.map { JSON.Member(name: $0.0, value: $0.1) })
    }
}

extension IndexedObject {
    /// User metadata as JSON.
    package var userMetadataJSON: JSON { userMetadata.flatMap { JSON(parsing: Array($0.utf8)) } ?? .null }

    /// The whole row, as the answers to copies and batch deletes contain it.
    package var row: JSON {
        [
            "name": .text(key), "bucket_id": .text(bucket), "owner": .text(owner), "owner_id": .text(owner),
            "version": .text(version), "id": .text(id),
            "updated_at": .text(ServerTime(milliseconds: updatedAt).iso8601),
            "created_at": .text(ServerTime(milliseconds: createdAt).iso8601),
            "last_accessed_at": .text(ServerTime(milliseconds: createdAt).iso8601),
            "metadata": content.json, "user_metadata": userMetadataJSON,
        ]
    }
}
