/// Rows as JSON: what a blob carries, and what the list of buckets contains.
extension IndexedObject {
    /// The row in `json`, whose members are named like the columns; `nil` when one is missing.
    init?(row json: JSON) {
        guard let bucket = json["bucket"]?.string, let key = json["key"]?.string, let id = json["id"]?.string,
            let version = json["version"]?.string, let owner = json["owner"]?.string,
            let createdAt = json["created_at"]?.whole, let updatedAt = json["updated_at"]?.whole,
            let content = Content(row: json)
        else { return nil }
        self.init(
            bucket: bucket, key: key, id: id, version: version, owner: owner, createdAt: createdAt,
            updatedAt: updatedAt, content: content, userMetadata: json["user_metadata"]?.string,
            number: json["number"]?.whole ?? 0)
    }

    /// Members named like the columns.
    var rowJSON: JSON {
        [
            "bucket": .text(bucket), "key": .text(key), "id": .text(id), "version": .text(version),
            "owner": .text(owner), "created_at": .integer(createdAt), "updated_at": .integer(updatedAt),
            "size": .integer(content.size), "type": .text(content.type), "etag": .text(content.eTag),
            "cache_control": .text(content.cacheControl), "modified_at": .integer(content.modifiedAt),
            "robots": .optional(content.robots), "user_metadata": .optional(userMetadata),
            "number": .integer(number),
        ]
    }

    /// The row as its blob carries it: `{"sum":"…","row":{…}}`.
    var carried: [UInt8] { SealedLine.bytes("\"row\":\(rowJSON.rendered)}") }

    /// The row in `bytes`, which a blob carries; `nil` when they are damaged.
    init?(carried bytes: [UInt8]) {
        guard let json = SealedLine.json(bytes[...])?["row"] else { return nil }
        self.init(row: json)
    }
}

extension IndexedObject.Content {
    fileprivate init?(row json: JSON) {
        guard let size = json["size"]?.whole, let type = json["type"]?.string, let eTag = json["etag"]?.string,
            let cacheControl = json["cache_control"]?.string, let modifiedAt = json["modified_at"]?.whole
        else { return nil }
        self.init(
            size: size, type: type, cacheControl: cacheControl, eTag: eTag, modifiedAt: modifiedAt,
            robots: json["robots"]?.string)
    }
}

extension IndexedBucket {
    /// The row in `json`, whose members are named like the columns; `nil` when one is missing.
    init?(row json: JSON) {
        guard let id = json["id"]?.string, let owner = json["owner"]?.string, let isPublic = json["public"]?.whole,
            let createdAt = json["created_at"]?.whole, let updatedAt = json["updated_at"]?.whole
        else { return nil }
        self.init(
            id: id, owner: owner, isPublic: isPublic != 0, sizeLimit: json["size_limit"]?.whole,
            allowedTypes: Self.types(json["allowed_types"]?.string), createdAt: createdAt, updatedAt: updatedAt)
    }

    /// Members named like the columns.
    var rowJSON: JSON {
        [
            "id": .text(id), "owner": .text(owner), "public": .integer(isPublic ? 1 : 0),
            "size_limit": .optional(sizeLimit), "allowed_types": .optional(allowedTypes?.joined(separator: "\n")),
            "created_at": .integer(createdAt), "updated_at": .integer(updatedAt),
        ]
    }

    /// A bucket for `object`, whose own bucket row is lost: only its owner may read it.
    init(recovered object: IndexedObject) {
        self.init(
            id: object.bucket, owner: object.owner, isPublic: false, sizeLimit: nil, allowedTypes: nil,
            createdAt: object.createdAt, updatedAt: object.createdAt)
    }
}

extension JSON {
    var whole: Int64? { if case .integer(let number) = self { number } else { nil } }
}
