import ObjectStore
import Platform
import Serving

extension Depot {
    func beginUpload(_ call: RoutedRequest, isSigned: Bool, by caller: Caller?) async throws -> Response {
        let headers = try ResumableHeaders(call)
        if call.header("upload-concat") != nil { throw ResumableRefusal.noConcatenation }
        guard (headers.length != nil) != headers.defersLength else { throw ResumableRefusal.noLength }
        let (upload, access, bucket) = try await newUpload(headers, call, by: caller)
        try await blobs.begin(upload.version)
        try await index.write { try $0.put(upload) }
        var answer = expiry(of: upload)
        answer["Location"] = Self.location(of: upload, isSigned: isSigned, call)
        return try await holding(upload.version) { turn in
            var progress = ActiveUpload(upload: upload, access: access, bucket: bucket, size: 0)
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

    /// The upload that the request asks for; throws where any part of it is not allowed.
    private func newUpload(
        _ headers: ResumableHeaders, _ call: RoutedRequest, by caller: Caller?
    ) async throws -> (Upload, UploadAccess, IndexedBucket) {
        guard let metadata = headers.metadata.flatMap({ UploadMetadataPairs($0) })?.settled else {
            throw ResumableRefusal.noMetadata
        }
        guard let id = metadata.bucket, Names.isBucket(id) else { throw ResumableRefusal.badBucketName }
        let key = metadata.key
        guard Names.isKey(key) else { throw ProtocolRefusal.badKey(key) }
        guard let bucket = try await index.read({ try $0.bucket(id) }) else { throw ProtocolRefusal.noBucket }
        if let length = headers.length, length > bucket.limit { throw ResumableRefusal.tooLarge }
        let access = try access(call, to: id, key, by: caller)
        _ = try await permittedBucket(id, key, access)
        // A type that the client did not state is not checked, as on the reference server.
        if let type = metadata.type, !bucket.allows(type) { throw ProtocolRefusal.badType(type) }
        await removeExpiredUploads()
        let upload = Upload(
            version: Randomness.uuid(), bucket: id, key: key, owner: access.caller.subject ?? "",
            length: headers.length,
            metadata: metadata.line, createdAt: clock(), isFinished: false)
        return (upload, access, bucket)
    }

    /// The absolute URL of `upload`, with the host as the client wrote it.
    private static func location(of upload: Upload, isSigned: Bool, _ call: RoutedRequest) -> String {
        let scheme = call.header("x-forwarded-proto") ?? "http"
        let host = call.header("x-forwarded-host") ?? call.header("host") ?? "localhost"
        return "\(scheme)://\(host)\(call.prefix)/upload/resumable/\(isSigned ? "sign/" : "")\(upload.id)"
    }

    func expiry(of upload: Upload) -> Headers {
        ["Upload-Expires": ServerTime(milliseconds: upload.createdAt + resumption.milliseconds).httpDate]
    }

    /// Removes uploads that expired more than a whole lifetime ago.
    private func removeExpiredUploads() async {
        let time = clock() - 2 * resumption.milliseconds
        // Uploads that cannot be removed now are removed when the next upload begins.
        guard let versions = try? await change({ try $0.removeUploads(before: time) }) else { return }
        for version in versions { resumption.forget(version) }
    }
}
