import Platform
import Synchronization

/// What the server remembers of resumable uploads between their requests; lost without harm in a crash.
final class Resumption: Sendable {
    let locks = UploadLocks()
    /// After which an upload cannot be continued, counted from its creation.
    let lifetime: Duration
    private let digests = Mutex<[String: RunningDigest]>([:])

    /// Digests kept at most; one that is missing is made again from the blob.
    private static let limit = 1000

    init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    /// Milliseconds of `lifetime`.
    var milliseconds: Int64 { lifetime.milliseconds }

    /// The digest of the blob of `version`, when it has seen exactly `count` bytes.
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
