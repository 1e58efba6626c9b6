import Supabase

extension Agent {
    /// The library's word for where the first receipt is from.
    package static let destinationFact = "destination"

    /// Makes sure that the bucket is there, private, and the one this profile's receipts speak of.
    ///
    /// Throws `Refusal`. A storage that cannot be reached is no refusal: the queue waits for it.
    ///
    /// - Parameter isPatient: Whether a destination that is closed is waited for, too, with a probe an hour.
    func checkDestination(isPatient: Bool = false) async throws {
        try await checkMemory()
        let bucket = setup.destination.bucket
        do {
            let found = try await storage.bucket(bucket)
            guard !found.isPublic || setup.settings.destination.allowPublicBucket else {
                throw Refusal(.needsHuman(Self.publicBucket(bucket)))
            }
            try await uploader.reopen()
        } catch let error as StorageError {
            if error.isBucketMissing {
                try await uploader.reopen()
                return try await makeBucket()
            }
            try await hear(error, isPatient: isPatient)
        }
    }

    /// An answer that is meant for all requests ends the run, or opens the circuit where time may help.
    private func hear(_ error: StorageError, isPatient: Bool) async throws {
        let now = setup.clock()
        guard let ending = Ending(closedBy: error, at: now) else { return }
        try await uploader.heard(UploadOutcome(error, at: now))
        guard isPatient, case .destinationClosed = error.answerClass else { throw Refusal(ending) }
        setup.log.warning("\(ending)")
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
            // Users see and make no buckets; the first upload says whether they may use this one.
            if setup.destination.userID != nil, error.isDenied { return }
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
