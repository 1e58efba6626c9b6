extension Item {
    /// What it means that the key is taken, and shows nothing.
    ///
    /// Once that may be a deletion that came in between. Whoever has seen nothing before, neither an object just
    /// accepted nor the one in the way, may not look at all.
    var unseen: UploadOutcome {
        let hasSeenNothing = ["verify.missing", Self.taken, Self.unseen].contains(lastError?.code)
        guard hasSeenNothing else {
            let message = "\(objectKey.text) is taken, but cannot be seen"
            return .retry(Failure(code: Self.taken, message: message, retryable: true), after: nil)
        }
        let message =
            "What is stored cannot be seen: the bucket's policy for SELECT is missing. \"gallery-sync doctor\" prints "
            + "its SQL"
        return .blocked(.signIn, Failure(code: Self.unseen, message: message, retryable: false))
    }

    private static let taken = "storage.Duplicate"
    private static let unseen = "storage.Unseen"
}
