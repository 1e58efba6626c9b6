import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Supabase
import Synchronization
import Text
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
            reports: reports, stopwatch: stopwatch,
            isExcluded: { try await library.asset(root: item.root, path: item.filePath)?.state == .excluded })
        do {
            do {
                return try await finish(pieces, from: try await pieces.resume())
            } catch ResumableError.expired {
                // A server may also forget an upload because it is finished.
                reports.arrival.note(isPossible: true)
                if let there = try await inPlace(pieces, sent: item.resume?.pieces) { return there }
                reports.arrival.note(isPossible: false)
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
            metadata: metadata(for: item, source),
            replacing: replacing)
    }

    /// Sends what is missing, and makes sure that the object is in place.
    private func finish(_ pieces: Pieces, from begun: Pieces.Course?) async throws -> Sending {
        var course: Pieces.Course
        if let begun { course = begun } else { course = try await pieces.begin(at: clock()) }
        let end: Pieces.End
        do {
            end = try await pieces.sendAll(&course)
        } catch is Pieces.Excluded {
            try? await storage.terminate(course.upload, replacing: pieces.target.replacing)
            return .ended(.withdrawn)
        }
        let evidence: Evidence
        switch end {
        case .fileChanged:
            // Best effort: the server forgets the upload by itself within a day.
            try? await storage.terminate(course.upload, replacing: pieces.target.replacing)
            // An upload replaces nothing before its last piece.
            if course.upload.offset == pieces.item.size { try await disproveReceipt(of: pieces.item) }
            return .ended(try otherBytes(pieces.item, pieces.source))
        case .allSent(let isInPlace, let md5):
            evidence = Evidence(md5: md5)
            if isInPlace { break }
            if let there = try await inPlace(pieces, evidence, sent: course.sent) { return there }
            _ = try await storage.finish(course.upload, replacing: pieces.target.replacing)
        }
        let compared = try await compared(pieces.item, pieces.source, evidence, sent: course.sent)
        return .accepted(Accepted(item: pieces.item, objectID: nil, evidence: compared, isUploaded: true))
    }

    /// The object, where it is in place already.
    private func inPlace(_ pieces: Pieces, _ known: Evidence = Evidence(), sent: SentPieces?) async throws -> Sending? {
        guard let there = try await info(pieces.item.objectKey) else { return nil }
        // If it does not hold the file's present bytes, the file may have changed since they were sent.
        note(there, of: pieces.item, in: pieces.reports)
        guard
            let evidence = try await holds(there, pieces.item, pieces.source, known: known, pieces: sent?.lengths)
        else { return nil }
        return .accepted(Accepted(item: pieces.item, objectID: there.id, evidence: evidence))
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
    /// Whether the user has excluded the file; asked before each piece.
    let isExcluded: @Sendable () async throws -> Bool

    /// Thrown when the user has excluded the file.
    struct Excluded: Error {}

    /// An upload, and the pieces in which the server took it.
    struct Course: Sendable {
        var upload: ResumableUpload
        /// `nil` where that is not known.
        var sent: SentPieces?

        /// Takes over the offset that the server named.
        mutating func reach(_ offset: Int64) {
            upload.offset = offset
            sent = sent?.reaching(offset)
        }
    }

    enum End {
        /// Whether the server said, too, that the object is in place; with the MD5 of all that was sent.
        case allSent(isInPlace: Bool, md5: String?)
        /// The file is not what it was when the upload began.
        case fileChanged
    }

    /// How often in a row the server may name an unexpected offset, or keep nothing of a piece.
    private static let conflictLimit = 3
    /// How often in one attempt the server may have lost bytes that it said it had taken.
    private static let lossLimit = 16

    /// The upload of an earlier attempt with the offset that the server has now; `nil` when there is none.
    func resume() async throws -> Course? {
        guard let resume = item.resume else { return nil }
        let upload = ResumableUpload(resume)
        let known = resume.pieces.flatMap { $0.total == resume.offset ? $0 : nil }
        var course = Course(upload: upload, sent: resume.offset == 0 ? SentPieces() : known)
        course.reach(try await offset(of: upload))
        try await keep(course, isDurable: false)
        return course
    }

    /// The offset that the server has; throws `expired` if it lies beyond the item, so that it is of another upload.
    private func offset(of upload: ResumableUpload) async throws -> Int64 {
        let offset = try await storage.progress(of: upload).offset
        guard offset <= item.size else { throw ResumableError.expired }
        return offset
    }

    /// A new upload, remembered durably before its first byte.
    func begin(at now: Date) async throws -> Course {
        let course = Course(upload: try await storage.createUpload(target, now: now), sent: SentPieces())
        try await keep(course, isDurable: true)
        return course
    }

    /// Sends piece after piece from the offset of the last answer, while the file stays what it was.
    func sendAll(_ course: inout Course) async throws -> End {
        let (offsets, taken) = AsyncStream.makeStream(of: Int64.self, bufferingPolicy: .bufferingNewest(1))
        return try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask { try await md5(following: offsets) }
            defer { taken.finish() }
            taken.yield(course.upload.offset)
            guard let isInPlace = try await sendPieces(&course, taken: { taken.yield($0) }) else {
                group.cancelAll()
                return .fileChanged
            }
            taken.finish()
            return .allSent(isInPlace: isInPlace, md5: try await group.next() ?? nil)
        }
    }

    /// Whether the server said that the object is in place; `nil` when the file is not what it was.
    private func sendPieces(_ course: inout Course, taken: (Int64) -> Void) async throws -> Bool? {
        let digest = PieceDigest(from: course.upload.offset)
        var size = ChunkSize()
        var (conflicts, losses) = (0, 0)
        var isInPlace = false
        while course.upload.offset < item.size {
            reports.arrival.note(isPossible: false)
            if try await isExcluded() { throw Excluded() }
            if let restraint = reports.restraint() { throw Sender.Unsent(sending: .ended(restraint.outcome)) }
            guard item.describes(try source.file.facts()) else { return nil }
            let length = min(size.bytes, item.size - course.upload.offset)
            let isLast = course.upload.offset + length == item.size
            do {
                let start = stopwatch()
                let step = try await send(course.upload, length, digest)
                if step.offset == course.upload.offset + length { size.took(stopwatch() - start) }
                conflicts = step.offset > course.upload.offset ? 0 : conflicts + 1
                course.reach(step.offset)
                isInPlace = step.isComplete
            } catch let error as ResumableError {
                switch error {
                case .offsetConflict:
                    // A piece that arrives twice is refused the second time, so the first may have been taken.
                    reports.arrival.note(isPossible: isLast)
                    guard conflicts < Self.conflictLimit else { throw error }
                    conflicts += 1
                case .storage(let refusal):
                    reports.arrival.note(isPossible: isLast && refusal.mayHaveArrived)
                    guard refusal.answerClass == .tooLarge(by: .proxy), size.refused() else { throw error }
                default: throw error
                }
                let offset = try await offset(of: course.upload)
                if offset < course.upload.offset { losses += 1 }
                // Servers behind a gateway that do not share their uploads would be sent the same pieces for ever.
                guard losses <= Self.lossLimit else { throw error }
                course.reach(offset)
            }
            guard conflicts <= Self.conflictLimit else { throw ResumableError.offsetConflict }
            taken(course.upload.offset)
            try await keep(course, isDurable: false)
        }
        reports.arrival.note(isPossible: true)
        let isSame = item.describes(try source.file.facts()) && digest.allows(item.sha256, length: item.size)
        return isSame ? isInPlace : nil
    }

    /// Bytes that are hashed between two checks for cancellation.
    private static let stride: Int64 = 64 << 20

    /// The MD5 of the file, read again up to each accepted offset; `nil` where the file shrank.
    ///
    /// It is not taken from the bytes sent, because the first of them may have gone out before a restart. It keeps up
    /// with the network: a core hashes 600 MB/s and more, from the page cache.
    private func md5(following offsets: AsyncStream<Int64>) async throws -> String? {
        let digest = Mutex(MD5())
        var done: Int64 = 0
        for await offset in offsets {
            while done < offset {
                try Task.checkCancellation()
                let (start, count) = (done, min(Self.stride, offset - done))
                let read = try await Blocking.run { () throws(SystemError) -> Int64 in
                    let result = digest.withLock { digest in
                        Result { () throws(SystemError) in
                            try digest.update(file: source.file, from: start, count: count)
                        }
                    }
                    return try result.get()
                }
                guard read == count else { return nil }
                done += count
            }
        }
        return done == item.size ? digest.withLock { $0.finish().hexadecimal } : nil
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

    private func keep(_ course: Course, isDurable: Bool) async throws {
        let upload = course.upload
        let resume = Item.Resume(
            uploadID: upload.uploadID, createdAt: upload.createdAt, offset: upload.offset, pieces: course.sent)
        try await reports.keep(resume, isDurable)
    }
}

extension ResumableUpload {
    fileprivate init(_ resume: Item.Resume) {
        self.init(uploadID: resume.uploadID, createdAt: resume.createdAt, offset: resume.offset)
    }
}

extension ResumableError {
    /// The error as other requests report it; a taken key is a duplicate here, too.
    fileprivate var storageError: StorageError {
        switch self {
        case .storage(let error): error
        case .duplicate: .refused(.taken)
        case .expired, .offsetConflict: .unreadable(status: 409, description)
        }
    }
}

/// The SHA-256 of a body sent in pieces, as long as these follow each other from the first byte on.
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

    /// Notes that the next piece begins at `offset`.
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

    /// Whether the bytes sent may have that hash; `false` only where all were seen and it differs.
    func allows(_ sha256: String, length: Int64) -> Bool {
        sum.withLock { sum in
            !sum.isWhole || sum.length != length || sum.sha256.finish().hexadecimal == sha256
        }
    }
}
