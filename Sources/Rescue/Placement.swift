import Cleansing
import Configuration
import FoundationEssentials
import MediaModel
import Platform
import Providers
import Queue
import Sync
import Uploading

/// Examines a downloaded file, and moves it to its final path with its sidecar.
struct Placement: Sendable {
    let folder: RescuedFolder
    /// `nil` where no worker can decode the file; only its first bytes are checked then.
    let workers: (any MediaExamining)?
    let settings: Settings.Thumbnails

    /// The file with its facts and its path, once all of its bytes are in `part`.
    ///
    /// Throws `Item.Failure` where they are not of the expected kind, `SystemError` and `CancellationError`.
    func examined(_ file: JobFile, of job: Job, _ index: Int, in part: OpenFile) async throws -> JobFile {
        let look = try await Blocking.run { () throws(SystemError) in
            let size = try part.facts().size
            let header = try part.read(at: 0, upTo: MediaIdentity.headerLength)
            let extent = try MovieExtent(size: size) { offset, count throws(SystemError) in
                try part.read(at: offset, upTo: count)
            }
            return (size: size, header: header, extent: extent)
        }
        var outcome: MediaOutcome?
        if let workers, let identity = MediaIdentity(header: look.header, fileExtension: []), identity.isCertain {
            outcome = await workers.examine(part, settings.job(identity.type, specs: []))
            try Task.checkCancellation()
        }
        let arrival = try Arrival(
            header: look.header, extent: look.extent, size: look.size, outcome: outcome, expected: file.kind)
        var next = file
        next.sha256 = try await ContentProof.digest(of: part) { SHA256() }
        next.stage = .probed
        next.bytes = look.size
        next.contentType = arrival.contentType
        next.result = arrival.result(of: file, job)
        next.path = RescuedPlace(job, index, given: file.fileName).named(arrival.fileExtension)
        return next
    }

    /// Moves the file to its path durably; where another file has that name, only its path changes.
    ///
    /// It is to be placed again then. Idempotent. Throws `Item.Failure` where its bytes are gone, and `SystemError`.
    func placed(_ file: JobFile, of job: Job, _ index: Int) async throws -> JobFile {
        guard let path = file.path, let sha256 = file.sha256 else { throw Self.lost }
        let part = RescuedPlace(job, index).part
        var next = file
        let stem = path.bytes.dropLast(path.fileExtension.count)
        let sidecar = FilePath(bytes: stem + Array(".json".utf8))
        let facts = try Sidecar(file, of: job).encoded()
        // Servers give the same name to many files, which may differ in their types and so not in each other's way.
        let isTaken = job.isBareLink ? try await isOther(sidecar, than: facts) : false
        switch isTaken ? .taken : try await place(part, as: path, sha256) {
        case .taken:
            next.path = FilePath(bytes: stem + Array("--\(sha256.prefix(8))".utf8) + path.fileExtension)
            if next.path == path { throw SystemError(call: "renameat2", code: 17, path: path) }
            return next
        case .lost: throw Self.lost
        case .done: break
        }
        try await folder.write(facts, as: sidecar)
        next.stage = .safe
        next.failure = nil
        next.nextAttemptAt = nil
        return next
    }

    /// Whether other bytes lie there than these.
    private func isOther(_ path: FilePath, than bytes: [UInt8]) async throws -> Bool {
        guard let digest = try await folder.digest(of: path) else { return false }
        return digest != SHA256.hash(bytes).hexadecimal
    }

    private enum Placing {
        case done, taken, lost
    }

    private func place(_ part: FilePath, as path: FilePath, _ sha256: String) async throws -> Placing {
        do throws(SystemError) {
            try await folder.place(part, as: path)
            return .done
        } catch {
            guard error.isMissing || error.isPresent else { throw error }
            // It was placed before a crash, or another file has the name.
            guard try await folder.digest(of: path) == sha256 else { return error.isPresent ? .taken : .lost }
            try await folder.remove(part)
            return .done
        }
    }

    private static let lost = DownloadStep.failure(
        .rescue(.lost), "The downloaded bytes are not there any more", isRetryable: true)
}

extension Arrival {
    /// The measured facts, in the form that all providers share.
    func result(of file: JobFile, _ job: Job) -> VideoResult {
        VideoResult(
            provider: job.reference?.provider ?? ProviderName(rawValue: "link"), videoURL: Cleanser.link(file.link),
            duration: facts?.duration, fps: facts?.framesPerSecond, width: facts?.width, height: facts?.height,
            hasAudio: facts?.hasAudio, createdAt: job.createdAt)
    }
}
