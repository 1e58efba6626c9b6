/// Who asks, as the token says it, and what that one may do.
///
/// The service role may do everything. A user may do everything below the first folder that is
/// named for the user's id. Anyone may read a public bucket, which the routes see to.
struct Caller: Hashable, Sendable {
    enum Role: Hashable, Sendable {
        case service, user, anyone
    }

    let role: Role
    /// The `sub` claim: whose objects these will be.
    let subject: String?

    static let anyone = Caller(role: .anyone, subject: nil)

    init(role: Role, subject: String?) {
        self.role = role
        self.subject = subject
    }

    /// The caller whose token says `claims`.
    init(claims: JSON) {
        subject = claims["sub"]?.string
        switch claims["role"]?.string {
        case "service_role": role = .service
        case "authenticated": role = .user
        default: role = .anyone
        }
    }

    /// Whether the object `key` is this caller's to read, write and delete.
    func owns(_ key: String) -> Bool {
        switch role {
        case .service: true
        case .user: ownFolder.map { key.hasPrefix($0) } ?? false
        case .anyone: false
        }
    }

    /// The prefix of all a user owns; `nil` where there is no such prefix.
    var ownFolder: String? {
        guard role == .user, let subject, !subject.isEmpty else { return nil }
        return subject + "/"
    }

    /// Whether this caller may see and change buckets.
    var ownsBuckets: Bool { role == .service }
}
