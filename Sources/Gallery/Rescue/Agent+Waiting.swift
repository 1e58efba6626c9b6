import Configuration
import FoundationEssentials
import Queue
import Records
import Rescue
import Text

extension Agent {
    /// Waits until the jobs are settled, or nothing about them falls due within `sync.patience`.
    ///
    /// - Parameter isClosed: Whether nothing can be uploaded; then it is enough that files are safe on this disk.
    func waitUntilRescued(_ ids: [JobIdentifier], isClosed: Bool) async throws -> Ending {
        while true {
            try Task.checkCancellation()
            let wakeups = wake.wakeups
            let jobs = await rescuer.jobs(ids)
            let closed = Job.closed(await rescuer.registry.open(), at: setup.clock())
            let wait = RescueWait(
                jobs, providers: Set(setup.rescue.providers.keys), closed: closed, hasRows: setup.rescue.rows != nil,
                patience: setup.settings.sync.patience.seconds, at: setup.clock())
            switch wait {
            case .over(let failed): return failed == 0 ? .done : .someFailed(failed)
            case .later(let reason): return .temporary(reason)
            case .uploading where isClosed: return .done
            case .uploading:
                if try await settleSafe(jobs) { continue }
                switch try await waitUntilSettled() {
                case .done, .someFailed, .held:
                    // Whatever is still missing, such as a thumbnail that cannot be stored, will not come.
                    if try await settleSafe(jobs, waitsForPictures: false) { continue }
                case let ending: return ending
                }
            case .working: break
            }
            await wake.wait(after: wakeups, for: .seconds(1), gathering: .milliseconds(20))
        }
    }

    /// Looks for the receipts of files that are safe on this disk; returns whether anything changed.
    private func settleSafe(_ jobs: [Job], waitsForPictures: Bool = true) async throws -> Bool {
        var isChanged = false
        for job in jobs {
            for (index, file) in job.files.enumerated() where file.stage == .safe && file.failure == nil {
                let place = JobPlace(job.id, index)
                if try await settleRescued(place, waitsForPicture: waitsForPictures) { isChanged = true }
            }
        }
        return isChanged
    }
}
