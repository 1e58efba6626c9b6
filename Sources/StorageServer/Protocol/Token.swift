import ObjectStore
import Platform
import Serving
import Synchronization

/// JSON Web Tokens signed with HS256 (RFC 7515, 7519).
struct Token: Sendable {
    private let secret: [UInt8]
    private let newest = Newest()

    init(secret: String) {
        self.secret = Array(secret.utf8)
    }

    /// The last valid token: clients send the same one with each request, so it need not be checked again.
    private final class Newest: Sendable {
        let token = Mutex<(text: String, claims: JSON)?>(nil)
    }

    /// Why a token is invalid, in the words of the library that the reference server uses.
    enum Failure: Error, Hashable {
        case malformed
        case wrongAlgorithm
        case forged
        case notAnObject
        case expired
        case notYet
        case wrongClaim(String)

        var message: String {
            switch self {
            case .malformed: "Invalid Compact JWS"
            case .wrongAlgorithm: "\"alg\" (Algorithm) Header Parameter value not allowed"
            case .forged: "signature verification failed"
            case .notAnObject: "JWT Claims Set must be a top-level JSON object"
            case .expired: "\"exp\" claim timestamp check failed"
            case .notYet: "\"nbf\" claim timestamp check failed"
            case .wrongClaim(let name): "\"\(name)\" claim must be a number"
            }
        }
    }

    private static let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))

    /// A signed token with `claims`.
    func sign(_ claims: JSON) -> String {
        let signed = Self.header + "." + Base64URL.encode(claims.bytes)
        return signed + "." + Base64URL.encode(HMAC.sha256(Array(signed.utf8), key: secret))
    }

    /// The claims of `token`, where this secret signed it and it is valid at `now`.
    ///
    /// - Parameter now: Seconds since 1970.
    func claims(of token: String, now: Int64) throws(Failure) -> JSON {
        let known = newest.token.withLock { $0?.text == token ? $0?.claims : nil }
        let claims = if let known { known } else { try signedClaims(of: token) }
        try Self.check(claims, now: now)
        if known == nil { newest.token.withLock { $0 = (token, claims) } }
        return claims
    }

    /// The claims of `token`, where this secret signed it, whenever it is valid.
    private func signedClaims(of token: String) throws(Failure) -> JSON {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]).flatMap(JSON.init(parsing:)), header.isObject,
            let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
        else { throw .malformed }
        guard header["alg"] == "HS256" else { throw .wrongAlgorithm }
        let signed = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard HMAC.isValid(signature, for: signed, key: secret) else { throw .forged }
        guard let claims = JSON(parsing: payload), claims.isObject else { throw .notAnObject }
        return claims
    }

    private static func check(_ claims: JSON, now: Int64) throws(Failure) {
        _ = try time("iat", of: claims)
        if let start = try time("nbf", of: claims), start > Double(now) { throw .notYet }
        if let end = try time("exp", of: claims), end <= Double(now) { throw .expired }
    }

    private static func time(_ name: String, of claims: JSON) throws(Failure) -> Double? {
        switch claims[name] {
        case nil: nil
        case .integer(let seconds): Double(seconds)
        case .number(let seconds): seconds
        default: throw .wrongClaim(name)
        }
    }
}
