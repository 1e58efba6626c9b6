package import Platform
import Supabase
import Synchronization

/// The hash that tells whether given bytes are those of an object.
package enum ContentProof: Hashable, Sendable {
    /// From our metadata; it decides.
    case sha256(String)
    /// From an eTag that looks like an MD5; it proves something only if it agrees.
    case md5(String)
    case none

    /// The SHA-256 of our metadata, else an eTag that looks like an MD5, else nothing.
    package init(_ metadata: ObjectMetadata?, eTag: String?) {
        if let metadata {
            self = .sha256(metadata.sha256.lowercased())
        } else if let tag = MD5Tag(eTag) {
            self = .md5(tag.hexadecimal)
        } else {
            self = .none
        }
    }

    /// Whether `digest`, of the same kind, is the right one; `false` if there is no proof.
    package func agrees(with digest: String?) -> Bool {
        switch self {
        case .sha256(let expected), .md5(let expected): digest == expected
        case .none: false
        }
    }
}

extension ContentProof {
    /// Bytes hashed between two checks for cancellation.
    private static let piece: Int64 = 64 << 20

    /// The digest of `file` that this can be compared with, in lowercase hex; `nil` where there is none.
    ///
    /// Throws only `SystemError` and `CancellationError`.
    package func digest(of file: OpenFile) async throws -> String? {
        switch self {
        case .sha256: try await Self.digest(of: file) { SHA256() }
        case .md5: try await Self.digest(of: file) { MD5() }
        case .none: nil
        }
    }

    /// The digest of all of `file` in lowercase hex, by the algorithm that `fresh` makes.
    ///
    /// Throws only `SystemError` and `CancellationError`.
    package static func digest(of file: OpenFile, by fresh: () -> sending Digest) async throws -> String {
        let digest = Mutex(fresh())
        var offset: Int64 = 0
        while true {
            try Task.checkCancellation()
            let start = offset
            let read = try await Blocking.run { () throws(SystemError) -> Int64 in
                let result = digest.withLock { digest in
                    Result { () throws(SystemError) in
                        try digest.update(file: file, from: start, count: piece)
                    }
                }
                return try result.get()
            }
            offset += read
            if read < piece { return digest.withLock { $0.finish() }.hexadecimal }
        }
    }
}
