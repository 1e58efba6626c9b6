import Formats
package import FoundationEssentials
package import Platform
package import Transfer

/// Uploads in pieces (TUS 1.0.0, contract section 4): each call is one request, and none retries.
///
/// The order: `createUpload`, save what it returns, `send` chunk after chunk from the offset of the last answer.
/// After any interruption call `progress`. Where all bytes arrived but no answer said so, call `info`, then `finish`.
extension StorageClient {
    /// Begins an upload in pieces; throws before any byte is sent where it is too large or not permitted.
    package func createUpload(_ target: ResumableTarget, now: Date) async throws(ResumableError) -> ResumableUpload {
        var request = resumable(.post, nil)
        request.headers["upload-length"] = "\(target.length)"
        do {
            request.headers["upload-metadata"] = try UploadMetadata.header(target)
        } catch { throw .storage(error) }
        if target.replacing { request.headers["x-upsert"] = "true" }
        let response = try await step(request)
        guard let id = response.headers["location"].flatMap(Self.uploadID) else {
            throw .storage(.unreadable(status: response.status, "no upload id in Location"))
        }
        return ResumableUpload(uploadID: id, createdAt: now)
    }

    /// Asks how many bytes the server has; this ends a running request for the same upload.
    ///
    /// Waits at least 10 s, since the server first waits for that other request to end.
    package func progress(of upload: ResumableUpload) async throws(ResumableError) -> ResumableProgress {
        var request = resumable(.head, upload)
        request.timeouts.idle = request.timeouts.idle.map { max($0, Self.patience) }
        request.timeouts.total = request.timeouts.total.map { max($0, Self.patience) }
        let response = try await step(request)
        return try Self.read(response, between: 0, and: .max)
    }

    /// Sends `length` bytes of `file` from the upload's offset on.
    ///
    /// The server may keep fewer bytes than were sent: go on from the answer's offset, never from a sum.
    package func send(
        _ upload: ResumableUpload, from file: OpenFile, length: Int64, replacing: Bool,
        observer: (any BodyObserver)? = nil, sendLimit: Int? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(ResumableError) -> ResumableProgress {
        let body = HTTPBody.file(file, offset: upload.offset, length: length, observer: observer)
        var request = chunk(upload, body, replacing: replacing)
        request.sendLimit = sendLimit
        request.progress = progress
        return try Self.read(try await step(request), between: upload.offset, and: upload.offset + length)
    }

    /// Sends an empty chunk, so that the server stores the object once all bytes have arrived.
    ///
    /// Repeats what the last chunk did; call it only where `info` finds no object for this upload.
    package func finish(_ upload: ResumableUpload, replacing: Bool) async throws(ResumableError) -> ResumableProgress {
        let response = try await step(chunk(upload, .bytes([]), replacing: replacing))
        return try Self.read(response, between: upload.offset, and: upload.offset)
    }

    /// Asks the server to drop an unfinished upload; throws `expired` where it already has.
    package func terminate(_ upload: ResumableUpload, replacing: Bool) async throws(ResumableError) {
        var request = resumable(.delete, upload)
        if replacing { request.headers["x-upsert"] = "true" }
        _ = try await step(request)
    }

    private static let patience = Duration.seconds(10)
}

extension StorageClient {
    private func resumable(_ method: HTTPMethod, _ upload: ResumableUpload?) -> HTTPRequest {
        var path = "/upload/resumable"
        if let upload { path += "/" + upload.uploadID }
        var request = request(method, path)
        request.url = endpoint.direct.base + path
        request.headers["tus-resumable"] = "1.0.0"
        return request
    }

    private func chunk(_ upload: ResumableUpload, _ body: HTTPBody, replacing: Bool) -> HTTPRequest {
        var request = resumable(.patch, upload)
        request.headers["content-type"] = "application/offset+octet-stream"
        request.headers["upload-offset"] = "\(upload.offset)"
        // The server checks with every request whether it may replace an existing object.
        if replacing { request.headers["x-upsert"] = "true" }
        request.body = body
        return request
    }

    private func step(_ request: HTTPRequest) async throws(ResumableError) -> HTTPResponse {
        do {
            return try await send(request)
        } catch {
            throw ResumableError(error, isHead: request.method == .head)
        }
    }

    /// The answer's offset; throws where it is missing or outside the possible range.
    private static func read(
        _ response: HTTPResponse, between least: Int64, and most: Int64
    ) throws(ResumableError) -> ResumableProgress {
        let number = response.headers["upload-offset"].flatMap { Int64(digits: $0) }
        guard let offset = number, least <= offset, offset <= most else {
            let said = number.map { "an offset of \($0)" } ?? "no offset"
            throw .storage(.unreadable(status: response.status, said))
        }
        return ResumableProgress(offset: offset, isComplete: response.headers["tus-complete"] == "1")
    }

    /// The last segment of a URL; the rest is ignored, since servers behind proxies often get it wrong.
    static func uploadID(in location: String) -> String? {
        let path = location.prefix { $0 != "?" && $0 != "#" }
        guard let id = path.split(separator: "/").last, path.contains("/"), !path.hasSuffix("/") else { return nil }
        let isPlain = id.utf8.allSatisfy { byte in
            PercentEncoding.path.encoded(String(UnicodeScalar(byte))).utf8.count == 1
        }
        return isPlain && id != "resumable" && id != "sign" ? String(id) : nil
    }
}
