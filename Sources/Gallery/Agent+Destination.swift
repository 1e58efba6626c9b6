import Catalog
import Configuration
import Queue
import Reconciling
import Records
import Rescue
import Supabase
import Sync
import Text
import Uploading

extension Agent {
    /// Ensures that the bucket exists, is private, and is the one that this profile's receipts are for.
    ///
    /// Throws `Refusal`. A storage that cannot be reached is no refusal: the queue waits for it, and the first
    /// upload checks the bucket then.
    ///
    /// - Parameter isPatient: Whether to wait for a closed destination, too, with one probe an hour.
    func checkDestination(isPatient: Bool = false) async throws {
        try await checkMemory()
        do {
            try await lookTwice()
            try await uploader.reopen(isSureOfBucket: true)
        } catch let error as StorageError {
            try await hear(error, isPatient: isPatient)
        }
        // A new run may have another key or sign-in, and the user may have fixed other causes.
        try await uploader.probeCauses()
        try await leftovers.settleAttempts()
    }

    /// Checks the bucket; an answer that would end the run may be a gateway's error, so it is asked twice.
    private func lookTwice() async throws {
        let check = BucketCheck(setup, storage: storage, library: library, limits: limits)
        do {
            try await check.run()
        } catch let error as StorageError {
            switch error.answerClass {
            case .signIn, .destinationClosed(.projectPaused): try await check.run()
            default: throw error
            }
        }
    }

    /// Ends the run after an answer that holds for all requests, or opens the circuit if time may help.
    private func hear(_ error: StorageError, isPatient: Bool) async throws {
        let now = setup.clock()
        guard let ending = Ending(closedBy: error, at: now) else { return }
        try await uploader.heard(UploadOutcome(error, at: now))
        // A patient run reports the obstacle, and what to do, where it reports all others.
        guard isPatient, error.mayPass else { throw Refusal(ending) }
    }

    /// Remembers the destination of this profile, and refuses any other from then on.
    private func checkMemory() async throws {
        try await refuseOtherDestination()
        guard try await library.fact(Library.destinationFact) == nil else { return }
        try await rescuer.storeAgain()
        try await library.setDestination(setup.destination.name)
    }

    /// What the profile's receipts, and what waits in its queue, are for, where the settings name another destination.
    var otherDestination: String? {
        get async throws {
            let known = try await library.fact(Library.destinationFact)
            return known == setup.destination.name ? nil : known
        }
    }

    /// Throws `Refusal` where the profile's receipts are for another destination than the settings name.
    func refuseOtherDestination() async throws {
        guard let known = try await otherDestination else { return }
        throw Refusal(
            .needsHuman(
                "This profile stores into \(known), not into \(setup.destination.name). "
                    + "Run \"gallery-sync init --change-destination\" to begin anew there, or use another --profile."))
    }
}

extension StorageError {
    /// Whether the destination as a whole is closed for now.
    fileprivate var mayPass: Bool {
        if case .destinationClosed = answerClass { return true }
        return untrustedSentence != nil
    }
}
