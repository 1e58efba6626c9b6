import FoundationEssentials
package import Transfer

extension StorageClient {
    /// Stores `body` under `bucket/key`; with `replacing` also over an existing object.
    ///
    /// A lost answer may mean success: repeated without `replacing`, the request is then refused as a duplicate.
    ///
    /// - Parameters:
    ///   - contentType: Without parameters: an allow-list may refuse them.
    ///   - cacheControl: Seconds that caches may keep a copy.
    ///   - metadata: At most about 12 KiB as JSON, since it is sent in a header.
    package func upload(
        _ body: HTTPBody, bucket: String, key: String, contentType: String, cacheControl: Int = 3600,
        metadata: [String: JSONValue] = [:], replacing: Bool = false,
        sendLimit: Int? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(StorageError) -> StoredObject {
        var request = request(.post, Self.path("object", bucket, key))
        request.headers["content-type"] = contentType
        request.headers["cache-control"] = "max-age=\(cacheControl)"
        if !metadata.isEmpty { request.headers["x-metadata"] = try Self.header(metadata) }
        if replacing { request.headers["x-upsert"] = "true" }
        request.body = body
        request.sendLimit = sendLimit
        request.progress = progress
        return try await send(request, as: Placed.self).object(in: bucket)
    }

    /// Everything about one object; `isMissing` where it does not exist or the caller may not see it.
    package func info(bucket: String, key: String) async throws(StorageError) -> ObjectInfo {
        try await send(request(.get, Self.path("object/info/authenticated", bucket, key)), as: ObjectInfo.self)
    }

    /// Everything about one object; `nil` where it does not exist or the caller may not see it.
    package func infoIfPresent(bucket: String, key: String) async throws(StorageError) -> ObjectInfo? {
        do throws(StorageError) {
            return try await info(bucket: bucket, key: key)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Gives an object another key, and another bucket where one is named; id and user metadata stay.
    package func move(
        bucket: String, from source: String, to destination: String, inBucket other: String? = nil
    ) async throws(StorageError) {
        let move = Relocation(bucket, source, destination, other)
        try await perform(try request(.post, "/object/move", json: move))
    }

    /// Copies an object on the server, with its metadata unless new metadata is given.
    package func copy(
        bucket: String, from source: String, to destination: String, inBucket other: String? = nil,
        replacing: Bool = false, newMetadata: CopyMetadata? = nil
    ) async throws(StorageError) -> StoredObject {
        var copy = Relocation(bucket, source, destination, other)
        copy.metadata = newMetadata.map { .init(mimetype: $0.contentType, cacheControl: "max-age=\($0.cacheControl)") }
        copy.copyMetadata = newMetadata == nil ? nil : false
        var request = try request(.post, "/object/copy", json: copy)
        if let newMetadata { request.headers["x-metadata"] = try Self.header(newMetadata.metadata) }
        if replacing { request.headers["x-upsert"] = "true" }
        return try await send(request, as: Placed.self).object(in: other ?? bucket)
    }

    /// Deletes one object; `isMissing` where there was none.
    package func delete(bucket: String, key: String) async throws(StorageError) {
        try await perform(request(.delete, Self.path("object", bucket, key)))
    }

    /// Deletes any number of objects, 1,000 a request; returns the keys that were deleted.
    ///
    /// Keys that are missing or that the caller may not delete are left out without an error.
    package func deleteAll(bucket: String, keys: [String]) async throws(StorageError) -> Set<String> {
        var deleted: Set<String> = []
        for start in stride(from: 0, to: keys.count, by: 1000) {
            let prefixes = Array(keys[start..<min(start + 1000, keys.count)])
            let request = try request(.delete, Self.path("object", bucket), json: ["prefixes": prefixes])
            deleted.formUnion(try await send(request, as: [ListedObject].self).map(\.key))
        }
        return deleted
    }

    /// JSON as the `x-metadata` header carries it.
    private static func header(_ metadata: [String: JSONValue]) throws(StorageError) -> String {
        try encode(metadata).base64EncodedString()
    }
}

/// The metadata of a copy that does not take over its original's.
package struct CopyMetadata: Hashable, Sendable {
    /// Without parameters, such as `image/jpeg`.
    var contentType: String
    /// Seconds that caches may keep the copy.
    var cacheControl: Int
    /// User metadata, at most about 12 KiB as JSON; replaces all of the original's.
    var metadata: [String: JSONValue]

    /// Metadata for a copy; caches keep it for an hour unless `cacheControl` says otherwise.
    package init(contentType: String, cacheControl: Int = 3600, metadata: [String: JSONValue]) {
        self.contentType = contentType
        self.cacheControl = cacheControl
        self.metadata = metadata
    }
}

/// The body of a move or a copy.
private struct Relocation: Encodable {
    struct Metadata: Encodable {
        let mimetype: String
        let cacheControl: String
    }

    let bucketId: String
    let sourceKey: String
    let destinationKey: String
    let destinationBucket: String?
    var metadata: Metadata?
    var copyMetadata: Bool?

    init(_ bucket: String, _ source: String, _ destination: String, _ other: String?) {
        (bucketId, sourceKey, destinationKey, destinationBucket) = (bucket, source, destination, other)
    }
}

/// What an upload or a copy answers.
private struct Placed: Decodable {
    let id: String
    let key: String

    private enum CodingKeys: String, CodingKey {
        case id = "Id", key = "Key"
    }

    func object(in bucket: String) -> StoredObject {
        let prefix = Array((bucket + "/").utf8)
        return StoredObject(
            id: id, key: key.utf8.starts(with: prefix) ? String(key.utf8.dropFirst(prefix.count)) ?? key : key)
    }
}
