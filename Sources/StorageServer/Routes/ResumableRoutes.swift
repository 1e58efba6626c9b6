import ObjectStore
import Serving

extension Route {
    /// The endpoint of resumable uploads, and its duplicate for signatures (contract, section 4).
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
            "Tus-Extension": ResumableHeaders.extensions, "Tus-Max-Size": String(IndexedBucket.serverLimit),
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Methods": "POST, HEAD, PATCH, OPTIONS, DELETE",
            "Access-Control-Allow-Headers":
                "Authorization, Content-Type, Tus-Resumable, Upload-Defer-Length, Upload-Length, "
                + "Upload-Metadata, Upload-Offset, x-signature, x-upsert, apikey",
            "Access-Control-Max-Age": "86400",
        ])

    /// An answer of the endpoint that consists of header lines only.
    ///
    /// Chunked although its length is known, as the reference server does it.
    static func resumable(_ status: Int, _ headers: Headers = [:]) -> Response {
        var headers = headers
        headers["Tus-Resumable"] = ResumableHeaders.version
        guard status != 204 else { return Response(status: status, headers: headers) }
        headers["Content-Type"] = plainText
        return Response(status: status, headers: headers, body: .stream(length: nil) { nil })
    }
}

extension Depot {
    typealias ResumableAnswer = @Sendable (Depot, RoutedRequest, Caller?) async throws -> Response

    /// Answers in this endpoint's form; only a bad token is refused in the form of all other routes.
    ///
    /// - Parameter isSigned: Whether there is no token but a signature, which `answer` checks.
    func resumable(_ call: RoutedRequest, isSigned: Bool, _ answer: ResumableAnswer) async throws -> Response {
        let caller = isSigned ? nil : try verifiedCaller(of: call)
        let refusal: ResumableRefusal
        do {
            return try await answer(self, call, caller)
        } catch let error as ResumableRefusal {
            refusal = error
        } catch let error as ProtocolRefusal {
            refusal = ResumableRefusal(error)
        } catch {
            refusal = StorageServer.isDiskFull(error) ? ResumableRefusal(ProtocolRefusal.diskFull) : .internal
        }
        return refusal.response(isHead: call.request.method == "HEAD")
    }

    /// Runs `body` while no other request works on the upload.
    func holding<T: Sendable>(
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

// MARK: State and end

extension Depot {
    /// The upload that the request's path names.
    func uploadID(_ call: RoutedRequest) throws(ResumableRefusal) -> UploadID {
        guard let id = UploadID(call.parts[0]) else { throw .badID }
        return id
    }

    fileprivate func showUpload(_ call: RoutedRequest, by caller: Caller?) async throws -> Response {
        _ = try ResumableHeaders(call)
        let id = try uploadID(call)
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

    fileprivate func endUpload(_ call: RoutedRequest, by caller: Caller?) async throws -> Response {
        _ = try ResumableHeaders(call)
        let id = try uploadID(call)
        let access = try access(call, to: id.bucket, id.key, by: caller)
        _ = try await permittedBucket(id.bucket, id.key, access)
        return try await holding(id.version) { _ in
            guard try await !current(id).0.isFinished else { throw ResumableRefusal.alreadyFinished }
            try await change { try $0.removeUpload(id.version) }
            resumption.forget(id.version)
            return .resumable(204)
        }
    }
}
