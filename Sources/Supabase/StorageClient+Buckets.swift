import Transfer

extension StorageClient {
    /// Makes a bucket, private unless the settings say otherwise; `isDuplicate` where it exists.
    package func createBucket(_ name: String, _ settings: BucketSettings = BucketSettings()) async throws(StorageError)
    {
        var settings = settings
        settings.isPublic = settings.isPublic ?? false
        _ = try await send(try request(.post, "/bucket", json: NewBucket(name: name, settings: settings)))
    }

    /// One bucket; ordinary users may not be permitted to see it and yet use it.
    package func bucket(_ name: String) async throws(StorageError) -> Bucket {
        try await send(request(.get, Self.path("bucket", name)), as: Bucket.self)
    }

    /// The buckets that are visible to who asks, by name.
    package func buckets() async throws(StorageError) -> [Bucket] {
        try await send(request(.get, "/bucket"), as: [Bucket].self).sorted { $0.name < $1.name }
    }

    /// Changes what `settings` name; they must name something.
    package func updateBucket(_ name: String, _ settings: BucketSettings) async throws(StorageError) {
        _ = try await send(try request(.put, Self.path("bucket", name), json: settings))
    }

    /// Deletes an empty bucket.
    package func deleteBucket(_ name: String) async throws(StorageError) {
        _ = try await send(request(.delete, Self.path("bucket", name)))
    }

    /// Has every object of a bucket deleted, some time later; for the service role only.
    package func emptyBucket(_ name: String) async throws(StorageError) {
        _ = try await send(request(.post, Self.path("bucket", name) + "/empty"))
    }
}

private struct NewBucket: Encodable {
    let name: String
    let settings: BucketSettings

    private enum CodingKeys: CodingKey {
        case id, name
    }

    func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(name, forKey: .id)
        try keys.encode(name, forKey: .name)
        try settings.encode(to: encoder)
    }
}
