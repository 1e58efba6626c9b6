/// Why a request of an upload in pieces failed.
package enum ResumableError: Error, Hashable, Sendable {
    /// The server no longer knows the upload: begin a new one, at most once.
    case expired
    /// The server has another number of bytes than the request assumed: ask for it and go on from there.
    case offsetConflict
    /// An object exists under the key and may not be replaced: compare, do not go on.
    case duplicate
    /// Any error that every other request may have as well.
    case storage(StorageError)
}

extension ResumableError {
    /// Classifies the error of a request of an upload in pieces.
    ///
    /// - Parameter isHead: Whether the refusal has no body, so that only its status is known.
    init(_ error: StorageError, isHead: Bool = false) {
        if isHead, let status = error.refusal?.httpStatus {
            // 400 may be about the token or about the id: worth a retry, but no reason to begin a new upload.
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
    /// One sentence for people that also says what happens next.
    package var description: String {
        switch self {
        case .expired: "The server no longer knows this upload; it begins anew."
        case .offsetConflict: "The server has another number of bytes; it is asked for."
        case .duplicate: "Something else is stored under this name."
        case .storage(let error): "\(error)"
        }
    }
}
