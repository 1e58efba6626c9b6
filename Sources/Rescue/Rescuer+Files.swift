import Configuration
import FoundationEssentials
import Platform
import Providers
import Queue
import Text

extension Rescuer {
    /// Fetches the next bytes of a file, and places the file once all of them are there.
    ///
    /// One range at a time, so that a file with less time left can get the slot in between.
    func fetch(_ place: JobPlace) async throws {
        while let (job, file) = await look(place), !job.isCancelled,
            let next = try await advanced(file, of: job, place.index)
        {
            try await change(place) { $0 = next.following(file, as: $0) }
            guard let kept = await look(place)?.1 else { return }
            tell(about: kept, of: job.id, before: file)
            if kept.stage == .failed { try? await folder().remove(RescuedPlace(job, place.index).part) }
            guard kept.hasAllBytes || kept.stage == .probed, kept.nextAttemptAt == nil else { return }
        }
    }

    /// Logs that a file is lost, or that the key was refused, because the user has to know.
    private func tell(about file: JobFile, of id: JobIdentifier, before: JobFile) {
        guard let failure = file.failure else { return }
        if file.stage == .failed {
            setup.log.warning("\(file.title) of \(id.rawValue) is lost: \(failure.message)")
        } else if file.isBarred, !before.isBarred {
            setup.log.warning("\(id.rawValue) waits: \(failure.message)")
        }
    }

    /// The job and the file at `place` as they are now; `nil` where the registry has no such file.
    package func look(_ place: JobPlace) async -> (Job, JobFile)? {
        guard let job = await registry.job(place.job), job.files.indices.contains(place.index) else { return nil }
        return (job, job.files[place.index])
    }

    /// Changes one file of a job durably; nothing happens where the registry has no such file.
    package func change(_ place: JobPlace, _ change: @Sendable @escaping (inout JobFile) -> Void) async throws {
        try await registry.update(place.job) { job in
            if job.files.indices.contains(place.index) { change(&job.files[place.index]) }
        }
    }

    /// Removes the parts of a cancelled job; a part that is being fetched is removed when that request ends.
    ///
    /// Idempotent; nothing happens to a job that is not cancelled.
    package func discard(_ id: JobIdentifier) async throws {
        guard let job = await registry.job(id), job.isCancelled else { return }
        for (index, file) in job.files.enumerated() where !file.isSafe && !isFetching(JobPlace(job.id, index)) {
            do {
                let folder = try await folder()
                let place = RescuedPlace(job, index)
                for part in [place.part, place.sidecarPart] { try await folder.remove(part) }
                try await placement(in: folder).withdraw(file, of: job)
            } catch let error as SystemError {
                // Its stage stays, too, so that the next start tries again.
                setup.log.warning("A part of \(job.id.rawValue) stays: \(error)")
                continue
            }
            if file.stage != .failed { try await change(JobPlace(job.id, index)) { $0 = $0.withoutBytes } }
        }
        notify()
    }

    /// Has the stored files that are still in the folder stored again, because storage is another one from now on.
    ///
    /// The others stay stored where they were.
    package func storeAgain() async throws {
        let places = await registry.all().flatMap { job in
            job.files.indices.filter { job.files[$0].stage == .stored }.map { JobPlace(job.id, $0) }
        }
        guard !places.isEmpty else { return }
        let folder: RescuedFolder
        do {
            folder = try await self.folder()
        } catch let error as SystemError {
            return setup.log.warning("Rescued files stay stored where they were alone: \(error)")
        }
        for place in places {
            guard let path = await look(place)?.1.path, await folder.holds(path) else { continue }
            try await change(place) { $0 = $0.toBeStored }
        }
        notify()
    }

    private func folder() async throws -> RescuedFolder {
        let openFolder = openFolder
        return RescuedFolder(folder: try await Blocking.run { try openFolder() })
    }

    private func placement(in folder: RescuedFolder) -> Placement {
        Placement(folder: folder, workers: setup.workers, settings: setup.settings.thumbnails)
    }

    /// The file after its next step; `nil` if there is none.
    ///
    /// Errors of the disk are retried later.
    private func advanced(_ file: JobFile, of job: Job, _ index: Int) async throws -> JobFile? {
        do {
            let folder = try await folder()
            let placement = placement(in: folder)
            let path = RescuedPlace(job, index).part
            switch file.stage {
            case .probed: return try await placement.placed(file, of: job, index)
            case .waiting, .downloading:
                guard let part = try await folder.part(path, holding: file.received) else {
                    // Another process removed the part; a hole in its place would pass for the file's bytes.
                    return file.withoutBytes
                }
                if file.hasAllBytes { return try await placement.examined(file, of: job, index, in: part) }
                return try await downloaded(file, of: job, index, to: part, in: folder)
            case .safe, .stored, .failed: return nil
            }
        } catch let failure as Item.Failure {
            return file.rejected(
                failure, at: setup.clock(), ladder: ladder, random: .random(in: 0..<1),
                canRenew: !source(of: job).isNone)
        } catch let error as SystemError {
            return after(.missed(Item.Failure(error)), file)
        }
    }

    private func after(_ step: DownloadStep, _ file: JobFile, canRenew: Bool = false) -> JobFile {
        file.after(step, at: setup.clock(), ladder: ladder, random: .random(in: 0..<1), canRenew: canRenew)
    }

    private func downloaded(
        _ file: JobFile, of job: Job, _ index: Int, to part: OpenFile, in folder: RescuedFolder
    ) async throws -> JobFile {
        if let number = RemoteMedia.inlineNumber(file.link) {
            return try await copied(file, number, of: job, to: part, in: folder)
        }
        if file.endedLink != nil { return try await renewed(file, of: job, index) }
        let place = JobPlace(job.id, index)
        let provider = job.reference.flatMap { self.provider($0.provider) }
        var download = Download(
            transport: setup.downloads, rules: setup.sources.linkRules.of(job.reference?.provider),
            chunk: chunk(of: place))
        download.heard = { [self] in hear($0, of: place) }
        begin(place)
        let (step, name): (DownloadStep, String?)
        do {
            (step, name) = try await download.answer(for: file, account: provider?.account, to: part)
        } catch {
            end(place)
            throw error
        }
        end(place, keeping: step.end.map { $0 - file.received } ?? 0)
        switch step {
        case .advanced(let end, _, _), .complete(let end, _):
            try await folder.keep(part, end)
        case .changed, .dead, .retry, .missed, .refused: break
        }
        var next = after(step, file, canRenew: !source(of: job).isNone)
        if step.end != nil, next.fileName == nil { next.fileName = name }
        return next
    }
}
