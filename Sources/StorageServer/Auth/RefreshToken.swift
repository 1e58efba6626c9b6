import Database

/// A refresh token of a session; the one that has not been used is the active one.
struct RefreshToken: Hashable, Sendable {
    let text: String
    let session: String
    /// The token that this one replaced.
    let parent: String?
    /// When it was used or withdrawn, in milliseconds since 1970.
    var usedAt: Int64?
}

extension RefreshToken {
    static let columns = "token, session, parent, used_at"

    init(_ row: Row) {
        text = row.text(0)
        session = row.text(1)
        parent = row.textOrNil(2)
        usedAt = row.integerOrNil(3)
    }

    /// What happens when a token is presented.
    enum Use: Hashable {
        /// It is used up, and a new one replaces it.
        case replaced
        /// The client seems to have missed an answer: it gets the active token.
        case forgiven(RefreshToken)
        /// Another client may have a copy of it: the whole session ends.
        case betrayed
    }

    /// The rule of the contract, section 6.3.
    ///
    /// - Parameters:
    ///   - active: The session's token that has not been used.
    ///   - interval: Milliseconds.
    func use(active: RefreshToken?, at now: Int64, reuseInterval interval: Int64) -> Use {
        guard let usedAt else { return .replaced }
        guard let active else { return .betrayed }
        return active.parent == text || now - usedAt < interval ? .forgiven(active) : .betrayed
    }
}
