import Catalog
package import Configuration
package import FoundationEssentials
package import Supabase
import Text
import Transfer

/// Examines a destination by requests: whether it answers, as whom it sees us, and what it permits.
package struct DestinationExamination: Sendable {
    let storage: StorageClient
    let destination: Destination
    let allowsPublic: Bool
    let clock: @Sendable () -> Date
    private let name: String

    /// An examination of the bucket of `destination` through `storage`.
    ///
    /// - Parameters:
    ///   - allowsPublic: Whether a public bucket is accepted.
    ///   - name: The name of the scratch object, new for each examination.
    package init(
        storage: StorageClient, destination: Destination, allowsPublic: Bool, name: String,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.storage = storage
        self.destination = destination
        self.allowsPublic = allowsPublic
        self.name = name
        self.clock = clock
    }

    /// Examines everything in the order of dependence, and stops at the first failure that ends it.
    ///
    /// Stores a scratch object and removes it.
    package func findings() async -> [Finding] {
        let credentials: StorageCredentials
        do throws(StorageError) {
            credentials = try await storage.credentials(nil)
        } catch {
            return [.wrong("sign-in", error)]
        }
        let knock = await storage.knock(clock: clock)
        var findings = connection(knock) + [key(credentials.kind)]
        guard !knock.isFatal else { return findings }
        let (bucket, isThere) = await bucket(credentials.kind)
        findings.append(bucket)
        guard isThere else { return findings }
        let trial = scratch
        return findings + (await trial.run()).findings(bucket: destination.bucket, kind: credentials.kind)
    }

    /// Removes the scratch object that an interrupted examination may have left; idempotent.
    package func sweep() async {
        await scratch.sweep()
    }

    /// The trial, below the same prefix as real objects.
    private var scratch: ScratchTrial {
        ScratchTrial(storage, bucket: destination.bucket, folder: destination.prefix, name: name)
    }
}

extension DestinationExamination {
    private func connection(_ knock: Reachability) -> [Finding] {
        let base = destination.isLocal ? "this computer" : destination.endpoint.base
        if let error = knock.error, knock.isFatal {
            return [.wrong(error.isAboutTLS ? "TLS" : "connection", error)] + time(knock)
        }
        return [.fine("connection", "\(base) answers")] + encryption + time(knock)
    }

    /// Whether requests are encrypted; nothing about requests that never leave this computer.
    private var encryption: [Finding] {
        let base = destination.endpoint.base
        if base.hasPrefix("https://") { return [.fine("TLS", "encrypted, and the certificate is good")] }
        guard destination.endpoint.unixSocket == nil, !destination.endpoint.isLoopback else { return [] }
        return [.doubtful("TLS", "\(base) is not encrypted: the key and every file can be read on the way.")]
    }

    private func time(_ knock: Reachability) -> [Finding] {
        guard let skew = knock.skew else { return [] }
        return [skew.warning.map { .wrong("clock", $0) } ?? .fine("clock", "agrees with the server's")]
    }

    private func key(_ kind: KeyKind) -> Finding {
        if destination.isLocal { return .fine("key", "\(kind), made by this computer") }
        return kind.warning.map { .doubtful("key", "\(kind). \($0)") } ?? .fine("key", "\(kind)")
    }
}

extension DestinationExamination {
    /// The bucket, and whether rights can be tried in it, as far as can be seen.
    private func bucket(_ kind: KeyKind) async -> (Finding, isThere: Bool) {
        do throws(StorageError) {
            return (visible(try await storage.bucket(destination.bucket)), true)
        } catch {
            switch error.answerClass {
            case .notThere, .denied(by: .storage): return (invisible(kind), !kind.opensProject)
            default: return (.wrong("bucket", error), false)
            }
        }
    }

    private func visible(_ bucket: Bucket) -> Finding {
        let limit = bucket.fileSizeLimit.map { ", takes files up to \(Quantity.text(bytes: $0))" } ?? ""
        guard bucket.isPublic else { return .fine("bucket", "\(bucket.name) is private\(limit)") }
        let reason = BucketCheck.isPublic(bucket.name)
        if allowsPublic {
            return .doubtful("bucket", "\(bucket.name) is public, as destination.allowPublicBucket says")
        }
        return .wrong(
            "bucket", reason, sql: ProjectSQL.privateBucket(bucket.name), ending: .needsHuman(reason))
    }

    /// A bucket that is not visible: a key for the whole project sees all, a user needs a policy.
    private func invisible(_ kind: KeyKind) -> Finding {
        let name = destination.bucket
        if kind.opensProject {
            return .doubtful("bucket", "\(name) does not exist yet; \"gallery-sync sync\" makes it, private.")
        }
        return Finding(
            name: "bucket", result: .doubtful,
            sentence: "\(name) does not exist, or this sign-in may not see whether it is private.",
            sql: ProjectSQL.bucketVisibility(name))
    }
}

extension Reachability {
    /// Whether more requests make no sense; a refusal of another kind shows that the server works.
    fileprivate var isFatal: Bool {
        switch error?.answerClass {
        case nil: error != nil
        case .retry, .destinationClosed, .signIn, .wrongKind, .denied(by: .proxy): true
        default: false
        }
    }
}

extension StorageError {
    fileprivate var isAboutTLS: Bool {
        if case .noAnswer(let lost) = self { [.secure, .untrusted].contains(lost.kind) } else { false }
    }
}
