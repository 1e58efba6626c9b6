/// What kind of key or token stands in a request (contract 6.5).
package enum KeyKind: Hashable, Sendable {
    /// A JSON web token of the project itself: may do what its role may.
    case legacy(role: String)
    /// `sb_publishable_…`: for gateways only, and nothing by itself.
    case publishable
    /// `sb_secret_…`: for gateways only; stands for the service role.
    case secret
    /// A signed-in user's token.
    case user(id: String)
    /// Something else, that only the server can judge.
    case unknown

    /// Reads the text itself; a token's claims are believed, not proven.
    package init(_ key: String) {
        if key.hasPrefix("sb_publishable_") {
            self = .publishable
        } else if key.hasPrefix("sb_secret_") {
            self = .secret
        } else if let claims = TokenClaims(key) {
            self = claims.userID.map(KeyKind.user) ?? .legacy(role: claims.role)
        } else {
            self = .unknown
        }
    }

    /// Whether only a gateway understands it, not the services behind.
    package var needsGateway: Bool { self == .publishable || self == .secret }

    /// Whether it passes every policy, so that whoever has it has everything.
    package var opensProject: Bool { self == .secret || self == .legacy(role: "service_role") }

    /// Whether it lets nobody in by itself: somebody has to sign in with it.
    package var opensNothing: Bool { self == .publishable || self == .legacy(role: "anon") }

    /// What is said once about a key that passes every policy; `nil` for all others.
    package var warning: String? {
        guard opensProject else { return nil }
        return "This key opens your whole project. \"gallery-sync login\" signs in as one user instead."
    }
}

extension KeyKind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .legacy(let role): "\(role) key"
        case .publishable: "publishable key"
        case .secret: "secret key"
        case .user: "user's token"
        case .unknown: "key of an unknown kind"
        }
    }
}
