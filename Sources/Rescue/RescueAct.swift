package import FoundationEssentials
package import Providers

/// One file of one job.
package struct JobPlace: Hashable, Sendable {
    /// The job, by the identifier it is stored under.
    let job: JobIdentifier
    /// Its index in the job's list of files, from 0.
    let index: Int

    /// The file at `index` of the files of `job`; it may not exist.
    package init(_ job: JobIdentifier, _ index: Int) {
        self.job = job
        self.index = index
    }
}

/// One action for a job, which runs concurrently with others.
package enum RescueAct: Hashable, Sendable {
    /// Ask the provider for the state of the job.
    case ask(JobIdentifier)
    /// Fetch the next bytes of a file, or place one whose bytes are all there; takes a download slot.
    case fetch(JobPlace)
    /// Write the stored file's URL into its row.
    case tell(JobPlace)
}

/// What to do now, and when to look again; pure logic.
package struct RescuePlan: Hashable, Sendable {
    /// What to begin now.
    package var acts: [RescueAct] = []
    /// Files that are on this disk and wait for their receipts.
    package var safe: [JobPlace] = []
    /// When the next act falls due; `nil` if none waits for a time.
    package var next: Date?
    private let farthest: Double

    /// Questions to providers that may run at once.
    static let questions = 8

    /// Plans the next acts for `jobs`, the earliest deadlines first.
    ///
    /// - Parameters:
    ///   - busy: What is under way.
    ///   - slots: Downloads that may run at once.
    ///   - speed: `nil` until it was measured.
    ///   - providers: Those that can be asked.
    ///   - hasRows: Whether rows of a database can be updated.
    ///   - farthest: Seconds, longer than any wait: a time farther ahead was set before the clock was set back.
    package init(
        _ jobs: [Job], busy: Set<RescueAct> = [], slots: Int = 2, speed: LineSpeed? = nil,
        providers: Set<ProviderName>, hasRows: Bool = false, farthest: Double = 40 * 86_400, at now: Date
    ) {
        self.farthest = farthest
        var downloads: [RescueQueue.Entry] = []
        let closed = Job.closed(jobs)
        for (rank, job) in jobs.enumerated() where !job.isSettled {
            // The job whose question was refused goes on asking, to find out when the key is accepted again.
            let isHeld = job.trouble?.bearing != .key && job.reference.map { closed.contains($0.provider) } == true
            if !isHeld { planQuestion(job, busy, providers, at: now) }
            for (index, file) in job.files.enumerated() {
                let place = JobPlace(job.id, index)
                if busy.contains(.fetch(place)) {
                    downloads.append(RescueQueue.Entry(place, file, rank, isBusy: true))
                    continue
                }
                guard !busy.contains(.tell(place)) else { continue }
                switch file.stage {
                case .waiting, .downloading, .probed:
                    if isDue(file.nextAttemptAt, at: now) {
                        downloads.append(RescueQueue.Entry(place, file, rank, isBusy: false))
                    }
                case .safe: safe.append(place)
                case .stored where hasRows && job.owesRow(file):
                    if isDue(file.nextAttemptAt, at: now) { acts.append(.tell(place)) }
                case .stored, .failed: break
                }
            }
        }
        let free = slots - busy.count { if case .fetch = $0 { true } else { false } }
        acts += RescueQueue(downloads, speed: speed, at: now).next(free).map { .fetch($0) }
    }

    private mutating func planQuestion(
        _ job: Job, _ busy: Set<RescueAct>, _ providers: Set<ProviderName>, at now: Date
    ) {
        guard let reference = job.reference, job.files.isEmpty, providers.contains(reference.provider),
            !busy.contains(.ask(job.id)), isDue(job.nextQuestionAt, at: now)
        else { return }
        let asking = (busy.union(acts)).count { if case .ask = $0 { true } else { false } }
        if asking < Self.questions { acts.append(.ask(job.id)) }
    }

    /// Whether `date` has come; if not, it is considered for `next`.
    private mutating func isDue(_ date: Date?, at now: Date) -> Bool {
        guard let date, date > now, date <= now + farthest else { return true }
        next = min(next ?? date, date)
        return false
    }
}

extension RescueQueue.Entry {
    fileprivate init(_ place: JobPlace, _ file: JobFile, _ rank: Int, isBusy: Bool) {
        self.init(
            place: place, deadline: file.deadline?.date,
            // Asking for another link takes nothing of the line.
            left: file.endedLink == nil ? file.knownSize.map { max(0, $0 - file.received) } : 0,
            rank: rank, isBusy: isBusy)
    }
}
