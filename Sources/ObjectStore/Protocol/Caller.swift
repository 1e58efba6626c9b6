/// Who sent a request, according to its token, and what that caller may do.
///
/// The service role may do everything. A user may do everything below the top-level folder that is named
/// for the user's id. Reading a public bucket needs no caller; the routes check that themselves.
package struct Caller: Hashable, Sendable {
    /// What kind of caller it is.
    package enum Role: Hashable, Sendable {
        case service, user, anyone
    }

    /// What the token's `role` claim says.
    package let role: Role
    /// The `sub` claim, which becomes the owner of stored objects.
    package let subject: String?

    /// A caller without a valid token.
    package static let anyone = Caller(role: .anyone, subject: nil)

    /// A caller of this role.
    package init(role: Role, subject: String?) {
        self.role = role
        self.subject = subject
    }

    /// The caller named by a token's `claims`.
    package init(claims: JSON) {
        subject = claims["sub"]?.string
        switch claims["role"]?.string {
        case "service_role": role = .service
        case "authenticated": role = .user
        default: role = .anyone
        }
    }

    /// Whether this caller may read, write and delete the object `key`.
    package func owns(_ key: String) -> Bool {
        switch role {
        case .service: true
        case .user: ownFolder.map { key.hasPrefix($0) } ?? false
        case .anyone: false
        }
    }

    /// The prefix of everything that the user owns; `nil` for other roles.
    package var ownFolder: String? {
        guard role == .user, let subject, !subject.isEmpty else { return nil }
        return subject + "/"
    }

    /// Whether this caller may see and change buckets.
    package var ownsBuckets: Bool { role == .service }
}
