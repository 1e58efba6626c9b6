import Supabase

extension Agent {
    /// The library's word for where the first receipt is from.
    package static let destinationFact = "destination"

    /// Makes sure that the bucket is there, private, and the one this profile's receipts speak of.
    ///
    /// Throws `Refusal`. A storage that cannot be reached is no refusal: the queue waits for it.
    func checkDestination() async throws {
        try await checkMemory()
        let bucket = setup.destination.bucket
        do {
            let found = try await storage.bucket(bucket)
            guard !found.isPublic || setup.settings.destination.allowPublicBucket else {
                throw Refusal(.needsHuman(Self.publicBucket(bucket)))
            }
        } catch let error as StorageError {
            if error.isBucketMissing { return try await makeBucket() }
            // Ordinary users may not look at buckets; the first upload says whether they may use it.
            if error.isSignIn { throw Refusal(.notPermitted("\(error)")) }
        }
    }

    static func publicBucket(_ name: String) -> String {
        "Bucket \"\(name)\" is public: anyone who guesses a name sees your photos and where they were taken. "
            + "Make it private, or set allowPublicBucket to true."
    }

    private func makeBucket() async throws {
        let name = setup.destination.bucket
        do {
            try await storage.createBucket(name, BucketSettings(isPublic: false))
            setup.log.info("Made the private bucket \"\(name)\"")
        } catch {
            // Somebody else has just made it, or it can be made later.
            if error.isDuplicate || error.isRetryable { return }
            let advice = "Make it, then run this again."
            throw Refusal(.needsHuman("Bucket \"\(name)\" does not exist and could not be made: \(error). \(advice)"))
        }
    }

    /// A profile keeps to the destination of its first receipt.
    private func checkMemory() async throws {
        let name = setup.destination.name
        guard let known = try await library.fact(Self.destinationFact) else {
            return try await library.setFact(Self.destinationFact, to: name)
        }
        guard known != name else { return }
        throw Refusal(
            .needsHuman(
                "This profile stores into \(known), not into \(name). "
                    + "Run \"gallery-sync init --change-destination\" to begin anew there, or use another --profile."))
    }
}
