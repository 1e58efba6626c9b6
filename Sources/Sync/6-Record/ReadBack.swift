package import Catalog
package import Configuration
import Platform
import Queue
package import Records
package import Supabase
import Synchronization
import Transfer
import Uploading

/// Beside stage 6: reads back and hashes objects that only their size proves.
package final class ReadBack: Sendable {
    private struct State {
        /// Keys that are being read, for this loop or for another request.
        var busy: Set<String> = []
        /// How often other bytes came back than were sent, by key, since the start.
        var disproofs: [String: Int] = [:]
    }

    private let storage: StorageClient
    private let library: Library
    private let destination: Destination
    private let policy: Settings.ReadBack
    private let state = Mutex(State())

    /// Reads objects of `destination` back, as far as `policy` allows.
    package init(storage: StorageClient, library: Library, destination: Destination, policy: Settings.ReadBack) {
        self.storage = storage
        self.library = library
        self.destination = destination
        self.policy = policy
    }

    /// How the bytes that came back compare with the receipt.
    enum Finding: Hashable, Sendable {
        case same
        case different
        /// It is not there, or cannot be read; `verify` tells why.
        case unreadable
    }

    /// Bytes that one request downloads.
    private static let piece: Int64 = 8 << 20
    private static let pageSize = 100
    /// Objects in a row without an answer, after which the server counts as unreachable.
    private static let silenceLimit = 3

    /// Whether `sync` waits for the reading; a share is read by `watch` only.
    package var isPartOfSync: Bool {
        if case .share = policy { false } else { isWanted }
    }

    /// Whether anything is ever read back.
    package var isWanted: Bool {
        switch policy {
        case .never: false
        case .plainHTTP: destination.isPlainHTTP
        case .share, .always: true
        }
    }

    /// Whether the object of `receipt`, without a local file to compare with, has the receipt's SHA-256.
    ///
    /// Throws `StorageError`. Returns `false` where the settings forbid reading back.
    package func shows(_ receipt: Receipt) async throws -> Bool {
        guard policy != .never else { return false }
        return try await twiceIfNeeded(receipt) == .same
    }

    private func wants(_ key: String) -> Bool {
        guard case .share(let percent) = policy else { return isWanted }
        return Sample(percent: percent, seed: 0).contains(key)
    }

    /// Reads back every object that is due, and reports those that hold other bytes.
    ///
    /// Ends early if the server does not answer; the caller repeats it later.
    ///
    /// - Parameter disproven: Called with the receipt, and how often this has happened to its key since the start.
    package func run(disproven: (Receipt, Int) async throws -> Void) async throws {
        guard isWanted else { return }
        var last = ""
        var silences = 0
        while true {
            let page = try await library.unproven(destination: destination.name, after: last, count: Self.pageSize)
            guard let end = page.last else { break }
            for receipt in page where wants(receipt.key.text) {
                try Task.checkCancellation()
                silences = try await settle(receipt, disproven: disproven) ? 0 : silences + 1
                guard silences < Self.silenceLimit else { return try await library.commit() }
            }
            last = end.key.text
        }
        try await library.commit()
    }

    /// Reads one object back and notes the finding; returns whether the server answered.
    private func settle(_ receipt: Receipt, disproven: (Receipt, Int) async throws -> Void) async throws -> Bool {
        let key = receipt.key.text
        guard state.withLock({ $0.busy.insert(key).inserted }) else { return true }
        defer { state.withLock { _ = $0.busy.remove(key) } }
        let finding: Finding
        do {
            finding = try await twiceIfNeeded(receipt)
        } catch is StorageError {
            try Task.checkCancellation()
            return false
        }
        switch finding {
        case .same: try await library.prove(receipt, by: .readBack)
        case .unreadable: break
        case .different:
            // If it was stored anew meanwhile, it is another object, with another receipt.
            guard try await library.receipt(destination: receipt.destination, key: receipt.key) == receipt else {
                break
            }
            let count = state.withLock { state in
                state.disproofs[key, default: 0] += 1
                return state.disproofs[key, default: 0]
            }
            try await disproven(receipt, count)
        }
        return true
    }

    /// Reads an object again if other bytes came back, because they may have been damaged on the way.
    private func twiceIfNeeded(_ receipt: Receipt) async throws -> Finding {
        let first = try await finding(receipt)
        return first == .different ? try await finding(receipt) : first
    }

    private func finding(_ receipt: Receipt) async throws -> Finding {
        let digest = SHA256()
        var offset: Int64 = 0
        while offset < receipt.size {
            let count = min(Self.piece, receipt.size - offset)
            guard let bytes = try await bytes(of: receipt.key, from: offset, count: count) else { return .unreadable }
            digest.update(bytes)
            offset += count
        }
        return digest.finish().hexadecimal == receipt.sha256 ? .same : .different
    }

    /// A part of an object; `nil` if the object is not there, or is too short.
    private func bytes(
        of key: ObjectKey, from offset: Int64, count: Int64
    ) async throws(StorageError) -> [UInt8]? {
        do {
            let part = try await storage.download(
                bucket: destination.bucket, key: key.text, to: .memory(limit: Int(count)),
                range: .between(offset, count: count))
            return part.offset == offset && part.body.count == count ? part.body : nil
        } catch {
            guard error.refusal?.hasNoSuchBytes == true else { throw error }
            return nil
        }
    }
}

extension Destination {
    /// Whether the connection is plain HTTP, so that only a hash shows a bit error on the way.
    var isPlainHTTP: Bool { !isLocal && endpoint.unixSocket == nil && endpoint.base.hasPrefix("http://") }
}
