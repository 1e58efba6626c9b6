import FoundationEssentials
package import Supabase
import Transfer

/// Tries out what may be done at a destination, with an object of its own that is gone afterwards.
package struct ScratchTrial: Sendable {
    let storage: StorageClient
    let bucket: String
    let key: String

    /// - Parameter folder: What comes before every key: the signed-in user's id, the prefix, both, or nothing.
    package init(_ storage: StorageClient, bucket: String, folder: String, name: String) {
        self.storage = storage
        self.bucket = bucket
        key = ([folder, ".gallery-sync-doctor", name].filter { !$0.isEmpty }).joined(separator: "/")
    }

    /// What came of one try.
    package enum Outcome: Hashable, Sendable {
        case granted
        /// The server knows who asks, and no policy lets them.
        case denied
        case failed(StorageError)
        /// Nothing can be said, since something it needs did not work.
        case untried
    }

    /// What came of all of them.
    package struct Result: Hashable, Sendable {
        package var insert = Outcome.untried
        package var select = Outcome.untried
        package var update = Outcome.untried
        package var delete = Outcome.untried
        package var resumable = Outcome.untried
        /// The scratch object, where it could not be removed.
        package var leftover: String?

        package init() {}
    }

    /// Tries everything, each right once; the object is removed at the end however that went.
    package func run() async -> Result {
        var result = Result()
        result.insert = await upload(replacing: false)
        if result.insert == .granted || result.insert == .denied { result.resumable = await beginInPieces() }
        guard result.insert.mayHaveStored else { return result }
        if result.insert == .granted {
            result.select = await look()
            // Replacing needs all three, so that it tells of the third only where the other two are there.
            if result.select == .granted { result.update = await upload(replacing: true) }
        }
        let deleted = await remove()
        if result.select == .granted || deleted == .granted { result.delete = deleted }
        if result.insert == .granted, deleted != .granted { result.leftover = key }
        return result
    }

    /// Removes the object, where a trial was interrupted; what the server says does not matter any more.
    package func sweep() async { _ = await remove() }
}

extension ScratchTrial {
    /// A content type that every bucket for photos takes.
    private static let contentType = "image/jpeg"
    private static let body = Array("A test by gallery-sync doctor; it may be deleted.".utf8)

    private func upload(replacing: Bool) async -> Outcome {
        await outcome { () throws(StorageError) in
            _ = try await storage.upload(
                .bytes(Self.body), bucket: bucket, key: key, contentType: Self.contentType, replacing: replacing)
        }
    }

    private func look() async -> Outcome {
        await outcome { () throws(StorageError) in _ = try await storage.info(bucket: bucket, key: key) }
    }

    /// Begins an upload in pieces and gives it up again.
    private func beginInPieces() async -> Outcome {
        let target = ResumableTarget(
            bucket: bucket, key: key + "-pieces", length: 1, contentType: Self.contentType)
        do throws(ResumableError) {
            let upload = try await storage.createUpload(target, now: Date())
            do throws(ResumableError) {
                try await storage.terminate(upload, replacing: false)
            } catch {
                // The server forgets it by itself within a day.
                return .granted
            }
            return .granted
        } catch {
            guard case .storage(let error) = error else { return .failed(.unreadable(status: 404, "\(error)")) }
            return Outcome(error)
        }
    }

    private func remove() async -> Outcome {
        do throws(StorageError) {
            return try await storage.deleteAll(bucket: bucket, keys: [key]).contains(key) ? .granted : .denied
        } catch {
            return Outcome(error)
        }
    }

    private func outcome(_ body: () async throws(StorageError) -> Void) async -> Outcome {
        do throws(StorageError) {
            try await body()
            return .granted
        } catch {
            return Outcome(error)
        }
    }
}

extension ScratchTrial.Outcome {
    /// An object that was stored a moment ago and is not there is one that may not be seen.
    init(_ error: StorageError) {
        self =
            switch error.answerClass {
            case .denied(by: .storage), .notThere(.object): .denied
            default: .failed(error)
            }
    }

    var mayHaveStored: Bool {
        switch self {
        case .granted: true
        case .failed(let error): error.mayHaveArrived
        case .denied, .untried: false
        }
    }
}
