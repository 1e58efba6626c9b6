import Supabase

/// Makes sure, once the destination answers, that the bucket is there and private; makes a private one.
struct BucketCheck: Sendable {
    let storage: StorageClient
    let bucket: String
    let allowsPublic: Bool
    /// Users see and make no buckets; the first upload says whether they may use this one.
    let isUser: Bool
    let log: Log

    init(_ setup: Agent.Setup, storage: StorageClient) {
        self.storage = storage
        bucket = setup.destination.bucket
        allowsPublic = setup.settings.destination.allowPublicBucket
        isUser = setup.destination.userID != nil
        log = setup.log
    }

    /// Throws `Refusal` where a person has to do something, and `StorageError` where there was no clear answer.
    func run() async throws {
        do {
            let found = try await storage.bucket(bucket)
            guard !found.isPublic || allowsPublic else { throw Refusal(.needsHuman(Self.isPublic(bucket))) }
        } catch let error as StorageError {
            guard error.isBucketMissing else { throw error }
            try await make()
        }
    }

    private func make() async throws {
        do {
            try await storage.createBucket(bucket, BucketSettings(isPublic: false))
            log.info("Made the private bucket \"\(bucket)\"")
        } catch {
            if isUser, error.isDenied { return }
            // Somebody else has just made it: the next look says what it is.
            if error.isRetryable || error.isDuplicate { throw error }
            switch error.answerClass {
            case .signIn, .wrongKind, .destinationClosed: throw error
            default: break
            }
            let advice = "Make it, then run this again."
            throw Refusal(.needsHuman("Bucket \"\(bucket)\" does not exist and could not be made: \(error). \(advice)"))
        }
    }

    static func isPublic(_ name: String) -> String {
        "Bucket \"\(name)\" is public: anyone who guesses a name sees your photos and where they were taken. "
            + "Make it private, or set allowPublicBucket to true."
    }
}
