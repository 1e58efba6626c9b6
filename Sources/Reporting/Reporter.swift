package import Catalog
package import Configuration
import FoundationEssentials
import MediaModel
import Platform
import Queue
import Records
import Roots
import Sync
import Text
package import Uploading

/// Stage 7: makes the report from the queue's figures and the library.
package struct Reporter: Sendable {
    let library: Library
    let settings: Settings
    let cache: ThumbnailCache
    let profile: String

    /// A reporter that reads the library and the thumbnails' cache, and writes neither.
    package init(library: Library, settings: Settings, cache: ThumbnailCache, profile: String) {
        self.library = library
        self.settings = settings
        self.cache = cache
        self.profile = profile
    }

    /// How much is collected; a later case has all that an earlier one has.
    package enum Depth: Int, Comparable, Sendable {
        /// Counts and failures, for what looks at them often.
        case counts
        /// Also the most frequent notes of irregular files.
        case summary
        /// Also kinds, more such notes, recent uploads and bytes over time, for programs.
        case details
        /// Also the thumbnails of recent uploads.
        case page

        /// A lesser depth reads less.
        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    /// The most kinds of irregular files that a page lists, and that a text does.
    private static let (oddityLimit, namedOddities) = (100, 10)

    /// The report of `sources` and the library; no other code puts a status together.
    package func report(_ depth: Depth, _ sources: ReportSources) async throws -> Report {
        let counts = try await library.counts()
        var report = Report(
            createdAt: sources.createdAt, profile: profile, destination: sources.destination, agent: sources.agent)
        try await addAssets(counts, to: &report)
        let elsewhere = try await library.blockedSums()
        try await addQueue(sources, elsewhere, to: &report)
        report.brake = try await brake(counts)
        report.discrepancies = Report.Discrepancies(try await library.discrepancies())
        report.lastRun = try await library.lastRun()
        report.lastScan = try await lastScan()
        try await addNotes(to: &report)
        report.failures = try await failures(counts)
        report.roots = try await roots(counts, sources)
        if depth >= .details {
            try await addDetails(counts, to: &report, withPictures: depth == .page)
            try await addNames(sources.waiting, elsewhere, to: &report)
        }
        (report.rescue, report.limits, report.settling) = (sources.rescue, sources.limits, sources.settling)
        report.notes += sources.notes
        if depth >= .summary { report.notes += try await oddities(depth, besides: report.picturesTrouble) }
        return report
    }

    private func addAssets(_ counts: AssetCounts, to report: inout Report) async throws {
        report.assets = Report.Assets(
            stored: counts.stored, waiting: counts.waiting, failed: counts.failed, unreadable: counts.unreadable)
        report.besides = Report.Besides(
            ignored: counts.ignored, gone: counts[.gone], excluded: counts[.excluded],
            remoteOnly: counts.remoteOnly, leftOutStored: counts.leftOutStored, indexed: counts[.indexed])
        report.besides.leftOut = try await library.leftOut(of: counts)
        report.bytes = Report.Bytes(
            total: counts.bytesToStore, stored: counts.bytes(.stored))
        report.proof = Report.Proof(counts.proofs)
        report.oldestWaiting = try await library.oldestWaiting()
    }

    private func addQueue(
        _ sources: ReportSources, _ elsewhere: [BlockedSum], to report: inout Report
    ) async throws {
        let queue = sources.queue
        report.queue = Report.Queue(
            pending: queue.pending, uploading: queue.uploading, completed: queue.completed, failed: queue.failed)
        report.queue.pictures = queue.pictures
        report.nextAttempt = sources.nextAttempt
        report.queue.paused = try await library.isPaused(at: sources.createdAt)
        report.queue.pending += elsewhere.reduce(0) { $0 + $1.count }
        report.queue.pictures.count(.pending, elsewhere.reduce(0) { $0 + $1.count - $1.files })
        report.blocked = Report.Blocked.merged(sources.blocked, elsewhere)
    }

    /// Names the first files of each cause: those of the queue, then those in the library.
    private func addNames(_ waiting: [Item], _ elsewhere: [BlockedSum], to report: inout Report) async throws {
        let limit = Report.Blocked.nameLimit
        for index in report.blocked.indices {
            let blocked = report.blocked[index]
            let queued = waiting.lazy.filter { $0.role == .original && $0.blockedCause.map(blocked.isDue) ?? false }
            var names = queued.prefix(limit).map { "\($0.root)/\($0.path)" } as [String]
            for sum in elsewhere where names.count < limit {
                guard let reason = sum.reason, blocked.isDue(to: BlockedCause(reason, code: sum.code)) else { continue }
                names += try await library.blockedFiles(reason, code: sum.code, limit: limit - names.count)
            }
            report.blocked[index].names = names
        }
    }

    /// The oldest of the last scans of all configured roots; without any, of all known roots that were scanned.
    private func lastScan() async throws -> Date? {
        var dates: [Date?] = []
        for root in settings.roots { dates.append(try await library.lastScan(of: root.path)) }
        guard dates.isEmpty else { return dates.contains(nil) ? nil : dates.compactMap(\.self).min() }
        for root in try await library.roots() { dates.append(try await library.lastScan(of: root.path)) }
        return dates.compactMap(\.self).min()
    }

    private func addNotes(to report: inout Report) async throws {
        if settings.destination.metadataTable != nil, let trouble = try await library.fact(MetadataLoop.troubleFact) {
            report.notes = [trouble]
        }
        if let sentence = report.proof.sentence { report.notes.append(sentence) }
        report.notes += settings.namesNotTaken(
            by: try await RenamedRoots(library: library, configured: settings.roots).roots())
        report.picturesOwed = try await library.picturesOwed(roles: settings.thumbnails.roles)
        report.notes += report.discrepancies?.notes ?? []
        guard report.picturesOwed > 0 else { return }
        report.notes.append("\(report.owedClause): the next sync makes it")
        report.picturesTrouble = try await library.pictureTrouble()
    }

    /// What is odd about files, such as why one has no thumbnail; programs get more of it than people.
    ///
    /// - Parameter trouble: Why pictures are owed, which is always among them.
    private func oddities(_ depth: Depth, besides trouble: String?) async throws -> [String] {
        let limit = depth < .details ? Self.namedOddities : Self.oddityLimit
        let (first, count) = try await library.oddities(limit: limit)
        let owed = trouble.map { trouble in first.contains { $0.note == trouble } ? [] : [trouble] } ?? []
        let more = count - first.count - owed.count
        let command = depth < .details ? "status --json" : "why FILE"
        let rest = more > 0 ? ["And \(Quantity.text(count: more)) more: see \"gallery-sync \(command)\""] : []
        return owed + first.map(\.sentence) + rest
    }

    private func addDetails(
        _ counts: AssetCounts, to report: inout Report, withPictures: Bool
    ) async throws {
        report.recent = try await recent(withPictures: withPictures)
        report.history = try await history(now: report.createdAt)
        report.kinds = counts.kinds.map {
            Report.Kind(name: $0.kind.rawValue, total: $0.total, stored: $0.stored, bytes: $0.bytes)
        }
    }

    private func brake(_ counts: AssetCounts) async throws -> Report.Brake? {
        let count = counts[.held]
        guard count > 0 else { return nil }
        let reason = try await library.fact(Library.brakeFact) ?? "looking at how many files changed"
        return Report.Brake(
            count: count, reason: reason, files: try await library.heldFiles(limit: Report.Brake.fileLimit))
    }

    private func failures(_ counts: AssetCounts) async throws -> [Report.Failure] {
        let problems = try await library.problems(of: counts).map {
            Report.Failure(
                path: "\($0.root)/\($0.path.display)", code: $0.code.text, message: $0.message, count: $0.count)
        }
        let unlisted = try await library.unlistedDirectories().map {
            Report.Failure(
                path: $0.path, code: $0.isAway ? Report.Failure.awayFolder : Report.Failure.unlistedFolder,
                message: $0.reason)
        }
        return Report.Failure.grouped(problems + unlisted)
    }

    private func roots(_ counts: AssetCounts, _ sources: ReportSources) async throws -> [Report.Root] {
        var roots: [Report.Root] = []
        for (known, count) in try await library.rootCounts(of: counts) {
            var root = Report.Root(
                name: known.name, path: known.path.display, total: count.total, stored: count.stored,
                bytes: count.bytes)
            root.waiting = count.waiting
            let remembered = try await library.fact(RootAbsence.fact(known))
            if sources.dropped.contains(root.name) {
                root.dropped = true
            } else if sources.replaced.contains(root.name) {
                root.replaced = true
            } else {
                root.paused = sources.absences[root.name] ?? remembered
            }
            roots.append(root)
        }
        return roots
    }

    private func recent(withPictures: Bool) async throws -> [Report.Recent] {
        let size = settings.thumbnails.sizes.min() ?? 512
        return try await library.recent(limit: 200).map { entry in
            // A thumbnail that is missing from the cache is left out.
            let path = withPictures ? try? cache.place(of: entry.sha256, size: size)?.path : nil
            let picture = path.flatMap { try? OpenFile(reading: $0).readAll(limit: 1 << 20) }
            return Report.Recent(
                path: "\(entry.root)/\(entry.path.display)", size: entry.size, storedAt: entry.at,
                kind: entry.type.kind.rawValue, duration: entry.duration, thumbnail: picture.map { Data($0) })
        }
    }

    /// Bytes per day of the last month, or per hour when everything is younger than two days.
    private func history(now: Date) async throws -> [Report.Span] {
        let day: TimeInterval = 86_400
        let hours = try await library.storedByHour(at: now)
        guard let first = hours.first, now.timeIntervalSince(first.start) >= 2 * day else {
            return hours.map { Report.Span(start: $0.start, bytes: $0.bytes, objects: $0.objects) }
        }
        var days: [Report.Span] = []
        for hour in hours {
            let seconds = hour.start.timeIntervalSince1970
            let start = Date(timeIntervalSince1970: seconds - seconds.truncatingRemainder(dividingBy: day))
            if days.last?.start != start { days.append(Report.Span(start: start, bytes: 0, objects: 0)) }
            days[days.count - 1].bytes += hour.bytes
            days[days.count - 1].objects += hour.objects
        }
        return days
    }
}

extension Report.Proof {
    init(_ counts: [Receipt.Proof: Int]) {
        self.init(
            md5: counts[.md5, default: 0], multipartMD5: counts[.multipartMD5, default: 0],
            readBack: counts[.readBack, default: 0], size: counts[.size, default: 0])
    }
}
