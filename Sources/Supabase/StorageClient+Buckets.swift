import Transfer

extension StorageClient {
    /// Creates a bucket, private unless the settings say otherwise; `isDuplicate` where it exists.
    package func createBucket(_ name: String, _ settings: BucketSettings = BucketSettings()) async throws(StorageError)
    {
        var settings = settings
        settings.isPublic = settings.isPublic ?? false
        struct Made: Decodable {
            let name: String
        }
        _ = try await send(
            try request(.post, "/bucket", json: NewBucket(name: name, settings: settings)), as: Made.self)
    }

    /// One bucket; an ordinary user may be allowed to use a bucket without being allowed to see it.
    package func bucket(_ name: String) async throws(StorageError) -> Bucket {
        try await send(request(.get, Self.path("bucket", name)), as: Bucket.self)
    }

    /// The buckets that the caller may see, sorted by name.
    package func buckets() async throws(StorageError) -> [Bucket] {
        try await send(request(.get, "/bucket"), as: [Bucket].self).sorted { $0.name < $1.name }
    }

    /// Changes the settings that are not `nil`; at least one must be given.
    package func updateBucket(_ name: String, _ settings: BucketSettings) async throws(StorageError) {
        try await perform(try request(.put, Self.path("bucket", name), json: settings))
    }

    /// Deletes an empty bucket.
    package func deleteBucket(_ name: String) async throws(StorageError) {
        try await perform(request(.delete, Self.path("bucket", name)))
    }

    /// Asks the server to delete every object of a bucket, which it does later; for the service role only.
    package func emptyBucket(_ name: String) async throws(StorageError) {
        try await perform(request(.post, Self.path("bucket", name) + "/empty"))
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
