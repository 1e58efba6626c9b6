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
        let fetched = try FetchedFile(
            header: look.header, extent: look.extent, size: look.size, outcome: outcome, expected: file.kind)
        var next = file
        next.sha256 = try await ContentProof.digest(of: part) { SHA256() }
        next.stage = .probed
        next.bytes = look.size
        next.contentType = fetched.contentType
        next.result = fetched.result(of: file, job)
        next.path = RescuedPlace(job, index, given: file.fileName).named(fetched.fileExtension)
        return next
    }

    /// Moves the file to its path durably; if another file has that name, only the path of this one changes.
    ///
    /// Then it is to be placed again. Idempotent. Throws `Item.Failure` if its bytes are gone, and `SystemError`.
    func placed(_ file: JobFile, of job: Job, _ index: Int) async throws -> JobFile {
        guard let path = file.path, let sha256 = file.sha256 else { throw Self.lost }
        let place = RescuedPlace(job, index)
        var next = file
        let sidecar = path.sidecar
        let facts = try Sidecar(file, of: job).encoded()
        // Servers give the same name to many files, which may differ in type and so would not collide: the sidecar,
        // which is written first, takes the name for all types.
        let isFree = job.isBareLink ? try await reserve(sidecar, for: facts, by: place.sidecarPart) : true
        switch isFree ? try await self.place(place.part, as: path, sha256) : .taken {
        case .taken:
            if isFree { try await withdraw(file, of: job) }
            next.path = path.next(marked: sha256.prefix(8))
            return next
        case .lost:
            try await withdraw(file, of: job)
            throw Self.lost
        case .done: break
        }
        if !job.isBareLink { try await folder.write(facts, as: sidecar, by: place.sidecarPart) }
        next.stage = .safe
        next.failure = nil
        next.nextAttemptAt = nil
        return next
    }

    /// Removes the sidecar that reserved a name for a file which does not get that name after all.
    func withdraw(_ file: JobFile, of job: Job) async throws {
        guard job.isBareLink, let path = file.path else { return }
        let digest = SHA256.hash(try Sidecar(file, of: job).encoded()).hexadecimal
        if try await folder.digest(of: path.sidecar) == digest { try await folder.remove(path.sidecar) }
    }

    /// Writes a sidecar unless another file has its name; returns whether the sidecar is there now.
    private func reserve(_ sidecar: FilePath, for facts: [UInt8], by draft: FilePath) async throws -> Bool {
        if let digest = try await folder.digest(of: sidecar) { return digest == SHA256.hash(facts).hexadecimal }
        return try await folder.write(facts, asFree: sidecar, by: draft)
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
            // The file was placed before a crash, or another file has the name.
            guard try await folder.digest(of: path) == sha256 else { return error.isPresent ? .taken : .lost }
            try await folder.remove(part)
            return .done
        }
    }

    private static let lost = DownloadStep.failure(
        .rescue(.lost), "The downloaded bytes are not there any more", isRetryable: true)
}

extension FilePath {
    private var stem: [UInt8] { Array(bytes.dropLast(fileExtension.count)) }

    /// Where the facts about the file lie.
    fileprivate var sidecar: FilePath { FilePath(bytes: stem + Array(".json".utf8)) }

    /// The name to try after this one: `a--1f.mp4` after `a.mp4`, then `a--1f-2.mp4`.
    fileprivate func next(marked mark: some StringProtocol) -> FilePath {
        let mark = Array("--\(mark)".utf8)
        let digits = Array(stem.reversed().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.reversed())
        let numbered = stem.dropLast(digits.count)
        if stem.suffix(mark.count) == mark[...] {
            return FilePath(bytes: stem + Array("-2".utf8) + fileExtension)
        } else if let number = Int(String(decoding: digits, as: UTF8.self)), number < 1 << 32,
            numbered.suffix(mark.count + 1) == (mark + [UInt8(ascii: "-")])[...]
        {
            return FilePath(bytes: numbered + Array("\(number + 1)".utf8) + fileExtension)
        }
        return FilePath(bytes: stem + mark + fileExtension)
    }
}

extension FetchedFile {
    /// The measured facts, in the form that all providers share.
    func result(of file: JobFile, _ job: Job) -> VideoResult {
        VideoResult(
            provider: job.reference?.provider ?? ProviderName(rawValue: "link"), videoURL: Cleanser.link(file.link),
            duration: facts?.duration, fps: facts?.framesPerSecond, width: facts?.width, height: facts?.height,
            hasAudio: facts?.hasAudio, createdAt: job.createdAt)
    }
}
