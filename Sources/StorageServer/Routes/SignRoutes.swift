import Formats
import ObjectStore
import Serving

extension Route {
    static let signRoutes = [
        Route("POST", "/object/sign/:/*") { try await $0.sign($1) },
        Route("POST", "/object/sign/:") { try await $0.signMany($1) },
        Route("POST", "/object/upload/sign/:/*") { try await $0.signUpload($1) },
        Route("PUT", "/object/upload/sign/:/*") { try await $0.uploadSigned($1) },
    ]
}

extension Depot {
    /// A URL that shows one object to everyone who has it, until it expires.
    ///
    /// The token contains the request's path decoded as ECMAScript's `decodeURI` does, whereas a download
    /// decodes it completely; so a key with `; , / ? : @ & = + $ #` must arrive unescaped (contract, section 1.5).
    func sign(_ call: RoutedRequest) async throws -> Response {
        let fields = try Fields(try await call.json(), required: ["expiresIn"])
        let seconds = try fields.integer("expiresIn", atLeast: 1) ?? 0
        _ = try fields.fields("transform")
        let caller = try caller(of: call)
        guard Names.isBucket(call.bucket) else { throw ProtocolRefusal.badBucketName }
        _ = try await object(call.key, in: call.bucket, for: caller)
        let raw = call.rawParts.joined(separator: "/")
        guard let url = PercentEncoding.decodedURI(raw) else { throw ProtocolRefusal.internal }
        return .json(["signedURL": .text(signedURL(of: url, seconds: seconds))])
    }

    /// The same for up to 1000 objects at once, in the requested order; a failure has an error instead of a URL.
    func signMany(_ call: RoutedRequest) async throws -> Response {
        let fields = try Fields(try await call.json(), required: ["expiresIn", "paths"])
        let seconds = try fields.integer("expiresIn", atLeast: 1) ?? 0
        let keys = try fields.texts("paths", atLeast: 1, atMost: 1000) ?? []
        let caller = try caller(of: call)
        let bucket = call.bucket
        guard Names.isBucket(bucket) else { throw ProtocolRefusal.badBucketName }
        let known = try await index.read { index in
            Set(try keys.filter { try caller.owns($0) && index.object($0, in: bucket) != nil })
        }
        let answers: [JSON] = keys.map { key in
            guard known.contains(key) else {
                return ["error": .text(Self.notSigned), "path": .text(key), "signedURL": .null]
            }
            let url = signedURL(of: "\(bucket)/\(key)", seconds: seconds)
            return ["error": .null, "path": .text(key), "signedURL": .text(url)]
        }
        return .json(.list(answers))
    }

    private static let notSigned = "Either the object does not exist or you do not have access to it"

    /// The end of the year 9999, in seconds since 1970.
    static let lastSecond: Int64 = 253_402_300_799

    private func signedURL(of path: String, seconds: Int64) -> String {
        let now = clock() / 1000
        // Dates end there, and milliseconds of a later time would overflow.
        let end = seconds < Self.lastSecond - now ? now + seconds : Self.lastSecond
        let token = token.sign([
            "url": .text(path), "scope": "download", "iat": .integer(now), "exp": .integer(end),
        ])
        return "/object/sign/\(path)?token=\(token)"
    }
}

// MARK: Uploads

extension Depot {
    /// How many seconds a signed upload is valid, as on the hosted service.
    private static let uploadSeconds: Int64 = 2 * 60 * 60

    /// A URL with which its holder may store one object, issued where the caller may store it.
    func signUpload(_ call: RoutedRequest) async throws -> Response {
        _ = try await call.json()
        let access = UploadAccess(caller: try caller(of: call), replaces: call.header("x-upsert") == "true")
        let (bucket, key) = (call.bucket, call.key)
        guard Names.isBucket(bucket) else { throw ProtocolRefusal.badBucketName }
        guard Names.isKey(key) else { throw ProtocolRefusal.badKey(key) }
        _ = try await permittedBucket(bucket, key, access)
        let now = clock() / 1000
        var claims: [JSON.Member] = []
        if let owner = access.caller.subject { claims.append(JSON.Member(name: "owner", value: .text(owner))) }
        let path = "\(bucket)/\(key)"
        guard
            case .object(let rest) = [
                "url": .text(path), "upsert": .flag(access.replaces), "scope": "upload", "iat": .integer(now),
                "exp": .integer(now + Self.uploadSeconds),
            ] as JSON
        else { throw ProtocolRefusal.internal }
        let token = token.sign(.object(claims + rest))
        return .json(["url": .text("/object/upload/sign/\(path)?token=\(token)"), "token": .text(token)])
    }

    func uploadSigned(_ call: RoutedRequest) async throws -> Response {
        guard let text = call.request.queryItem("token") else {
            throw ProtocolRefusal.schema("querystring must have required property 'token'")
        }
        let access = try signedUpload(text, bucket: call.bucket, key: call.key)
        let object = try await accept(call, access)
        return .json(["Key": .text("\(object.bucket)/\(object.key)")])
    }
}
