import Database

extension Connection {
    func bucket(_ id: String) throws -> Bucket? {
        try first("SELECT \(Bucket.columns) FROM buckets WHERE id = ?", .text(id), read: Bucket.init)
    }

    func object(_ key: String, in bucket: String) throws -> StoredObject? {
        try first(
            "SELECT \(StoredObject.columns) FROM objects WHERE bucket = ? AND key = ?", .text(bucket), .text(key),
            read: StoredObject.init)
    }

    func hasObjects(in bucket: String) throws -> Bool {
        try first("SELECT 1 FROM objects WHERE bucket = ? LIMIT 1", .text(bucket)) { _ in true } ?? false
    }

    func hasObject(version: String) throws -> Bool {
        try first("SELECT 1 FROM objects WHERE version = ?", .text(version)) { _ in true } ?? false
    }

    /// Whether the blob of `version` belongs to an object or to an upload under way.
    func isNamed(version: String) throws -> Bool {
        if try hasObject(version: version) { return true }
        return try upload(version)?.isFinished == false
    }

    func upload(_ version: String) throws -> Upload? {
        try first("SELECT \(Upload.columns) FROM uploads WHERE version = ?", .text(version), read: Upload.init)
    }

    func put(_ upload: Upload) throws {
        try run(
            "INSERT OR REPLACE INTO uploads (\(Upload.columns)) VALUES (?,?,?,?,?,?,?,?,?)", binding: upload.values)
    }

    func removeUpload(_ version: String) throws {
        try run("DELETE FROM uploads WHERE version = ?", .text(version))
    }

    /// Forgets uploads begun before `time`; returns the blobs of those that were not finished.
    func removeUploads(before time: Int64) throws -> [String] {
        let old = try rows(
            "SELECT version FROM uploads WHERE created_at < ? AND finished = 0", .integer(time)
        ) { $0.text(0) }
        try run("DELETE FROM uploads WHERE created_at < ?", .integer(time))
        return old
    }

    func put(_ bucket: Bucket) throws {
        try run("INSERT OR REPLACE INTO buckets (\(Bucket.columns)) VALUES (?,?,?,?,?,?,?)", binding: bucket.values)
    }

    /// Changes what may change of a bucket: whether it is public, its limit and its types.
    func update(_ bucket: Bucket) throws {
        try run(
            "UPDATE buckets SET public = ?, size_limit = ?, allowed_types = ?, updated_at = ? WHERE id = ?",
            binding: [
                Value(bucket.isPublic), Value(bucket.sizeLimit), Value(bucket.allowedTypes?.joined(separator: "\n")),
                .integer(bucket.updatedAt), .text(bucket.id),
            ])
    }

    /// Stores a row, replacing the one of the same key.
    func put(_ object: StoredObject) throws {
        try run(
            "INSERT OR REPLACE INTO objects (\(StoredObject.columns)) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            binding: object.values)
    }

    /// Makes `object` what its key names; returns the id it has now and the versions it replaced.
    ///
    /// An object that is replaced keeps its id and the time of its making.
    func store(_ object: StoredObject, replacing: Bool) throws -> (id: String, replaced: [String]) {
        guard try bucket(object.bucket) != nil else { throw Refusal.noRelated }
        guard let old = try self.object(object.key, in: object.bucket) else {
            try put(object)
            return (object.id, [])
        }
        guard replacing else { throw Refusal.keyExists }
        var new = object
        new.id = old.id
        new.createdAt = old.createdAt
        try put(new)
        // A resumable upload that was finished before a power cut and is finished again is itself.
        return (old.id, old.version == new.version ? [] : [old.version])
    }

    func removeObject(_ key: String, in bucket: String) throws {
        try run("DELETE FROM objects WHERE bucket = ? AND key = ?", .text(bucket), .text(key))
    }
}
