import Serving

extension Route {
    static let signRoutes = [
        Route("POST", "/object/sign/:/*") { try await $0.sign($1) }
    ]
}

extension Depot {
    /// A URL that opens one object to whoever has it, until it expires.
    ///
    /// The token names the request's path decoded as ECMAScript's `decodeURI` does, whereas a download
    /// decodes all; so a key with `; , / ? : @ & = + $ #` must come unescaped (contract, section 1.5).
    func sign(_ call: Call) async throws -> Response {
        let fields = try Fields(try await call.json(), required: ["expiresIn"])
        let seconds = try fields.integer("expiresIn", atLeast: 1) ?? 0
        _ = try fields.fields("transform")
        let caller = try caller(of: call)
        guard Names.isBucket(call.bucket) else { throw Refusal.badBucketName }
        _ = try await object(call.key, in: call.bucket, for: caller)
        let raw = call.rawParts.joined(separator: "/")
        guard let url = PercentEncoding.decodedURI(raw) else { throw Refusal.internal }
        let now = clock() / 1000
        let token = token.sign([
            "url": .text(url), "scope": "download", "iat": .integer(now), "exp": .integer(now + seconds),
        ])
        return .json(["signedURL": .text("/object/sign/\(url)?token=\(token)")])
    }
}
