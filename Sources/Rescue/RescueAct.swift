package import FoundationEssentials
package import Providers

/// One file of one job.
package struct JobPlace: Hashable, Sendable {
    package let job: JobIdentifier
    /// In the job's list of files.
    package let index: Int

    package init(_ job: JobIdentifier, _ index: Int) {
        self.job = job
        self.index = index
    }
}

/// One thing to do for a job, at the same time as others.
package enum RescueAct: Hashable, Sendable {
    /// Ask the provider where the job stands.
    case ask(JobIdentifier)
    /// Fetch the next bytes of a file, or put one in place whose bytes are all there; takes a slot.
    case fetch(JobPlace)
    /// Tell the row where the file lies now.
    case tell(JobPlace)
}

/// What to do now, and when to look again; decides only.
package struct RescuePlan: Hashable, Sendable {
    package var acts: [RescueAct] = []
    /// Files on this disk whose receipts are waited for.
    package var safe: [JobPlace] = []
    /// When the next thing falls due that only time is in the way of.
    package var next: Date?

    /// Questions under way at once.
    static let questions = 8

    /// - Parameters:
    ///   - busy: What is under way.
    ///   - slots: Downloads at once.
    ///   - speed: `nil` while nobody can tell.
    ///   - providers: Those that can be asked.
    package init(
        _ jobs: [Job], busy: Set<RescueAct> = [], slots: Int = 2, speed: LineSpeed? = nil,
        providers: Set<ProviderName>, hasRows: Bool = false, at now: Date
    ) {
        var downloads: [RescueQueue.Entry] = []
        for (rank, job) in jobs.enumerated() where !job.isSettled {
            planQuestion(job, busy, providers, at: now)
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

    /// Whether `date` has come; else it is remembered.
    private mutating func isDue(_ date: Date?, at now: Date) -> Bool {
        guard let date, date > now else { return true }
        next = min(next ?? date, date)
        return false
    }
}

extension RescueQueue.Entry {
    fileprivate init(_ place: JobPlace, _ file: JobFile, _ rank: Int, isBusy: Bool) {
        self.init(
            place: place, deadline: file.deadline?.date, left: file.knownSize.map { max(0, $0 - file.received) },
            rank: rank, isBusy: isBusy)
    }
}
