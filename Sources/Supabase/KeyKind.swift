/// What kind of key or token a request carries (contract 6.5).
package enum KeyKind: Hashable, Sendable {
    /// A JSON web token of the project itself: may do what its role may.
    case legacy(role: String)
    /// `sb_publishable_…`: understood by gateways only; without a user's sign-in it grants nothing.
    case publishable
    /// `sb_secret_…`: understood by gateways only; stands for the service role.
    case secret
    /// A signed-in user's token.
    case user(id: String)
    /// Any other text, which only the server can judge.
    case unknown

    /// Classifies by the text alone; a token's claims are read without checking its signature.
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

    /// Whether only a gateway understands it, not the services behind the gateway.
    var needsGateway: Bool { self == .publishable || self == .secret }

    /// Whether it passes every policy, so that its holder can read and change the whole project.
    package var opensProject: Bool { self == .secret || self == .legacy(role: "service_role") }

    /// Whether it grants nothing by itself, so that a user must sign in as well.
    package var opensNothing: Bool { self == .publishable || self == .legacy(role: "anon") }

    /// The warning shown once about a key that passes every policy; `nil` for all others.
    package var warning: String? {
        guard opensProject else { return nil }
        return "This key opens your whole project. \"gallery-sync login\" signs in as one user instead."
    }
}

extension KeyKind: CustomStringConvertible {
    /// A noun phrase for sentences, such as `publishable key`; never the key itself.
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
