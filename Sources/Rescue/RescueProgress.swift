import FoundationEssentials
import Queue
import Sync

/// What the progress of an agent shows of a rescue; pure.
struct RescueProgress {
    let jobs: [Job]
    /// Bytes that requests under way have brought, by file.
    let heard: [JobPlace: Int64]
    /// Files that this run has brought bytes of.
    let arrived: Set<JobPlace>

    /// The progress with the files on their way, how many have come, and how many wait for another attempt.
    ///
    /// Their bytes are left out of the sums, which count a file once it is in the gallery.
    func added(to progress: Progress) -> Progress {
        let files = files
        let open = files.filter { !$0.file.isSafe && !$0.file.isSettled }
        let mine = files.filter { arrived.contains($0.place) }
        let (come, lost) = (mine.count(where: \.file.isSafe), mine.count { $0.file.stage == .failed })
        guard come + lost + open.count > 0 else { return progress }
        var progress = progress
        progress.counts.insert(.init(.download, done: come, of: come + lost + open.count, failed: lost), at: 0)
        let current = open.compactMap { place, file in
            heard[place].map { bytes in
                Progress.Current(
                    path: file.title, step: .download, done: file.received + bytes, size: file.knownSize ?? 0)
            }
        }
        progress.current = current + progress.current
        let waiting = open.filter { heard[$0.place] == nil && $0.file.nextAttemptAt != nil }.map(\.file)
        progress.retriesWaiting += waiting.count
        progress.nextAttempt = (waiting.map(\.nextAttemptAt) + [progress.nextAttempt]).compactMap(\.self).min()
        if current.isEmpty, progress.note == nil, let file = waiting.first {
            progress.note = file.failure.map { "\(file.title): \($0.message)" }
        }
        return progress
    }

    private var files: [(place: JobPlace, file: JobFile)] {
        jobs.filter { !$0.isCancelled }.flatMap { job in
            job.files.indices.map { (JobPlace(job.id, $0), job.files[$0]) }
        }
    }
}
