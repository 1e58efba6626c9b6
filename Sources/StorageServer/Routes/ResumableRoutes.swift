import Platform
import Serving

extension Route {
    /// The endpoint of resumable uploads, and its twin for holders of a signature (contract, section 4).
    static let resumableRoutes = ["/upload/resumable/sign", "/upload/resumable"].flatMap { base in
        let isSigned = base.hasSuffix("/sign")
        func route(_ method: String, _ tail: String, _ answer: @escaping Depot.ResumableAnswer) -> Route {
            Route(method, base + tail) { try await $0.resumable($1, isSigned: isSigned, answer) }
        }
        return [
            Route("OPTIONS", base) { _, _ in .capabilities },
            Route("OPTIONS", base + "/:") { _, _ in .capabilities },
            route("POST", "") { try await $0.beginUpload($1, isSigned: isSigned, by: $2) },
            route("POST", "/*") { try await $0.beginUpload($1, isSigned: isSigned, by: $2) },
            route("PATCH", "/:") { try await $0.continueUpload($1, by: $2) },
            route("HEAD", "/:") { try await $0.showUpload($1, by: $2) },
            route("DELETE", "/:") { try await $0.endUpload($1, by: $2) },
        ]
    }
}

extension Response {
    fileprivate static let capabilities = Response(
        status: 204,
        headers: [
            "Tus-Resumable": ResumableHeaders.version, "Tus-Version": ResumableHeaders.version,
            "Tus-Extension": ResumableHeaders.extensions, "Tus-Max-Size": String(Depot.sizeLimit),
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Methods": "POST, HEAD, PATCH, OPTIONS, DELETE",
            "Access-Control-Allow-Headers":
                "Authorization, Content-Type, Tus-Resumable, Upload-Defer-Length, Upload-Length, "
                + "Upload-Metadata, Upload-Offset, x-signature, x-upsert, apikey",
            "Access-Control-Max-Age": "86400",
        ])

    /// An answer of the endpoint that has nothing to say but header lines.
    ///
    /// Chunked where a length could be stated, as the reference server does it.
    fileprivate static func resumable(_ status: Int, _ headers: Headers = [:]) -> Response {
        var headers = headers
        headers["Tus-Resumable"] = ResumableHeaders.version
        guard status != 204 else { return Response(status: status, headers: headers) }
        headers["Content-Type"] = plainText
        return Response(status: status, headers: headers, body: .stream(length: nil) { nil })
    }
}

extension Depot {
    typealias ResumableAnswer = @Sendable (Depot, Call, Caller?) async throws -> Response

    /// Answers in this endpoint's form; a bad token alone is refused in the form of all other routes.
    ///
    /// - Parameter isSigned: Whether there is no token, but a signature that the answer looks at.
    func resumable(_ call: Call, isSigned: Bool, _ answer: ResumableAnswer) async throws -> Response {
        let caller = isSigned ? nil : try verifiedCaller(of: call)
        let refusal: ResumableRefusal
        do {
            return try await answer(self, call, caller)
        } catch let error as ResumableRefusal {
            refusal = error
        } catch let error as Refusal {
            refusal = ResumableRefusal(error)
        } catch {
            refusal = .internal
        }
        return refusal.response(isHead: call.request.method == "HEAD")
    }

    /// Does `body` while no other request works on the upload.
    private func holding<T: Sendable>(
        _ version: String, _ body: (UploadLocks.Turn) async throws -> T
    ) async throws -> T {
        guard let turn = await resumption.locks.take(version) else { throw ResumableRefusal.lockTimeout }
        do {
            let result = try await body(turn)
            await resumption.locks.leave(turn)
            return result
        } catch {
            await resumption.locks.leave(turn)
            throw error
        }
    }
}

// MARK: Creation

extension Depot {
    fileprivate func beginUpload(_ call: Call, isSigned: Bool, by caller: Caller?) async throws -> Response {
        let headers = try ResumableHeaders(call)
        if call.header("upload-concat") != nil { throw ResumableRefusal.noConcatenation }
        guard (headers.length != nil) != headers.defersLength else { throw ResumableRefusal.noLength }
        let (upload, access, bucket) = try await newUpload(headers, call, by: caller)
        try await blobs.begin(upload.version)
        try await index.write { try $0.put(upload) }
        var answer = expiry(of: upload)
        answer["Location"] = Self.location(of: upload, isSigned: isSigned, call)
        return try await holding(upload.version) { turn in
            var progress = Progress(upload: upload, access: access, bucket: bucket, size: 0)
            if headers.hasBytes {
                _ = try await receive(call, &progress, until: turn)
                answer["Upload-Offset"] = String(progress.size)
            }
            if progress.isWhole {
                try await finish(progress)
                answer["Tus-Complete"] = "1"
                answer["Upload-Expires"] = nil
            }
            return .resumable(201, answer)
        }
    }

    /// The upload that the request asks for, when all of it is allowed.
    private func newUpload(
        _ headers: ResumableHeaders, _ call: Call, by caller: Caller?
    ) async throws -> (Upload, UploadAccess, Bucket) {
        guard let metadata = headers.metadata.flatMap({ UploadMetadata($0) })?.settled else {
            throw ResumableRefusal.noMetadata
        }
        guard let id = metadata.bucket, Names.isBucket(id) else { throw ResumableRefusal.badBucketName }
        let key = metadata.key
        guard Names.isKey(key) else { throw Refusal.badKey(key) }
        guard let bucket = try await index.read({ try $0.bucket(id) }) else { throw Refusal.noBucket }
        if let length = headers.length, length > bucket.limit { throw ResumableRefusal.tooLarge }
        let access = try access(call, to: id, key, by: caller)
        _ = try await permittedBucket(id, key, access)
        // A type that was not said is not looked at, as on the reference server.
        if let type = metadata.type, !bucket.allows(type) { throw Refusal.badType(type) }
        await removeExpiredUploads()
        let upload = Upload(
            version: Self.newID(), bucket: id, key: key, owner: access.caller.subject ?? "", length: headers.length,
            metadata: metadata.line, createdAt: clock(), isFinished: false)
        return (upload, access, bucket)
    }

    /// The absolute URL of `upload`, as the client wrote the server's name.
    private static func location(of upload: Upload, isSigned: Bool, _ call: Call) -> String {
        let scheme = call.header("x-forwarded-proto") ?? "http"
        let host = call.header("x-forwarded-host") ?? call.header("host") ?? "localhost"
        return "\(scheme)://\(host)\(call.prefix)/upload/resumable/\(isSigned ? "sign/" : "")\(upload.id)"
    }

    private func expiry(of upload: Upload) -> Headers {
        ["Upload-Expires": CivilTime(milliseconds: upload.createdAt + resumption.milliseconds).httpDate]
    }

    /// Forgets what could not be continued for a whole lifetime more.
    private func removeExpiredUploads() async {
        let time = clock() - 2 * resumption.milliseconds
        // What stays is found by the next upload that begins.
        guard let versions = try? await index.write({ try $0.removeUploads(before: time) }) else { return }
        for version in versions { resumption.forget(version) }
        await blobs.remove(versions)
    }
}

// MARK: Continuation

/// An upload in the hands of one request.
private struct Progress: Sendable {
    var upload: Upload
    let access: UploadAccess
    let bucket: Bucket
    /// Bytes that are there.
    var size: Int64

    var isWhole: Bool { size == upload.length }
    /// Bytes that may still come.
    var room: Int64 { (upload.length ?? bucket.limit) - size }
    /// What more than that is answered with.
    var excess: ResumableRefusal { upload.length == nil ? .tooLarge : .tooLong }
}

extension Depot {
    fileprivate func continueUpload(_ call: Call, by caller: Caller?) async throws -> Response {
        let headers = try ResumableHeaders(call)
        let id = try UploadID(call.parts[0])
        guard let offset = headers.offset else { throw ResumableRefusal.noOffset }
        guard call.header("content-type") != nil else { throw ResumableRefusal.noContentType }
        let access = try access(call, to: id.bucket, id.key, by: caller)
        let bucket = try await permittedBucket(id.bucket, id.key, access)
        return try await holding(id.version) { turn in
            let (upload, size) = try await current(id)
            guard offset == size else { throw ResumableRefusal.wrongOffset }
            var progress = Progress(upload: upload, access: access, bucket: bucket, size: size)
            if let length = headers.length { try await declare(length, of: &progress) }
            let isInterrupted = try await receive(call, &progress, until: turn)
            return try await answer(progress, isUrgent: isInterrupted)
        }
    }

    private func declare(_ length: Int64, of progress: inout Progress) async throws {
        guard progress.upload.length == nil, length >= progress.size else { throw ResumableRefusal.noLength }
        guard length <= progress.bucket.limit else { throw ResumableRefusal.tooLarge }
        progress.upload.length = length
        let upload = progress.upload
        try await index.write { try $0.put(upload) }
    }

    private func answer(_ progress: Progress, isUrgent: Bool) async throws -> Response {
        var headers: Headers = ["Upload-Offset": String(progress.size)]
        if progress.isWhole {
            try await finish(progress)
            headers["Tus-Complete"] = "1"
        } else {
            headers["Upload-Expires"] = expiry(of: progress.upload)["Upload-Expires"]
        }
        var response = Response.resumable(204, headers)
        response.isUrgent = isUrgent
        return response
    }

    /// Receives the body to its end, or until another request wants the upload, which it returns.
    private func receive(
        _ call: Call, _ progress: inout Progress, until turn: UploadLocks.Turn
    ) async throws -> Bool {
        let room = progress.room
        if let length = call.request.body.length, length > room { throw progress.excess }
        let digest = try await digest(of: progress)
        let reception = try await reception(of: call, by: progress.upload.version, room, digest, until: turn)
        progress.size = digest.count
        switch reception {
        case .complete: return false
        case .lost: throw ResumableRefusal.lost
        case .tooLarge: throw progress.excess
        case nil: return true
        }
    }

    /// How receiving ended; `nil` where another request ended it.
    private func reception(
        of call: Call, by version: String, _ room: Int64, _ digest: RunningDigest, until turn: UploadLocks.Turn
    ) async throws -> Reception? {
        try await withThrowingTaskGroup(of: Reception?.self) { group in
            group.addTask { try await blobs.grow(version, by: call.request.body, room: room, digest: digest) }
            group.addTask {
                for await _ in turn.untilWanted {}
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            if first != nil { return first }
            let second = try await group.next() ?? nil
            return second == .lost ? nil : second
        }
    }

    private func digest(of progress: Progress) async throws -> RunningDigest {
        let version = progress.upload.version
        if let digest = resumption.digest(of: version, at: progress.size) { return digest }
        let digest = try await blobs.digest(of: version)
        resumption.keep(digest, for: version)
        return digest
    }

    /// The upload and the bytes of it that are there, when it can be continued or is a finished object still.
    fileprivate func current(_ id: UploadID) async throws -> (Upload, size: Int64) {
        let (found, isObject) = try await index.read { index in
            (try index.upload(id.version), try index.hasObject(version: id.version))
        }
        guard let upload = found, upload.bucket == id.bucket, upload.key == id.key else {
            throw ResumableRefusal.noUpload
        }
        let isExpired = !upload.isFinished && upload.createdAt + resumption.milliseconds <= clock()
        guard !isExpired, !upload.isFinished || isObject, let size = try await blobs.size(of: id.version) else {
            throw ResumableRefusal.uploadGone
        }
        return (upload, size)
    }

    /// Makes the object, once all bytes are there; again as often as it is asked for.
    private func finish(_ progress: Progress) async throws {
        guard !progress.upload.isFinished else { return }
        var upload = progress.upload
        upload.isFinished = true
        let finished = upload
        let object = StoredObject(
            upload, id: Self.newID(), eTag: "\"\(try await digest(of: progress).result.hexadecimal)\"",
            size: progress.size, at: clock())
        let replaces = progress.access.replaces
        let replaced = try await index.write { index in
            try index.put(finished)
            return try index.store(object, replacing: replaces).replaced
        }
        resumption.forget(upload.version)
        await blobs.remove(replaced)
    }
}

// MARK: State and end

extension Depot {
    fileprivate func showUpload(_ call: Call, by caller: Caller?) async throws -> Response {
        _ = try ResumableHeaders(call)
        let id = try UploadID(call.parts[0])
        _ = try access(call, to: id.bucket, id.key, by: caller)
        let (upload, size) = try await holding(id.version) { _ in try await current(id) }
        var headers: Headers = upload.isFinished ? [:] : expiry(of: upload)
        headers["Cache-Control"] = "no-store"
        headers["Upload-Offset"] = String(size)
        headers["Upload-Metadata"] = upload.metadata
        if let length = upload.length {
            headers["Upload-Length"] = String(length)
        } else {
            headers["Upload-Defer-Length"] = "1"
        }
        return .resumable(200, headers)
    }

    fileprivate func endUpload(_ call: Call, by caller: Caller?) async throws -> Response {
        _ = try ResumableHeaders(call)
        let id = try UploadID(call.parts[0])
        let access = try access(call, to: id.bucket, id.key, by: caller)
        _ = try await permittedBucket(id.bucket, id.key, access)
        return try await holding(id.version) { _ in
            guard try await !current(id).0.isFinished else { throw ResumableRefusal.alreadyFinished }
            try await index.write { try $0.removeUpload(id.version) }
            resumption.forget(id.version)
            await blobs.remove(id.version)
            return .resumable(204)
        }
    }
}
