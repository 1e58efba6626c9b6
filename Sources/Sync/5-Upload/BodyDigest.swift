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

/// An eTag that is the MD5 of the content; one of an upload in parts is not.
struct MD5Tag: Hashable, Sendable {
    let hexadecimal: String

    init?(_ eTag: String?) {
        let text = (eTag ?? "").filter { $0 != "\"" }
        guard text.utf8.count == 32, [UInt8](hexadecimal: text) != nil else { return nil }
        hexadecimal = text.lowercased()
    }
}
