import Cleansing
package import FoundationEssentials
import Platform
import Providers
import Queue
package import Text

/// Counts of the files on their way from providers into storage, as a report shows them.
package struct RescueSummary: Codable, Hashable, Sendable {
    /// Jobs that the provider has not finished.
    package var running: Int
    /// Files that only the provider has.
    package var open: Int
    /// Files on this disk that storage does not have yet.
    package var safe: Int
    /// Files that storage holds, each with a receipt.
    package var stored: Int
    /// Files that failed for good, and jobs that ended without one.
    package var failed: Int
    /// How many of `failed` are jobs that ended without a file; absent for none.
    package var fileless: Int?
    /// Bytes per second of all downloads now; `nil` while there are none.
    @OrNull package var rate: Double?
    /// What to do about each provider that refuses its key, a sentence each; absent where none does.
    package var blocked: [String]?
    /// Files that are not stored, and jobs that ended without one, the most endangered first.
    package var files: [File]

    /// Files that failed for good or whose links have expired.
    package var lost: Int {
        max(failed - (fileless ?? 0), files.count { $0.danger == .lost && $0.fileless != true })
    }

    /// Files that a report names at most, and as many lost files, if others come before them.
    static let fileLimit = 100
}

extension RescueSummary {
    /// How likely it is that a provider deletes a file before it is on this disk.
    package enum Danger: String, Codable, Hashable, Sendable, CaseIterable {
        /// At the measured rate its link expires before it has arrived.
        case late
        /// Its link expires within a day.
        case soon
        /// It failed, or its link has expired.
        case lost
        /// Its link works for more than a day, or it is on this disk.
        case none
    }
}

extension RescueSummary {
    /// One file that storage does not have yet.
    package struct File: Codable, Hashable, Sendable {
        /// The job's identifier.
        package var job: String
        /// Its path below the root of rescued files, or its link without the query.
        package var file: String
        /// Bytes; `nil` while unknown.
        @OrNull package var size: Int64?
        /// Bytes that are on this disk.
        var received: Int64
        /// When the provider deletes it; `nil` where that is unknown, or it is on this disk.
        @OrNull package var expires: Date?
        /// Whether `expires` is the provider's usual lifetime, not the link's own.
        package var assumed: Bool
        /// Whether another link can be asked for once this one has ended.
        var renews: Bool?
        /// How likely it is to be lost; `none` until judged at a date.
        package var danger: RescueSummary.Danger
        /// Why it waits or is lost.
        @OrNull package var message: String?
        /// Whether it is a job that ended without a file, which has nothing to lose; absent for a file.
        package var fileless: Bool?
    }

    /// The counts of all jobs; `nil` where there are none.
    ///
    /// - Parameter rate: Bytes per second of all downloads now.
    package init?(_ jobs: [Job], rate: Double? = nil, now: Date) {
        guard let all = Self(of: jobs) else { return nil }
        self = all.judged(rate: rate, at: now)
    }

    /// The same with all files, of which only the failed ones are judged yet.
    init?(of jobs: [Job]) {
        guard !jobs.isEmpty else { return nil }
        let kept = jobs.filter { !$0.isCancelled }
        let all = kept.flatMap { job in job.files.map { (job, $0) } }
        running = kept.count { $0.files.isEmpty && !$0.isSettled }
        open = all.count { !$0.1.isSafe && $0.1.stage != .failed }
        safe = all.count { $0.1.stage == .safe }
        // Stored files count even if their jobs were cancelled or lost other files.
        stored = jobs.reduce(0) { $0 + $1.files.count { $0.stage == .stored } }
        let dead = kept.filter { $0.error != nil && $0.files.isEmpty }.map { File(lost: $0) }
        failed = all.count { $0.1.stage == .failed } + dead.count
        fileless = dead.isEmpty ? nil : dead.count
        rate = nil
        let refused = kept.filter { !$0.isSettled }.compactMap { job in
            job.refusedKey.map { (job.reference?.provider.rawValue ?? "", $0) }
        }
        blocked = refused.isEmpty ? nil : Dictionary(refused) { first, _ in first }.values.sorted()
        files = (all.filter { $0.1.stage != .stored }.map { File($0.0, $0.1) } + dead).sorted {
            ($0.expires ?? .distantFuture, $0.job) < ($1.expires ?? .distantFuture, $1.job)
        }
    }

    /// The summary at `now`, with the `fileLimit` most endangered files, and up to as many that are lost.
    func judged(rate: Double? = nil, at now: Date) -> Self {
        var report = self
        report.rate = rate
        let judged = Self.judged(files.map { $0.judged(at: now) }, rate: rate, now: now)
        let first = judged.prefix(Self.fileLimit)
        // Lost files are always reported, however many are in danger, because `lost` counts them.
        let room = max(0, Self.fileLimit - first.count { $0.danger == .lost })
        report.files = Array(first) + judged.dropFirst(Self.fileLimit).filter { $0.danger == .lost }.prefix(room)
        return report
    }

    /// The files, the most endangered first, with those marked that will be late.
    private static func judged(_ files: [File], rate: Double?, now: Date) -> [File] {
        var files = files
        if let rate, rate > 0 {
            let coming = files.indices.filter { files[$0].isComing }
            let loads = coming.map { files[$0].load }
            for place in RescueForecast(loads, rate: rate, at: now).late { files[coming[place]].danger = .late }
        }
        let order = RescueSummary.Danger.allCases
        return files.enumerated().sorted { one, other in
            let ranks = [one, other].map { order.firstIndex(of: $0.element.danger) ?? 0 }
            return (ranks[0], one.offset) < (ranks[1], other.offset)
        }.map(\.element)
    }
}

extension RescueSummary.File {
    /// A job that ended without a file, by its name at the provider.
    fileprivate init(lost job: Job) {
        self.job = job.id.rawValue
        file = job.reference.map { JobIdentifier($0).rawValue } ?? job.id.rawValue
        size = nil
        received = 0
        expires = nil
        assumed = false
        message = job.loss
        danger = .lost
        fileless = true
    }

    fileprivate init(_ job: Job, _ file: JobFile) {
        self.job = job.id.rawValue
        self.file = file.path?.display ?? Cleanser.link(file.link)
        size = file.knownSize
        received = file.received
        expires = file.hasArrived || file.endedLink != nil ? nil : file.deadline?.date
        renews = job.row != nil || job.reference?.provider.renewsLinks == true
        assumed = file.deadline?.isAssumed ?? false
        message = file.failure?.message
        danger = file.stage == .failed ? .lost : .none
    }

    fileprivate func judged(at now: Date) -> Self {
        var file = self
        if danger != .lost, let expires, expires <= now + 86_400 {
            file.danger = expires <= now && !assumed && renews != true ? .lost : .soon
        }
        return file
    }

    fileprivate var isComing: Bool { expires != nil && danger != .lost }

    /// What remains to be downloaded of it.
    fileprivate var load: RescueForecast.Load {
        RescueForecast.Load(deadline: expires ?? .distantFuture, bytes: max(0, (size ?? 0) - received))
    }
}
