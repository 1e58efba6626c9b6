import FoundationEssentials
import Gallery
import Platform
import Providers
import Queue
import Rescue
import Text

/// One job of `jobs list`: its identifier and state, then a line for each file.
struct JobLines {
    let job: Job
    let now: Date

    var lines: [String] {
        ["\(DisplayText.safe(job.id.rawValue))  \(state)"] + job.files.map(line)
    }

    private var state: String {
        if job.isCancelled { return "cancelled" }
        if let loss = job.loss { return "failed: \(DisplayText.safe(loss))" }
        if let words = job.unanswered { return "\(job.state.word): \(DisplayText.safe(words))" }
        if let delay = job.delay { return "\(job.state.word): \(DisplayText.safe(delay))" }
        if job.files.isEmpty { return job.state.word }
        if job.isStored { return "stored" }
        if job.files.contains(where: { !$0.isSettled }) { return job.files.allSatisfy(\.isSafe) ? "safe" : "to fetch" }
        return "failed"
    }

    private func line(_ file: JobFile) -> String {
        let isGivenUp = job.isCancelled && !file.isSettled && !file.isSafe
        var parts = ["  " + DisplayText.safe(file.title), isGivenUp ? "not fetched" : file.stage.rawValue]
        if let size = file.knownSize { parts.append(Quantity.text(bytes: size)) }
        if let url = file.storedURL {
            parts.append(url)
        } else if let failure = file.failure {
            parts.append(DisplayText.safe(failure.message))
            if !isGivenUp, let next = file.nextAttemptAt {
                parts.append("tried again at \(ISO8601.text(next, digits: 0)), at once by \"gallery-sync rescue\"")
            }
        } else if let deadline = file.deadline {
            let left = Duration.seconds(deadline.date.timeIntervalSince(now).rounded())
            parts.append(left > .zero ? "expires in \(Quantity.text(left))" : "expired")
        }
        return parts.joined(separator: "  ")
    }
}
