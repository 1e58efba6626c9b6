import Queue
import Supabase

extension Item {
    /// The outcome for a key that is taken although no object can be seen under it.
    ///
    /// A few times, the object may have been deleted between the two answers. If an object just accepted could not be
    /// seen either, or the key stays taken by nothing, this sign-in may not read objects at all.
    var unseen: UploadOutcome {
        let code = lastError?.code
        let hasSeenNothing = code == .verify(.missing) || code == .storage(.unseen)
        guard hasSeenNothing || (code == Self.taken && retryCount >= Self.takenLimit) else {
            let message = "\(objectKey.text) is taken, but cannot be seen"
            return .retry(Failure(code: Self.taken, message: message, retryable: true), after: nil)
        }
        let message =
            "What is stored cannot be seen: the bucket's policy for SELECT is missing. \"gallery-sync doctor\" prints "
            + "its SQL"
        return .blocked(.signIn, Failure(code: .storage(.unseen), message: message, retryable: false))
    }

    /// Failed attempts after which a taken key without an object is no coincidence.
    private static let takenLimit = 4
    private static let taken = FailureCode.storage(StorageCode(rawValue: "Duplicate"))
}
