import Database

/// One row made, replaced or removed.
enum RowChange: Hashable, Sendable {
    case put(StoredObject)
    case remove(bucket: String, key: String)
    case putBucket(Bucket)
    case removeBucket(String)

    /// The change that SQL wrote as `RowChange.object` or `RowChange.bucket` say; `nil` when a member is missing.
    init?(_ json: JSON) {
        if let row = json["put"] {
            guard let object = StoredObject(row) else { return nil }
            self = .put(object)
        } else if let row = json["remove"] {
            guard let bucket = row["bucket"]?.string, let key = row["key"]?.string else { return nil }
            self = .remove(bucket: bucket, key: key)
        } else if let row = json["putBucket"] {
            guard let bucket = Bucket(row) else { return nil }
            self = .putBucket(bucket)
        } else {
            guard let id = json["removeBucket"]?.string else { return nil }
            self = .removeBucket(id)
        }
    }
}

// MARK: In SQL

extension RowChange {
    /// The change that makes a row of `objects`, as an SQL expression over `prefix`, such as `new.`.
    static func object(_ prefix: String = "") -> String {
        "json_object('put', \(members(StoredObject.columns, prefix)))"
    }

    static func bucket(_ prefix: String = "") -> String {
        "json_object('putBucket', \(members(Bucket.columns, prefix)))"
    }

    private static func members(_ columns: String, _ prefix: String) -> String {
        let names = columns.split { $0 == "," || $0 == " " }
        return "json_object(\(names.map { "'\($0)', \(prefix)\($0)" }.joined(separator: ", ")))"
    }

    /// Notes every change of a row in the connection's own table `changes`, undone with the change itself.
    ///
    /// Triggers, so that no statement can forget it.
    static let watching = """
        PRAGMA temp_store = MEMORY;
        CREATE TEMP TABLE changes (change TEXT NOT NULL);
        CREATE TEMP TRIGGER object_put AFTER INSERT ON main.objects
            BEGIN INSERT INTO changes VALUES (\(object("new."))); END;
        CREATE TEMP TRIGGER object_update AFTER UPDATE ON main.objects
            BEGIN INSERT INTO changes VALUES (\(removal)), (\(object("new."))); END;
        CREATE TEMP TRIGGER object_remove AFTER DELETE ON main.objects
            BEGIN INSERT INTO changes VALUES (\(removal)); END;
        CREATE TEMP TRIGGER bucket_put AFTER INSERT ON main.buckets
            BEGIN INSERT INTO changes VALUES (\(bucket("new."))); END;
        CREATE TEMP TRIGGER bucket_update AFTER UPDATE ON main.buckets
            BEGIN INSERT INTO changes VALUES (\(bucket("new."))); END;
        CREATE TEMP TRIGGER bucket_remove AFTER DELETE ON main.buckets
            BEGIN INSERT INTO changes VALUES (json_object('removeBucket', old.id)); END;
        """

    private static let removal = "json_object('remove', json_object('bucket', old.bucket, 'key', old.key))"
}

// MARK: From JSON

extension StoredObject {
    /// The object in a `put` of the journal.
    fileprivate init?(_ row: JSON) {
        guard let bucket = row["bucket"]?.string, let key = row["key"]?.string, let id = row["id"]?.string,
            let version = row["version"]?.string, let owner = row["owner"]?.string,
            let createdAt = row["created_at"]?.whole, let updatedAt = row["updated_at"]?.whole,
            let content = Content(row)
        else { return nil }
        self.init(
            bucket: bucket, key: key, id: id, version: version, owner: owner, createdAt: createdAt,
            updatedAt: updatedAt, content: content, userMetadata: row["user_metadata"]?.string)
    }
}

extension StoredObject.Content {
    fileprivate init?(_ row: JSON) {
        guard let size = row["size"]?.whole, let type = row["type"]?.string, let eTag = row["etag"]?.string,
            let cacheControl = row["cache_control"]?.string, let modifiedAt = row["modified_at"]?.whole
        else { return nil }
        self.init(
            size: size, type: type, cacheControl: cacheControl, eTag: eTag, modifiedAt: modifiedAt,
            robots: row["robots"]?.string)
    }
}

extension Bucket {
    fileprivate init?(_ row: JSON) {
        guard let id = row["id"]?.string, let owner = row["owner"]?.string, let isPublic = row["public"]?.whole,
            let createdAt = row["created_at"]?.whole, let updatedAt = row["updated_at"]?.whole
        else { return nil }
        self.init(
            id: id, owner: owner, isPublic: isPublic != 0, sizeLimit: row["size_limit"]?.whole,
            allowedTypes: Self.types(row["allowed_types"]?.string), createdAt: createdAt, updatedAt: updatedAt)
    }
}

extension JSON {
    fileprivate var whole: Int64? { if case .integer(let number) = self { number } else { nil } }
}
