import Platform
import Synchronization
import Transfer

/// Hashes a body while it is sent; a body that starts over starts the hashes over.
final class BodyDigest: BodyObserver {
    private struct Sums {
        let sha256 = SHA256()
        let md5 = MD5()
    }

    private let sums = Mutex(Sums())

    func restarted() {
        sums.withLock { sums in
            sums.sha256.restart()
            sums.md5.restart()
        }
    }

    func sent(_ bytes: RawSpan) {
        sums.withLock { sums in
            sums.sha256.update(bytes)
            sums.md5.update(bytes)
        }
    }

    /// Lowercase hex digits of everything sent.
    func finish() -> (sha256: String, md5: String) {
        sums.withLock { ($0.sha256.finish().hexadecimal, $0.md5.finish().hexadecimal) }
    }
}
