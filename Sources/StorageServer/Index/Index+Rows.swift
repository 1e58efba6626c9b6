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

    func removeObject(_ key: String, in bucket: String) throws {
        try run("DELETE FROM objects WHERE bucket = ? AND key = ?", .text(bucket), .text(key))
    }
}
