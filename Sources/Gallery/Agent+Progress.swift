import Catalog
import FoundationEssentials
import Queue
import Reconciling
import Reporting
import Rescue
import Roots
package import Sync
import Uploading

extension Agent {
    /// How far this run has come, or the verification that is under way; the caller computes `rate` from successive
    /// values.
    package func progress() async throws -> Progress {
        if let verification = reconciling.tally.progress { return verification }
        let counts = try await library.counts()
        let items = await queue.count()
        let now = activity.snapshot
        var progress = Progress()
        let known = counts.total + counts[.indexed]
        progress.counts = [
            Progress.Count(.scan, done: known),
            Progress.Count(.identify, done: known - counts[.seen] - counts[.identifying], of: known),
        ]
        if setup.workers != nil {
            progress.counts.append(
                Progress.Count(.thumbnail, done: now.thumbnailed, of: now.thumbnailed + now.thumbnailing))
        }
        progress.counts.append(
            Progress.Count(.upload, done: counts.stored, of: counts.total, failed: counts.failed + counts.unreadable))
        progress.bytesDone =
            counts.bytes(.stored) + now.current.reduce(0) { $0 + $1.sent }
        progress.bytesTotal = counts.bytes(.seen, .identifying, .queued, .stored, .failed)
        progress.current = now.current.prefix(8).map {
            Progress.Current(path: $0.path, step: .upload, done: $0.sent, size: $0.size)
        }
        progress.retriesWaiting = items.retrying
        progress.nextAttempt = await queue.nextAttempt()
        progress.note = pauseReason
        return await rescuer.adding(to: progress)
    }

    /// Why nothing moves, or `nil` while it may.
    var pauseReason: String? {
        if uploader.isPaused { return "paused" }
        if let restraint = uploader.restraint { return restraint.words }
        if let obstacle = uploader.obstacle { return obstacle.words }
        return absences.min { $0.key < $1.key }?.value.reason
    }
}
