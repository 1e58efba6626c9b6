import FoundationEssentials
import Providers

/// Whether a rescue is worth waiting for; decides only.
enum RescueWait: Hashable, Sendable {
    /// Nothing more is to be done; so many files or jobs came to nothing.
    case over(failed: Int)
    /// Something is under way, or falls due soon.
    case working
    /// All that is left is on this disk and on its way to storage.
    case uploading
    /// Nothing falls due soon, for this reason.
    case later(String)

    /// - Parameter patience: Seconds in which something has to fall due.
    init(_ jobs: [Job], providers: Set<ProviderName>, hasRows: Bool, patience: Double, at now: Date) {
        let open = jobs.filter { !$0.isSettled }
        let limit = now + patience
        var (isUploading, reason) = (false, String?.none)
        for job in open {
            if job.files.isEmpty {
                guard let name = job.reference?.provider, providers.contains(name) else {
                    reason = "\(job.id.rawValue) waits: its provider is not configured"
                    continue
                }
                if job.nextQuestionAt ?? now <= limit {
                    self = .working
                    return
                }
                reason = "\(job.id.rawValue) is asked about later"
            }
            for file in job.files {
                switch file.stage {
                case .safe: isUploading = isUploading || file.failure == nil
                case .stored where !hasRows: continue
                case .stored where !job.owesRow(file), .failed: continue
                default:
                    if file.nextAttemptAt ?? now <= limit {
                        self = .working
                        return
                    }
                    let words = file.failure?.message ?? "it waits"
                    reason =
                        "\(job.id.rawValue) is tried again at \(ISO8601.text(file.nextAttemptAt ?? now, digits: 0)): \(words)"
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
}

extension Job {
    /// What of it came to nothing: the job itself, or files that failed or cannot be stored.
    var failures: Int {
        if error != nil || isCancelled && files.isEmpty { return 1 }
        return files.count {
            $0.stage == .failed || $0.stage == .safe && $0.failure != nil || $0.stage != .stored && isCancelled
        }
    }
}

extension Agent {
    /// Waits until the jobs are settled, or nothing about them falls due within `sync.patience`.
    ///
    /// - Parameter isClosed: Whether nothing can be uploaded; what is safe on this disk is enough then.
    func waitUntilRescued(_ ids: [JobIdentifier], isClosed: Bool) async throws -> Ending {
        while true {
            try Task.checkCancellation()
            let rings = bell.rings
            var jobs: [Job] = []
            for id in ids { if let job = await rescuer.book.job(id) { jobs.append(job) } }
            let wait = RescueWait(
                jobs, providers: Set(setup.providers.keys), hasRows: setup.rows != nil,
                patience: setup.settings.sync.patience.seconds, at: setup.clock())
            switch wait {
            case .over(let failed): return failed == 0 ? .done : .someFailed(failed)
            case .later(let reason): return .temporary(reason)
            case .uploading where isClosed: return .done
            case .uploading:
                var isChanged = false
                for job in jobs {
                    for (index, file) in job.files.enumerated() where file.stage == .safe && file.failure == nil {
                        if try await settleRescued(JobPlace(job.id, index)) { isChanged = true }
                    }
                }
                if isChanged { continue }
                let ending = try await waitUntilSettled()
                switch ending {
                case .done, .someFailed, .held: break
                default: return ending
                }
            case .working: break
            }
            await bell.wait(after: rings, until: setup.clock() + 1, gathering: .milliseconds(20))
        }
    }
}
