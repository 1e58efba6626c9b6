import FoundationEssentials
import Platform
import Serving

extension Route {
    static let uploadRoutes = [
        Route("POST", "/object/:/*") { try await $0.upload($1, replacing: $1.header("x-upsert") == "true") },
        Route("PUT", "/object/:/*") { try await $0.upload($1, replacing: true) },
    ]
}

extension Depot {
    func upload(_ call: Call, replacing: Bool) async throws -> Response {
        let caller = try caller(of: call)
        let (bucketID, key) = (call.bucket, call.key)
        guard Names.isBucket(bucketID) else { throw Refusal.badBucketName }
        // One question for both, since every question costs two changes of thread.
        let (found, isTaken) = try await index.read { index in
            (try index.bucket(bucketID), try index.object(key, in: bucketID) != nil)
        }
        guard let bucket = found else { throw Refusal.noBucket }
        let headers = try UploadHeaders(call, bucket: bucket)
        guard Names.isKey(key) else { throw Refusal.badKey(key) }
        try permit(caller, toStore: key, in: bucket.id, isTaken: isTaken && !replacing)
        let blob = try await receive(call.request.body)
        let now = clock()
        let object = StoredObject(
            bucket: bucket.id, key: key, id: Self.newID(), version: blob.version, owner: caller.subject ?? "",
            createdAt: now, updatedAt: now, content: headers.content(of: blob, at: now),
            userMetadata: headers.userMetadata)
        let id = try await store(object, replacing: replacing)
        return .json(["Key": .text("\(bucket.id)/\(key)"), "Id": .text(id)])
    }

    /// Refuses what may not be stored before any byte of it is read.
    func permit(_ caller: Caller, toStore key: String, in bucket: String, isTaken: Bool) throws(Refusal) {
        guard caller.owns(key) else { throw .policyViolated }
        if isTaken { throw .keyExists }
        if Names.hasDotSegment(key) {
            // The reference server's own words, with the path below its development defaults.
            let path = "supa-storage-bucket/bjhaohmqunupljrqypxz/\(bucket)/\(key)/\(Self.newID())"
            throw .badKey("\(path) contains dot path segment")
        }
        if Names.hasLongSegment(key) { throw .internal }
    }

    private func receive(_ body: RequestBody) async throws -> Draft.Stored {
        do {
            return try await blobs.receive(body)
        } catch is BodyFailure {
            throw Refusal.bodyClosed
        }
    }

    /// Makes `object` what its key names, once its blob is durable; returns the id the object has now.
    ///
    /// An object that is replaced keeps its id and the time of its making; its old blob goes.
    func store(_ object: StoredObject, replacing: Bool) async throws -> String {
        do {
            let (id, replaced) = try await index.write { index in
                guard try index.bucket(object.bucket) != nil else { throw Refusal.noRelated }
                guard let old = try index.object(object.key, in: object.bucket) else {
                    try index.put(object)
                    return (object.id, [String]())
                }
                guard replacing else { throw Refusal.keyExists }
                var new = object
                new.id = old.id
                new.createdAt = old.createdAt
                try index.put(new)
                return (old.id, [old.version])
            }
            await blobs.remove(replaced)
            return id
        } catch {
            await blobs.remove(object.version)
            throw error
        }
    }
}

/// What the header lines of a raw upload say about the object.
struct UploadHeaders {
    let type: String
    let cacheControl: String
    let robots: String?
    let userMetadata: String?

    /// Refuses what the bucket does not take.
    init(_ call: Call, bucket: Bucket) throws(Refusal) {
        type = call.header("content-type") ?? "application/octet-stream"
        cacheControl = call.header("cache-control") ?? "no-cache"
        robots = call.header("x-robots-tag")
        userMetadata = call.header("x-metadata").flatMap(Self.userMetadata) ?? "{}"
        if type.hasPrefix("multipart/form-data") { throw .noMultipart }
        guard type.contains("/"), !type.contains("\t") else { throw .badContentType }
        if let robots { try RobotsRule.check(robots) }
        try check(length: call.request.body.length, key: call.key, bucket: bucket)
    }

    private func check(length: Int64?, key: String, bucket: Bucket) throws(Refusal) {
        // A body of unknown length is not limited, as on the reference server.
        if Names.isFolderMarker(key) {
            if length != 0 { throw .tooLarge }
            return
        }
        if let length, length > min(bucket.sizeLimit ?? .max, Depot.sizeLimit) { throw .tooLarge }
        if let allowed = bucket.allowedTypes, !allowed.contains(where: { Names.satisfies(type, rule: $0) }) {
            throw .badType(type)
        }
    }

    /// The JSON object in base64 `text`; anything else counts as nothing, as on the reference server.
    static func userMetadata(base64 text: String) -> String? {
        guard let data = Data(base64Encoded: text), let json = JSON(parsing: Array(data)), json.isObject else {
            return nil
        }
        return json.rendered
    }

    func content(of blob: Draft.Stored, at now: Int64) -> StoredObject.Content {
        StoredObject.Content(
            size: blob.size, type: type, cacheControl: cacheControl, eTag: "\"\(blob.md5.hexadecimal)\"",
            modifiedAt: now, robots: robots)
    }
}
