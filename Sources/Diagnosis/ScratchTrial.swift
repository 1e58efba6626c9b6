import FoundationEssentials
package import Supabase
import Transfer

/// Tries which rights there are at a destination, with a scratch object that it removes again.
package struct ScratchTrial: Sendable {
    let storage: StorageClient
    let bucket: String
    let key: String

    /// A trial with the object `.gallery-sync-doctor/<name>` below `folder`.
    ///
    /// - Parameter folder: What precedes every key: the signed-in user's id, the prefix, both, or nothing.
    package init(_ storage: StorageClient, bucket: String, folder: String, name: String) {
        self.storage = storage
        self.bucket = bucket
        key = ([folder, ".gallery-sync-doctor", name].filter { !$0.isEmpty }).joined(separator: "/")
    }

    /// The outcome of one request.
    package enum Outcome: Hashable, Sendable {
        case granted
        /// The server knows the user, and no policy grants the right.
        case denied
        case failed(StorageError)
        /// It was not tried, because something that it needs did not work.
        case untried
    }

    /// The outcomes of all requests.
    package struct Result: Hashable, Sendable {
        /// Whether an object can be stored under a new key.
        package var insert = Outcome.untried
        /// Whether a stored object can be seen.
        package var select = Outcome.untried
        /// Whether a stored object can be replaced; tried only where `insert` and `select` are granted.
        var update = Outcome.untried
        /// Whether an object can be deleted; `untried` unless it could be seen, or was deleted.
        var delete = Outcome.untried
        /// Whether a resumable upload can be begun.
        var resumable = Outcome.untried
        /// The key of the scratch object, if it may have been stored and could not be removed; else `nil`.
        package var leftover: String?

        /// A result before anything was tried.
        package init() {}
    }

    /// Tries each right once; always removes the object at the end.
    package func run() async -> Result {
        var result = Result()
        result.insert = await upload(replacing: false)
        if result.insert == .granted || result.insert == .denied { result.resumable = await beginInPieces() }
        guard result.insert.mayHaveStored else { return result }
        if result.insert == .granted {
            result.select = await look()
            // Replacing needs all three rights, so it shows the third only if the other two are granted.
            if result.select == .granted { result.update = await upload(replacing: true) }
        }
        let deleted = await remove()
        if result.select == .granted || deleted == .granted { result.delete = deleted }
        // The object may be there even if the answer to its upload was lost.
        if deleted != .granted { result.leftover = key }
        return result
    }

    /// Removes the object of an interrupted trial; idempotent, and the answer is ignored.
    func sweep() async { _ = await remove() }
}

extension ScratchTrial {
    /// A content type that every bucket for photos accepts.
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

    /// Begins a resumable upload and terminates it.
    private func beginInPieces() async -> Outcome {
        let target = ResumableTarget(
            bucket: bucket, key: key + "-pieces", length: 1, contentType: Self.contentType)
        do throws(ResumableError) {
            let upload = try await storage.createUpload(target, now: Date())
            do throws(ResumableError) {
                try await storage.terminate(upload, replacing: false)
            } catch {
                // If terminating it failed, the server drops it within a day.
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
    /// A missing object counts as denied, because it was stored a moment ago and must be invisible.
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
