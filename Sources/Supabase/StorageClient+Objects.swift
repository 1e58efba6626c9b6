import FoundationEssentials
package import Transfer

extension StorageClient {
    /// Stores `body` under `bucket/key`; with `replacing` also over what is there.
    ///
    /// A lost answer may mean success: asked again without `replacing`, the server then says duplicate.
    ///
    /// - Parameters:
    ///   - contentType: Bare, without parameters, or an allow-list may refuse it.
    ///   - cacheControl: Seconds that others may keep a copy.
    ///   - metadata: At most about 12 KiB as JSON, since it travels in a header.
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

    /// Everything about one object; `isMissing` where there is none or it is not visible.
    package func info(bucket: String, key: String) async throws(StorageError) -> ObjectInfo {
        try await send(request(.get, Self.path("object/info/authenticated", bucket, key)), as: ObjectInfo.self)
    }

    /// Everything about one object, or `nil` where there is none or it is not visible.
    package func infoIfPresent(bucket: String, key: String) async throws(StorageError) -> ObjectInfo? {
        do throws(StorageError) {
            return try await info(bucket: bucket, key: key)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// The object's headers; `nil` where `info` would say why there are none.
    ///
    /// A refused HEAD has no body, so it cannot tell a missing object from a missing bucket.
    package func head(bucket: String, key: String) async throws(StorageError) -> ObjectHead? {
        do throws(StorageError) {
            let response = try await send(request(.head, Self.path("object/authenticated", bucket, key)))
            return ObjectHead(
                size: response.headers["content-length"].flatMap { Int64($0) },
                contentType: response.headers["content-type"], cacheControl: response.headers["cache-control"],
                eTag: response.headers["etag"])
        } catch {
            guard let status = error.refusal?.httpStatus, status == 400 || status == 404 else { throw error }
            return nil
        }
    }

    /// Gives an object another key, and bucket where one is named; it keeps id and user metadata.
    package func move(
        bucket: String, from source: String, to destination: String, inBucket other: String? = nil
    ) async throws(StorageError) {
        let move = Relocation(bucket, source, destination, other)
        _ = try await send(try request(.post, "/object/move", json: move))
    }

    /// Makes a second object of the same bytes on the server, with the same metadata unless given new.
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
        _ = try await send(request(.delete, Self.path("object", bucket, key)))
    }

    /// Deletes any number of objects, 1,000 a request; the keys of those that were there to delete.
    ///
    /// What is missing or not permitted is silently not among them.
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

/// What a copy is given instead of its original's metadata.
package struct CopyMetadata: Hashable, Sendable {
    package var contentType: String
    /// Seconds that others may keep a copy.
    package var cacheControl: Int
    package var metadata: [String: JSONValue]

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
