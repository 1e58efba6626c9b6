package import FoundationEssentials
package import Providers
import Queue
import Text

/// Whether a rescue is worth waiting for; pure logic.
package enum RescueWait: Hashable, Sendable {
    /// Nothing more is to be done; this many files or jobs failed.
    case over(failed: Int)
    /// Something is under way, or falls due soon.
    case working
    /// All that is left is on this disk and being uploaded.
    case uploading
    /// Nothing falls due soon, for this reason.
    case later(String)

    /// Decides for the given jobs at `now`.
    ///
    /// - Parameter patience: Seconds within which something has to fall due.
    ///
    /// - Parameter closed: Providers whose keys were refused, so that none of their jobs is asked about.
    package init(
        _ jobs: [Job], providers: Set<ProviderName>, closed: Set<ProviderName> = [], hasRows: Bool, patience: Double,
        at now: Date
    ) {
        let limit = now + patience
        var (isUploading, reason) = (false, String?.none)
        for job in jobs where !job.isSettled {
            let needs =
                job.files.isEmpty
                ? [Self.need(of: job, providers, closed, limit, now)]
                : job.files.map { Self.need(of: $0, in: job, hasRows: hasRows, limit, now) }
            for need in needs.compactMap(\.self) {
                switch need {
                case .working:
                    self = .working
                    return
                case .uploading: isUploading = true
                case .later(let words): reason = words
                case .over: break
                }
            }
        }
        if isUploading {
            self = .uploading
        } else if let reason {
            self = .later(reason)
        } else {
            self = .over(failed: jobs.reduce(0) { $0 + $1.failures })
        }
    }

    /// What a job without files waits for.
    private static func need(
        of job: Job, _ providers: Set<ProviderName>, _ closed: Set<ProviderName>, _ limit: Date, _ now: Date
    ) -> RescueWait? {
        guard let name = job.provider, providers.contains(name) else {
            return .later("\(job.id.rawValue) waits: its provider is not configured")
        }
        if let words = job.unanswered { return .later("\(job.id.rawValue): \(words)") }
        if closed.contains(name), job.trouble == nil {
            return .later("\(job.id.rawValue) waits: \(name.rawValue) refuses the key")
        }
        let reason = job.delay.map { ": \($0)" } ?? " is asked about later"
        return job.nextQuestionAt ?? now <= limit ? .working : .later("\(job.id.rawValue)\(reason)")
    }

    /// What a file waits for; `nil` for nothing.
    private static func need(
        of file: JobFile, in job: Job, hasRows: Bool, _ limit: Date, _ now: Date
    ) -> RescueWait? {
        switch file.stage {
        case .safe: return file.failure == nil ? .uploading : nil
        case .failed: return nil
        case .stored where !hasRows || !job.owesRow(file): return nil
        case .waiting, .downloading, .probed, .stored: break
        }
        let next = file.nextAttemptAt ?? now
        guard next > limit else { return .working }
        let words = file.failure?.message ?? "it waits"
        return .later("\(job.id.rawValue) is tried again at \(ISO8601.text(next, digits: 0)): \(words)")
    }
}

extension Job {
    /// How much of it failed: the job itself, or its files that failed or cannot be stored.
    var failures: Int {
        if error != nil || isCancelled && files.isEmpty { return 1 }
        return files.count {
            $0.stage == .failed || $0.stage == .safe && $0.failure != nil || $0.stage != .stored && isCancelled
        }
    }
}
