package import FoundationEssentials

/// What a JSON web token says about itself; read without its signature, so believed and not proven.
package struct TokenClaims: Hashable, Sendable {
    /// Such as `anon`, `authenticated` or `service_role`; empty where it says none.
    package let role: String
    /// Whose token it is; `nil` for a project's own keys.
    package let userID: String?
    package let expiresAt: Date?

    /// `nil` where `token` is no JSON web token.
    package init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let data = Data(base64URL: String(parts[1])),
            let claims = try? JSONDecoder().decode(Claims.self, from: data)
        else { return nil }
        role = claims.role ?? ""
        userID = claims.sub
        expiresAt = claims.exp.map(Date.init(timeIntervalSince1970:))
    }

    private struct Claims: Decodable {
        let role: String?
        let sub: String?
        let exp: Double?
    }
}

extension Data {
    /// Reads base64 in the alphabet of URLs, with or without padding (RFC 4648 section 5).
    package init?(base64URL text: String) {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        self.init(base64Encoded: plain.hasSuffix("=") ? plain : plain + padding)
    }
}
