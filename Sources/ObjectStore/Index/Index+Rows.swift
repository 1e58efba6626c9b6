import Database

extension Connection {
    /// The bucket with this id, if there is one.
    package func bucket(_ id: String) throws -> IndexedBucket? {
        try first("SELECT \(IndexedBucket.columns) FROM buckets WHERE id = ?", .text(id), read: IndexedBucket.init)
    }

    /// The object with this key, if there is one.
    package func object(_ key: String, in bucket: String) throws -> IndexedObject? {
        try first(
            "SELECT \(IndexedObject.columns) FROM objects WHERE bucket = ? AND key = ?", .text(bucket), .text(key),
            read: IndexedObject.init)
    }

    /// Whether anything lies in the bucket.
    package func hasObjects(in bucket: String) throws -> Bool {
        try exists("SELECT 1 FROM objects WHERE bucket = ? LIMIT 1", .text(bucket))
    }

    /// Whether an object has the blob named for `version`.
    package func hasObject(version: String) throws -> Bool {
        try exists("SELECT 1 FROM objects WHERE version = ?", .text(version))
    }

    /// The resumable upload whose blob is named for `version`, if there is one.
    package func upload(_ version: String) throws -> Upload? {
        try first("SELECT \(Upload.columns) FROM uploads WHERE version = ?", .text(version), read: Upload.init)
    }

    /// Adds a resumable upload, or replaces its row.
    package func put(_ upload: Upload) throws {
        try run(
            "INSERT OR REPLACE INTO uploads (\(Upload.columns)) VALUES (?,?,?,?,?,?,?,?,?)", binding: upload.values)
    }

    /// Removes a resumable upload.
    package func removeUpload(_ version: String) throws {
        try run("DELETE FROM uploads WHERE version = ?", .text(version))
    }

    /// Removes uploads begun before `time`; returns the versions of those that were not finished.
    package func removeUploads(before time: Int64) throws -> [String] {
        let old = try rows(
            "SELECT version FROM uploads WHERE created_at < ? AND finished = 0", .integer(time)
        ) { $0.text(0) }
        try run("DELETE FROM uploads WHERE created_at < ?", .integer(time))
        return old
    }

    /// Adds a bucket, or replaces its row.
    package func put(_ bucket: IndexedBucket) throws {
        try run(
            "INSERT OR REPLACE INTO buckets (\(IndexedBucket.columns)) VALUES (?,?,?,?,?,?,?)", binding: bucket.values)
    }

    /// Updates what may change of a bucket: whether it is public, its limit and its types.
    package func update(_ bucket: IndexedBucket) throws {
        try run(
            "UPDATE buckets SET public = ?, size_limit = ?, allowed_types = ?, updated_at = ? WHERE id = ?",
            binding: [
                Value(bucket.isPublic), Value(bucket.sizeLimit), Value(bucket.allowedTypes?.joined(separator: "\n")),
                .integer(bucket.updatedAt), .text(bucket.id),
            ])
    }

    /// Inserts a row whose key no other row has.
    package func put(_ object: IndexedObject) throws {
        try run(
            "INSERT INTO objects (\(IndexedObject.columns)) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            binding: object.values)
    }

    /// Makes `object`, the row that its blob carries, the row of its key; returns it as it was stored.
    ///
    /// A replaced object keeps its id and creation time, and its old blob becomes a debt, to be removed.
    package func store(_ object: IndexedObject, replacing: Bool) throws -> IndexedObject {
        guard try bucket(object.bucket) != nil else { throw ProtocolRefusal.noRelated }
        var new = object
        if let old = try self.object(object.key, in: object.bucket) {
            guard replacing else { throw ProtocolRefusal.keyExists }
            (new.id, new.createdAt) = (old.id, old.createdAt)
            try removeObject(object.key, in: object.bucket)
        }
        try put(new)
        if new != object { try owe(new.version) }
        return new
    }

    /// Removes an object, and not its blob.
    package func removeObject(_ key: String, in bucket: String) throws {
        try run("DELETE FROM objects WHERE bucket = ? AND key = ?", .text(bucket), .text(key))
    }

    func object(version: String) throws -> IndexedObject? {
        try first(
            "SELECT \(IndexedObject.columns) FROM objects WHERE version = ?", .text(version), read: IndexedObject.init)
    }

    func buckets() throws -> [IndexedBucket] {
        try rows("SELECT \(IndexedBucket.columns) FROM buckets ORDER BY id", read: IndexedBucket.init)
    }

    /// Removes a bucket, which must be empty.
    package func removeBucket(_ id: String) throws { try run("DELETE FROM buckets WHERE id = ?", .text(id)) }

    func putOrUpdate(_ bucket: IndexedBucket) throws {
        try self.bucket(bucket.id) == nil ? put(bucket) : update(bucket)
    }

    /// Inserts a row that was found in a blob; makes a new bucket for it if its own is lost.
    func putWithBucket(_ object: IndexedObject) throws {
        if try bucket(object.bucket) == nil { try put(IndexedBucket(recovered: object)) }
        try put(object)
    }

    /// The number of rows of `table`.
    func count(of table: String) throws -> Int64 { try first("SELECT count(*) FROM \(table)") { $0.integer(0) } ?? 0 }
}
