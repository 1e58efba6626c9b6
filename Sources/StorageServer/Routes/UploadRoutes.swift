import FoundationEssentials
import ObjectStore
import Platform
import Serving

extension Route {
    static let uploadRoutes = [
        Route("POST", "/object/:/*") { try await $0.upload($1, replacing: $1.header("x-upsert") == "true") },
        Route("PUT", "/object/:/*") { try await $0.upload($1, replacing: true) },
    ]
}

extension Depot {
    func upload(_ call: RoutedRequest, replacing: Bool) async throws -> Response {
        let object = try await accept(call, UploadAccess(caller: try caller(of: call), replaces: replacing))
        return .json(["Key": .text("\(object.bucket)/\(object.key)"), "Id": .text(object.id)])
    }

    /// Stores the request's body, raw or as a form, and returns the resulting object.
    func accept(_ call: RoutedRequest, _ access: UploadAccess) async throws -> IndexedObject {
        let (bucketID, key) = (call.bucket, call.key)
        guard Names.isBucket(bucketID) else { throw ProtocolRefusal.badBucketName }
        // One read for both, because every read costs two switches of threads.
        let (found, old) = try await index.read { index in
            (try index.bucket(bucketID), try index.object(key, in: bucketID))
        }
        guard let bucket = found else { throw ProtocolRefusal.noBucket }
        let form = try await UploadHeaders.form(of: call, bucket: bucket)
        let headers = try await UploadHeaders(call, form)
        try headers.check(length: form == nil ? call.request.body.length : nil, key: key, bucket: bucket)
        guard Names.isKey(key) else { throw ProtocolRefusal.badKey(key) }
        try permit(access.caller, toStore: key, in: bucket.id, isTaken: old != nil && !access.replaces)
        let (owner, number, now) = (access.caller.subject ?? "", index.numbers.next(), clock())
        let row = try await receive(form?.content ?? call.request.body) {
            // Fields may come after the file.
            let all = form == nil ? headers : try await UploadHeaders(call, form)
            return { blob in
                // For an existing object the blob carries the id that the index keeps, unless another upload is first.
                IndexedObject(
                    bucket: bucketID, key: key, id: old?.id ?? Randomness.uuid(), version: blob.version, owner: owner,
                    createdAt: old?.createdAt ?? now, updatedAt: now, content: all.content(of: blob, at: now),
                    userMetadata: all.userMetadata, number: number)
            }
        }
        return try await store(row, replacing: access.replaces)
    }

    /// Refuses an upload that is not permitted, before any byte of it is read.
    func permit(_ caller: Caller, toStore key: String, in bucket: String, isTaken: Bool) throws(ProtocolRefusal) {
        guard caller.owns(key) else { throw .policyViolated }
        if isTaken { throw .keyExists }
        if Names.hasDotSegment(key) {
            // The reference server's own message, with the path of its development defaults.
            let path = "supa-storage-bucket/bjhaohmqunupljrqypxz/\(bucket)/\(key)/\(Randomness.uuid())"
            throw .badKey("\(path) contains dot path segment")
        }
        if Names.hasLongSegment(key) { throw .internal }
    }

    private func receive(
        _ body: RequestBody, describe: () async throws -> @Sendable (Draft.Stored) -> IndexedObject
    ) async throws -> IndexedObject {
        do {
            return try await blobs.receive(body, part: eTags.standardPart, describe: describe)
        } catch let failure as BodyFailure {
            throw failure == .tooLarge ? ProtocolRefusal.tooLarge : ProtocolRefusal.bodyClosed
        }
    }

    /// Makes `row` the row of its key, once its blob is durable; returns it as it was stored.
    func store(_ row: IndexedObject, replacing: Bool) async throws -> IndexedObject {
        do {
            return try await change { try $0.store(row, replacing: replacing) }
        } catch {
            await blobs.remove(row.version)
            throw error
        }
    }
}

/// What an upload states about its object, in header lines or in the fields of its form.
struct UploadHeaders {
    let type: String
    let cacheControl: String
    let robots: String?
    let userMetadata: String?

    /// Reads the header lines of `call`, or the fields of `form` received so far.
    init(_ call: RoutedRequest, _ form: Form?) async throws {
        robots = call.header("x-robots-tag")
        if let form {
            let (fields, file) = await (form.fields, form.file)
            type = fields["contentType"] ?? file?.type ?? "text/plain"
            cacheControl = fields["cacheControl"].map { "max-age=\($0)" } ?? "no-cache"
            let json = (fields["metadata"] ?? fields["userMetadata"]).flatMap { JSON(parsing: Array($0.utf8)) }
            userMetadata = json.flatMap { $0.isObject ? $0.rendered : nil } ?? "{}"
        } else {
            type = call.header("content-type") ?? "application/octet-stream"
            cacheControl = call.header("cache-control") ?? "no-cache"
            userMetadata = call.header("x-metadata").flatMap(Self.userMetadata) ?? "{}"
        }
    }

    /// The form of `call`, read up to its file; `nil` where the body is the object itself.
    static func form(of call: RoutedRequest, bucket: IndexedBucket) async throws -> Form? {
        guard let type = call.header("content-type"), type.hasPrefix("multipart/form-data") else { return nil }
        guard let boundary = FormReader.parameter("boundary", of: type), !boundary.isEmpty else {
            throw ProtocolRefusal.noBoundary
        }
        let form = Form(call.request.body, boundary: boundary, limit: bucket.limit)
        do {
            guard try await form.findFile() != nil else { throw ProtocolRefusal.noFile }
        } catch is FormReader.Malformed {
            throw ProtocolRefusal.noFile
        } catch is BodyFailure {
            throw ProtocolRefusal.bodyClosed
        }
        return form
    }

    /// Refuses what the bucket does not accept.
    ///
    /// - Parameter length: The bytes of the object; `nil` where they are not known yet.
    func check(length: Int64?, key: String, bucket: IndexedBucket) throws(ProtocolRefusal) {
        guard type.contains("/"), !type.contains("\t") else { throw .badContentType }
        if let robots { try RobotsRule.check(robots) }
        // A raw body of unknown length is not limited, as on the reference server.
        if Names.isFolderMarker(key) {
            if let length, length != 0 { throw .tooLarge }
            return
        }
        if let length, length > bucket.limit { throw .tooLarge }
        if !bucket.allows(type) { throw .badType(type) }
    }

    /// The JSON object in base64 `text`; `nil` for anything else, which the reference server ignores.
    static func userMetadata(base64 text: String) -> String? {
        guard let data = Data(base64Encoded: text), let json = JSON(parsing: Array(data)), json.isObject else {
            return nil
        }
        return json.rendered
    }

    func content(of blob: Draft.Stored, at now: Int64) -> IndexedObject.Content {
        IndexedObject.Content(
            size: blob.size, type: type, cacheControl: cacheControl, eTag: blob.eTag,
            modifiedAt: now, robots: robots)
    }
}
