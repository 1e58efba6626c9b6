import ObjectStore
import Platform
import Serving

extension Depot {
    func continueUpload(_ call: RoutedRequest, by caller: Caller?) async throws -> Response {
        let headers = try ResumableHeaders(call)
        let id = try uploadID(call)
        guard let offset = headers.offset else { throw ResumableRefusal.noOffset }
        guard call.header("content-type") != nil else { throw ResumableRefusal.noContentType }
        let access = try access(call, to: id.bucket, id.key, by: caller)
        let bucket = try await permittedBucket(id.bucket, id.key, access)
        return try await holding(id.version) { turn in
            let (upload, size) = try await current(id)
            guard offset == size else { throw ResumableRefusal.wrongOffset }
            var progress = ActiveUpload(upload: upload, access: access, bucket: bucket, size: size)
            if let length = headers.length { try await declare(length, of: &progress) }
            let isInterrupted = try await receive(call, &progress, until: turn)
            return try await answer(progress, isUrgent: isInterrupted)
        }
    }

    private func declare(_ length: Int64, of progress: inout ActiveUpload) async throws {
        guard progress.upload.length == nil, length >= progress.size else { throw ResumableRefusal.noLength }
        guard length <= progress.bucket.limit else { throw ResumableRefusal.tooLarge }
        progress.upload.length = length
        let upload = progress.upload
        try await index.write { try $0.put(upload) }
    }

    private func answer(_ progress: ActiveUpload, isUrgent: Bool) async throws -> Response {
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

    /// Receives the body to its end, or until another request wants the upload, which it reports.
    func receive(
        _ call: RoutedRequest, _ progress: inout ActiveUpload, until turn: UploadLocks.Turn
    ) async throws -> Bool {
        let room = progress.room
        if let length = call.request.body.length, length > room { throw progress.excess }
        let digest = try await digest(of: progress)
        let reception = try await reception(of: call, by: progress.upload.version, room, digest, until: turn)
        progress.size = digest.count
        digest.endRequest()
        try await keepParts(of: digest, in: &progress)
        switch reception {
        case .complete: return false
        case .lost: throw ResumableRefusal.lost
        case .tooLarge: throw progress.excess
        case nil: return true
        }
    }

    /// Saves where parts have ended, because a later run of the server could not find that out.
    private func keepParts(of digest: RunningDigest, in progress: inout ActiveUpload) async throws {
        guard digest.partSizes != progress.upload.parts else { return }
        progress.upload.parts = digest.partSizes
        let upload = progress.upload
        try await index.write { try $0.put(upload) }
    }

    /// How receiving ended; `nil` where another request ended it.
    private func reception(
        of call: RoutedRequest, by version: String, _ room: Int64, _ digest: RunningDigest, until turn: UploadLocks.Turn
    ) async throws -> PieceOutcome? {
        try await withThrowingTaskGroup(of: PieceOutcome?.self) { group in
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

    private func digest(of progress: ActiveUpload) async throws -> RunningDigest {
        let version = progress.upload.version
        if let digest = resumption.digest(of: version, at: progress.size) { return digest }
        let upload = progress.upload
        let digest = try await blobs.digest(
            of: version, part: eTags.resumablePart(length: upload.length), parts: upload.parts)
        resumption.keep(digest, for: version)
        return digest
    }

    /// The upload and its size, where it can be continued or its finished object still exists.
    func current(_ id: UploadID) async throws -> (Upload, size: Int64) {
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

    /// Creates the object once all bytes have arrived; idempotent.
    func finish(_ progress: ActiveUpload) async throws {
        guard !progress.upload.isFinished else { return }
        var upload = progress.upload
        upload.isFinished = true
        let finished = upload
        let (replaces, number, id) = (progress.access.replaces, index.numbers.next(), Randomness.uuid())
        let row = IndexedObject(
            upload, id: id, eTag: try await digest(of: progress).eTag, size: progress.size, at: clock(), number: number)
        try await Blocking.run { () throws(SystemError) in try blobs.carry(row) }
        _ = try await change { index in
            try index.put(finished)
            return try index.store(row, replacing: replaces)
        }
        resumption.forget(upload.version)
    }
}
