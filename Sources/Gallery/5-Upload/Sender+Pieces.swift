import FoundationEssentials
import Platform
import Supabase
import Synchronization
import Transfer

extension Sender {
    /// Sends a large file piece by piece, from where an earlier attempt got to.
    ///
    /// Everything needed to go on is durable before the first byte. After any break the server is asked for
    /// its offset; an upload that it forgot is begun anew, once.
    func uploadInPieces(
        _ item: Item, from source: Source, replacing: Bool, _ reports: Reports
    ) async throws -> Sending {
        let pieces = Pieces(
            item: item, source: source, storage: storage, target: target(of: item, source, replacing),
            reports: reports, stopwatch: stopwatch)
        do {
            do {
                return try await finish(pieces, from: try await pieces.resume())
            } catch ResumableError.expired {
                // A finished upload is forgotten, too.
                if let there = try await inPlace(pieces) { return there }
                return try await finish(pieces, from: try await pieces.begin(at: clock()))
            }
        } catch ResumableError.expired {
            throw StorageError.unreadable(status: 404, "the upload was forgotten twice")
        } catch let error as ResumableError {
            throw error.storageError
        }
    }

    private func target(of item: Item, _ source: Source, _ replacing: Bool) -> ResumableTarget {
        ResumableTarget(
            bucket: destination.bucket, key: item.objectKey.text, length: item.size, contentType: item.contentType,
            cacheControl: Int(settings.cacheFor.seconds),
            metadata: ObjectMetadata(item, facts: source.facts).values,
            replacing: replacing)
    }

    /// Sends what is missing, and makes sure that the object is in place.
    private func finish(_ pieces: Pieces, from begun: ResumableUpload?) async throws -> Sending {
        var upload: ResumableUpload
        if let begun { upload = begun } else { upload = try await pieces.begin(at: clock()) }
        switch try await pieces.sendAll(&upload) {
        case .fileChanged:
            // Best effort: the server forgets it by itself within a day.
            try? await storage.terminate(upload, replacing: pieces.target.replacing)
            return .ended(.withdrawn)
        case .allSent(let isInPlace):
            if isInPlace { return .accepted(Accepted(item: pieces.item, objectID: nil, md5: nil)) }
        }
        if let there = try await inPlace(pieces) { return there }
        _ = try await storage.finish(upload, replacing: pieces.target.replacing)
        return .accepted(Accepted(item: pieces.item, objectID: nil, md5: nil))
    }

    /// The object, where it is in place already.
    private func inPlace(_ pieces: Pieces) async throws -> Sending? {
        guard let there = try await info(pieces.item.objectKey),
            try await holds(there, pieces.item, pieces.source)
        else { return nil }
        return .accepted(Accepted(item: pieces.item, objectID: there.id, md5: nil))
    }
}

/// One upload in pieces while it is under way.
private struct Pieces: Sendable {
    let item: Item
    let source: Sender.Source
    let storage: StorageClient
    let target: ResumableTarget
    let reports: Sender.Reports
    let stopwatch: @Sendable () -> ContinuousClock.Instant

    enum End {
        /// Whether the server said, too, that the object is in place.
        case allSent(isInPlace: Bool)
        /// The file is not what it was when the upload began.
        case fileChanged
    }

    /// How often in a row the server may name another offset than the one it answered last.
    private static let conflictLimit = 3

    /// The upload of an earlier attempt with the offset that the server has now; `nil` when there is none.
    func resume() async throws -> ResumableUpload? {
        guard var upload = item.resume.map(ResumableUpload.init) else { return nil }
        upload.offset = try await storage.progress(of: upload).offset
        try await keep(upload, isDurable: false)
        return upload
    }

    /// A new upload, remembered durably before its first byte.
    func begin(at now: Date) async throws -> ResumableUpload {
        let upload = try await storage.createUpload(target, now: now)
        try await keep(upload, isDurable: true)
        return upload
    }

    /// Sends piece after piece from the offset of the last answer, while the file stays what it was.
    func sendAll(_ upload: inout ResumableUpload) async throws -> End {
        let digest = PieceDigest(from: upload.offset)
        var size = ChunkSize()
        var conflicts = 0
        var isInPlace = false
        while upload.offset < item.size {
            guard item.describes(try source.file.facts()) else { return .fileChanged }
            do {
                let start = stopwatch()
                let length = min(size.bytes, item.size - upload.offset)
                let step = try await send(upload, length, digest)
                if step.offset == upload.offset + length { size.took(stopwatch() - start) }
                (upload.offset, isInPlace, conflicts) = (step.offset, step.isComplete, 0)
            } catch let error as ResumableError {
                switch error {
                case .offsetConflict:
                    guard conflicts < Self.conflictLimit else { throw error }
                    conflicts += 1
                case .storage(let refusal):
                    guard refusal.answerClass == .tooLarge(by: .proxy), size.refused() else { throw error }
                default: throw error
                }
                upload.offset = try await storage.progress(of: upload).offset
            }
            try await keep(upload, isDurable: false)
        }
        guard item.describes(try source.file.facts()), digest.allows(item.sha256, length: item.size) else {
            return .fileChanged
        }
        return .allSent(isInPlace: isInPlace)
    }

    private func send(
        _ upload: ResumableUpload, _ length: Int64, _ digest: PieceDigest
    ) async throws -> ResumableProgress {
        digest.begin(at: upload.offset)
        return try await storage.send(
            upload, from: source.file, length: length, replacing: target.replacing, observer: digest,
            progress: { [reports] in
                reports.progress(TransferProgress(sent: upload.offset + $0.sent, received: $0.received))
            })
    }

    private func keep(_ upload: ResumableUpload, isDurable: Bool) async throws {
        let resume = Item.Resume(uploadID: upload.uploadID, createdAt: upload.createdAt, offset: upload.offset)
        try await reports.keep(resume, isDurable)
    }
}

extension ResumableUpload {
    fileprivate init(_ resume: Item.Resume) {
        self.init(uploadID: resume.uploadID, createdAt: resume.createdAt, offset: resume.offset)
    }
}

extension ResumableError {
    /// The same as any other request's error; a key that is taken is a duplicate there, too.
    fileprivate var storageError: StorageError {
        switch self {
        case .storage(let error): error
        case .duplicate: .refused(.taken)
        case .expired, .offsetConflict: .unreadable(status: 409, description)
        }
    }
}

/// The SHA-256 of a body that is sent in pieces, as long as they follow each other from the first byte on.
private final class PieceDigest: BodyObserver {
    private struct Sum {
        let sha256 = SHA256()
        var length: Int64 = 0
        /// Whether every byte up to `length` was seen, once.
        var isWhole: Bool
    }

    private let sum: Mutex<Sum>

    init(from offset: Int64) {
        sum = Mutex(Sum(isWhole: offset == 0))
    }

    /// A piece from `offset` on follows.
    func begin(at offset: Int64) {
        sum.withLock { $0.isWhole = $0.isWhole && $0.length == offset }
    }

    func restarted() {
        sum.withLock { $0.isWhole = false }
    }

    func sent(_ bytes: RawSpan) {
        sum.withLock { sum in
            guard sum.isWhole else { return }
            sum.sha256.update(bytes)
            sum.length += Int64(bytes.byteCount)
        }
    }

    /// Whether nothing that was seen speaks against these being the bytes with that hash.
    func allows(_ sha256: String, length: Int64) -> Bool {
        sum.withLock { sum in
            !sum.isWhole || sum.length != length || sum.sha256.finish().hexadecimal == sha256
        }
    }
}
