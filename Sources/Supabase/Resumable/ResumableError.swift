/// Why a step of an upload in pieces did not do what it says.
package enum ResumableError: Error, Hashable, Sendable {
    /// The server no longer knows the upload: begin a new one, once.
    case expired
    /// The server has another number of bytes than was said: ask for it and go on from there.
    case offsetConflict
    /// Something is under the key, and may not be replaced: compare, do not go on.
    case duplicate
    /// Everything else, as any other request may end.
    case storage(StorageError)
}

extension ResumableError {
    /// Reads what a request of an upload in pieces was answered with.
    ///
    /// - Parameter isHead: Whether the refusal came without a body, so that its status is all there is.
    init(_ error: StorageError, isHead: Bool = false) {
        if isHead, let status = error.refusal?.httpStatus {
            // 400 may be the token as well as the id: worth repeating, and no reason to begin anew.
            let unclear = StorageError.unreadable(status: status, "a refusal without a reason")
            self = status == 404 || status == 410 ? .expired : .storage(status == 400 ? unclear : error)
            return
        }
        switch error.answerClass {
        case .notThere(.upload): self = .expired
        case .conflict: self = .offsetConflict
        case .duplicate: self = .duplicate
        default: self = error.refusal?.httpStatus == 410 ? .expired : .storage(error)
        }
    }
}

extension ResumableError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .expired: "The server no longer knows this upload; it begins anew."
        case .offsetConflict: "The server has another number of bytes; it is asked for."
        case .duplicate: "Something else is stored under this name."
        case .storage(let error): "\(error)"
        }
    }
}
