import Catalog
import Configuration
import Diagnosis
import Platform
import Records
import Supabase
import Text
import Uploading

/// Checks that the bucket exists and is private; creates a private one where it is missing.
struct BucketCheck: Sendable {
    let storage: StorageClient
    let bucket: String
    let allowsPublic: Bool
    /// Whether requests are made as a user, who sees no buckets; the first upload shows if it is usable.
    let isUser: Bool
    let log: Log
    private let library: Library
    private let limits: LearnedLimits
    private let destination: String
    /// What comes before the roots' names in every key.
    private let keyPrefix: String

    init(_ setup: Agent.Setup, storage: StorageClient, library: Library, limits: LearnedLimits) {
        self.limits = limits
        self.storage = storage
        self.library = library
        destination = setup.destination.name
        bucket = setup.destination.bucket
        keyPrefix = setup.keyPrefix
        allowsPublic = setup.settings.destination.allowPublicBucket
        isUser = setup.destination.userID != nil
        log = setup.log
    }

    /// Throws `Refusal` if a person has to act, and `StorageError` if there was no clear answer.
    func run() async throws {
        if try await isThere() { try await expectUnknownObjects() }
    }

    /// Whether the bucket was there before; makes it if it was not.
    private func isThere() async throws -> Bool {
        do {
            let found = try await storage.bucket(bucket)
            limits.note(bucketLimit: found.fileSizeLimit)
            guard !found.isPublic || allowsPublic else {
                throw Refusal(.needsHuman(DestinationExamination.publicBucket(bucket)))
            }
            // A run that created the bucket may have been cut off before it settled the loss.
            if try await library.fact(Library.bucketLossFact) != nil { try await settleDoubtfulLoss() }
            return true
        } catch let error as StorageError {
            if error.isBucketMissing { return try await !make() }
            // Where something was stored before, the address is right, and a gateway is at fault for a while.
            if try await library.bucketLook() == nil, let words = DestinationExamination.wrongAddress(error) {
                throw Refusal(.needsHuman(words))
            }
            throw error
        }
    }

    /// Makes the bucket; returns `false` if it may be there without being visible to the user.
    private func make() async throws -> Bool {
        try await library.setFact(Library.bucketLossFact, to: bucket)
        do {
            try await storage.createBucket(bucket, BucketSettings(isPublic: false))
            log.info("Made the private bucket \"\(bucket)\"")
        } catch {
            // The bucket was not created, and the answer that it is missing may have been wrong.
            if !error.mayHaveArrived { try await library.setFact(Library.bucketLossFact, to: nil) }
            if isUser, error.isDenied { return false }
            // Another client has just created it, so the next check shows its settings.
            if error.isRetryable || error.isDuplicate { throw error }
            switch error.answerClass {
            case .signIn, .wrongKind, .destinationClosed: throw error
            default: break
            }
            let advice = "Make it, then run this again."
            throw Refusal(.needsHuman("Bucket \"\(bucket)\" does not exist and could not be made: \(error). \(advice)"))
        }
        // Another check may have settled that while the answer was on its way, and something may be stored by now.
        if try await library.fact(Library.bucketLossFact) != nil {
            try await settleLoss()
        } else {
            try await library.doubtBucketLook()
        }
        return true
    }

    /// Has files asked about before they are sent, if the bucket holds objects and was never looked at.
    ///
    /// A bucket that cannot be listed may hold some.
    private func expectUnknownObjects() async throws {
        guard try await library.bucketLook() == nil, try await !library.mayLackReceipts() else { return }
        let page = try? await storage.list(bucket: bucket, prefix: keyPrefix, limit: 1)
        guard page?.objects.isEmpty != true else { return }
        try await library.setMayLackReceipts(true)
    }

    /// If it is uncertain that the bucket was made anew, finds out: one that holds objects was there all the time.
    private func settleDoubtfulLoss() async throws {
        let isEmpty = try await storage.list(bucket: bucket, limit: 1).objects.isEmpty
        // Another check may have settled it while the answer was on its way, and something may be stored by now.
        guard try await library.fact(Library.bucketLossFact) != nil else { return }
        guard isEmpty else { return try await library.setFact(Library.bucketLossFact, to: nil) }
        try await settleLoss()
    }

    /// Forgets receipts of a bucket that was gone, because what lay in it is not stored any more.
    private func settleLoss() async throws {
        var count = 0
        while true {
            let lost = try await library.receipts(destination: destination, after: "", count: 1_000)
            if lost.isEmpty { break }
            for receipt in lost { try await library.forget(receipt) }
            try await library.commit()
            count += lost.count
        }
        try await library.setFact(Library.bucketLossFact, to: nil)
        guard count > 0 else { return }
        let objects = Quantity.text(count, "object")
        log.warning("Bucket \"\(bucket)\" was gone with \(objects) in it: what is still here is stored again")
    }
}
