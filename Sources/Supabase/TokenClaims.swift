package import FoundationEssentials

/// What a JSON web token says about itself, read without checking its signature.
package struct TokenClaims: Hashable, Sendable {
    /// Such as `anon`, `authenticated` or `service_role`; empty where the token names none.
    package let role: String
    /// The user's id; `nil` for a project's own keys.
    package let userID: String?
    /// The end of its validity by the server's clock; `nil` where the token names none.
    package let expiresAt: Date?
    /// The name of the hosted project that a key belongs to; `nil` for users' tokens and other servers' keys.
    package let project: String?

    /// `nil` where `token` is not a JSON web token.
    package init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let data = Data(base64URL: String(parts[1])),
            let claims = try? JSONDecoder().decode(Claims.self, from: data)
        else { return nil }
        role = claims.role ?? ""
        userID = claims.sub
        expiresAt = claims.exp.map(Date.init(timeIntervalSince1970:))
        project = claims.ref
    }

    private struct Claims: Decodable {
        let role: String?
        let sub: String?
        let exp: Double?
        let ref: String?
    }
}

extension Data {
    /// Reads base64 in the alphabet of URLs, with or without padding (RFC 4648 section 5).
    package init?(base64URL text: String) {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        self.init(base64Encoded: plain.hasSuffix("=") ? plain : plain + padding)
    }

    /// The bytes as base64 in the alphabet of URLs, without padding.
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
