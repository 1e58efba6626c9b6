import ObjectStore
import Platform
import Serving

extension Route {
    static let downloadRoutes =
        ["GET", "HEAD"].flatMap { method in
            [
                Route(method, "/object/public/:/*") { try await $0.downloadPublic($1) },
                Route(method, "/object/authenticated/:/*") { try await $0.downloadAuthenticated($1) },
                Route(method, "/object/sign/:/*") { try await $0.downloadSigned($1) },
                Route(method, "/object/:/*") { try await $0.downloadBare($1) },
            ]
        }
}

extension Depot {
    func downloadPublic(_ call: RoutedRequest) async throws -> Response {
        try await deliver(publicObject(call), for: call)
    }

    func downloadAuthenticated(_ call: RoutedRequest) async throws -> Response {
        let caller = try caller(of: call)
        return try await deliver(readable(call, by: caller), for: call)
    }

    /// Serves a public bucket to every caller; without a token a private one appears not to exist.
    func downloadBare(_ call: RoutedRequest) async throws -> Response {
        let caller = anyCaller(of: call)
        if caller.role == .anyone { return try await downloadPublic(call) }
        return try await deliver(readable(call, by: caller), for: call)
    }

    func downloadSigned(_ call: RoutedRequest) async throws -> Response {
        guard let text = call.request.queryItem("token") else {
            throw ProtocolRefusal.schema("querystring must have required property 'token'")
        }
        let expiry = try signedAccess(text, bucket: call.bucket, key: call.key)
        guard Names.isKey(call.key) else { throw ProtocolRefusal.badKey(call.key) }
        let (bucket, key) = (call.bucket, call.key)
        guard let object = try await index.read({ try $0.object(key, in: bucket) }) else {
            throw ProtocolRefusal.noObject
        }
        return try await deliver(object, for: call, expires: expiry)
    }

    /// The object of a public bucket, for every caller.
    func publicObject(_ call: RoutedRequest) async throws -> IndexedObject {
        let bucket = try await bucket(call.bucket)
        guard bucket.isPublic else { throw ProtocolRefusal.noBucket }
        return try await object(call.key, in: bucket.id, for: Caller(role: .service, subject: nil))
    }

    /// The object, where its bucket is public or the caller owns it.
    func readable(_ call: RoutedRequest, by caller: Caller) async throws -> IndexedObject {
        let bucket = try await bucket(call.bucket)
        let reader = bucket.isPublic ? Caller(role: .service, subject: nil) : caller
        return try await object(call.key, in: bucket.id, for: reader)
    }

    /// When a signed URL expires, in seconds since 1970; throws where `text` is no token for this object.
    private func signedAccess(_ text: String, bucket: String, key: String) throws(ProtocolRefusal) -> Int64? {
        let claims: JSON
        do {
            claims = try token.claims(of: text, now: clock() / 1000)
        } catch {
            throw .badToken(error)
        }
        guard claims["url"]?.string == "\(bucket)/\(key)" else { throw .badSignature }
        // Tokens of older servers have no scope.
        if let scope = claims["scope"], scope != "download" { throw .wrongScope }
        if case .integer(let end) = claims["exp"] { return min(end, Self.lastSecond) }
        return nil
    }
}

// MARK: Sending the bytes

extension Depot {
    private func deliver(_ object: IndexedObject, for call: RoutedRequest, expires: Int64? = nil) async throws
        -> Response
    {
        let delivery = Delivery(object: object, call: call, expires: expires)
        if call.request.method == "HEAD" {
            return delivery.answer(200, .announced(length: call.reported(object.content.size)))
        }
        guard !delivery.isFresh else { return delivery.answer(304, .none) }
        let range = try delivery.range()
        guard let (current, blob) = try await open(object) else {
            var response = ProtocolRefusal.noContent.response
            response.headers["Cache-Control"] = "no-store"
            return response
        }
        // The object was replaced meanwhile, so ranges and tags must be those of the new bytes.
        if current.version != object.version { return try await deliver(current, for: call, expires: expires) }
        guard let range else {
            return delivery.answer(200, .file(blob, offset: 0, length: object.content.size))
        }
        var response = delivery.answer(
            206, .file(blob, offset: range.lowerBound, length: Int64(range.count)))
        response.headers["Content-Range"] =
            "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(object.content.size)"
        return response
    }

    /// The open blob of `object`, or of what replaced it since it was read; `nil` when it is gone.
    private func open(_ object: IndexedObject) async throws -> (IndexedObject, OpenFile)? {
        var next: IndexedObject? = object
        while let current = next {
            if let blob = try await blobs.open(current) { return (current, blob) }
            next = try await replacement(of: current)
        }
        return nil
    }
}
