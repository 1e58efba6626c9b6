import ObjectStore
import Platform
import Synchronization

/// State of resumable uploads between requests, in memory only; a crash loses nothing that matters.
final class Resumption: Sendable {
    let locks = UploadLocks()
    /// How long after its creation an upload can be continued.
    let lifetime: Duration
    private let digests = Mutex<[String: RunningDigest]>([:])

    /// The most digests that are kept; a missing one is computed from the blob.
    private static let limit = 1000

    init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    /// `lifetime` in milliseconds.
    var milliseconds: Int64 { lifetime.milliseconds }

    /// The digest of the blob of `version`, where it covers exactly `count` bytes.
    func digest(of version: String, at count: Int64) -> RunningDigest? {
        digests.withLock { $0[version] }.flatMap { $0.count == count ? $0 : nil }
    }

    func keep(_ digest: RunningDigest, for version: String) {
        digests.withLock { digests in
            if digests.count >= Self.limit { digests.removeAll() }
            digests[version] = digest
        }
    }

    func forget(_ version: String) { digests.withLock { $0[version] = nil } }
}
