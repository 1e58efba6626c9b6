import Queue

extension Item {
    /// What it means that the key is taken, and shows nothing.
    ///
    /// A few times that may be a deletion that came in between. Where an object just accepted could not be seen
    /// either, or the key stays taken by nothing, this key may not look at all.
    var unseen: UploadOutcome {
        let code = lastError?.code
        let hasSeenNothing = code == "verify.missing" || code == Self.unseen
        guard hasSeenNothing || (code == Self.taken && retryCount >= Self.takenLimit) else {
            let message = "\(objectKey.text) is taken, but cannot be seen"
            return .retry(Failure(code: Self.taken, message: message, retryable: true), after: nil)
        }
        let message =
            "What is stored cannot be seen: the bucket's policy for SELECT is missing. \"gallery-sync doctor\" prints "
            + "its SQL"
        return .blocked(.signIn, Failure(code: Self.unseen, message: message, retryable: false))
    }

    /// Attempts in vain after which a taken key without an object is no coincidence.
    private static let takenLimit = 4
    private static let taken = "storage.Duplicate"
    private static let unseen = "storage.Unseen"
}
