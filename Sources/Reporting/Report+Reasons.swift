import Catalog
import Configuration
import FoundationEssentials
import Queue
package import Records
import Rescue
import Text

extension Report {
    /// One reason for a monitor to raise an alarm.
    package struct Reason: Hashable, Sendable {
        /// Its kind, which decides the exit code of `status --check`.
        package let kind: Ending.Kind
        /// The trouble, worded to follow "but": a sentence without its capital and its full stop.
        package let clause: String
        /// The command or step that removes the trouble, a sentence.
        package let next: String

        /// The trouble, as a sentence.
        package var message: String { clause.prefix(1).uppercased() + clause.dropFirst() + "." }
        /// The trouble and what to do about it, for a monitor.
        package var sentence: String { "\(message) \(next)" }
    }

    /// How long a file may wait, and a root go without a scan, unless the user says otherwise.
    package static let usualAge = Duration.seconds(86_400)

    /// Why not everything is known to be stored, the most serious reason first; empty if all is well.
    ///
    /// - Parameter maxAge: How long a file may wait, and a root go without a scan.
    package func reasons(maxAge: Duration = usualAge) -> [Reason] {
        var found =
            [
                withoutDestination, outdatedAgent, absentRun ? nil : troubledRun, unscannedRoot, staleScan(maxAge),
                newFiles,
            ].compactMap(\.self) + storedReasons + [lateFile(maxAge), idleFiles].compactMap(\.self)
        // Where nothing is to be done, as with all stored on a disk that only reads, it stops nothing.
        if let closedState, found.contains(where: { $0.kind == .temporary }) { found.insert(closedState, at: 0) }
        let ranked = found.enumerated().sorted {
            ($0.element.kind.seriousness, $0.offset) < ($1.element.kind.seriousness, $1.offset)
        }
        return ranked.map(\.element)
    }

    /// Those of `reasons` that concern what is stored, and not when the folders were last looked at.
    var storedReasons: [Reason] {
        [otherDestination, pausedQueue, awayRoot].compactMap(\.self) + waitingForPeople + refusedProviders
            + [
                changedObjects, damagedFiles, heldFiles, failedFiles, lateVideos, lostVideos, filelessJobs,
                owedPictures, failedPictures,
            ]
            .compactMap(\.self)
    }

    private static let syncAgain = "Run \"gallery-sync sync\", or keep \"gallery-sync watch\" running."
    private static let whenMended = "When that is mended, run \"gallery-sync sync\"."
    private static let lookAtStatus = "See \"gallery-sync status\"."

    /// A watch sees every change by itself.
    private var isWatched: Bool { agent.running && lastRun?.command == .watch && lastRun?.ended == nil }

    private func ago(_ date: Date) -> String {
        if isAhead(date) { return "by a clock that was set back since" }
        let moment = Moment.relative(date, to: createdAt)
        return moment == "now" ? "just now" : moment
    }
}

// MARK: - When it was looked at

extension Report {
    private var withoutDestination: Reason? {
        guard destination == nil else { return nil }
        return Reason(kind: .needsHuman, clause: "no destination is chosen", next: "Run \"gallery-sync init\".")
    }

    /// Why what the running agent says does not hold for the configuration: another destination, or a folder that it
    /// does not know; `nil` if neither, or no agent runs.
    package var outdatedAgent: Reason? {
        let isElsewhere = changedSettings.map { !Setting.destinationKeys.isDisjoint(with: $0) } == true
        let clause =
            isElsewhere
            ? "the running agent stores elsewhere than the configuration says"
            : unwatched.map {
                "the running agent does not know \(DisplayText.safe($0)), which the configuration names"
            }
        return clause.map { Reason(kind: .needsHuman, clause: $0, next: Self.restart) }
    }

    /// Which settings were changed in the configuration since the running agent read it, and what to do, for people;
    /// `nil` if none was, or `outdatedAgent` says more.
    package var unreadSettings: String? {
        guard let changedSettings, outdatedAgent == nil else { return nil }
        let keys = changedSettings.map { DisplayText.safe($0) }.joined(separator: ", ")
        return "The running agent read the configuration before it was changed (\(keys)). \(Self.restart)"
    }

    /// What to do where the running agent read the configuration before it was changed.
    package static let restart =
        "Restart it: \"systemctl --user restart gallery-sync\", or end it and run \"gallery-sync watch\"."

    private var otherDestination: Reason? {
        storedElsewhere.map { place in
            Reason(
                kind: .needsHuman, clause: "that is in \(place), and the configuration names another destination",
                next: NextStep.afterChangeOfDestination)
        }
    }

    /// Whether the last run ended because of a root that is still away, so that `awayRoot` says more.
    private var absentRun: Bool { lastRun?.awaitsDisk == true && awayRoot != nil }

    /// Why another run would fail; a run that failed for it could not write down how it ended.
    var closedState: Reason? {
        stateTrouble.map { trouble in
            Reason(
                kind: .disk, clause: "the state on disk cannot be written: \(trouble)",
                next: "See \"gallery-sync doctor\", then run \"gallery-sync sync\".")
        }
    }

    /// The failure of the last run; `nil` if only some files failed, because the counts say that.
    var troubledRun: Reason? {
        guard let lastRun else { return nil }
        guard let ended = lastRun.ended, let ending = lastRun.ending else {
            guard !agent.running else { return nil }
            let clause = "the last \(lastRun.command.rawValue), begun \(ago(lastRun.began)), was cut off"
            return Reason(kind: .temporary, clause: clause, next: Self.syncAgain)
        }
        let (run, message) = ("the last \(lastRun.command.rawValue), \(ago(ended)),", lastRun.message)
        let words = message.map { ": " + Sentence.open($0) } ?? ""
        switch ending {
        case .done, .someFailed: return nil
        case .interrupted:
            // Every watch ends by being stopped.
            guard lastRun.command == .sync else { return nil }
            return Reason(kind: .temporary, clause: "\(run) was stopped before its end", next: Self.syncAgain)
        case .temporary:
            // A paused queue is not continued by a sync, so `words` may name another step.
            let next = NextStep.remaining(Self.syncAgain, after: words) ?? Self.whenMended
            return Reason(kind: ending, clause: "\(run) did not finish\(words)", next: next)
        case .notPermitted, .full, .usage, .needsHuman:
            return Reason(kind: ending, clause: "\(run) was refused\(words)", next: Self.whenMended)
        case .disk, .internalError:
            let next = "See \"gallery-sync doctor\", then run \"gallery-sync sync\"."
            return Reason(kind: ending, clause: "\(run) failed\(words)", next: next)
        }
    }

    private var unscannedRoot: Reason? {
        guard destination != nil, lastScan == nil else { return nil }
        if agent.running {
            return Reason(
                kind: .temporary, clause: "the first look at the folders is not over",
                next: "It goes on by itself.")
        }
        let clause = lastRun == nil ? "no sync is remembered" : "not every folder was looked at yet"
        return Reason(kind: .temporary, clause: clause, next: Self.syncAgain)
    }

    private func staleScan(_ maxAge: Duration) -> Reason? {
        guard let lastScan, !isWatched, isOlder(lastScan, than: maxAge) else { return nil }
        return Reason(
            kind: .temporary, clause: "the folders were last looked at \(ago(lastScan))", next: Self.syncAgain)
    }

    /// Whether `date` is older, or in the future: a clock that was years ahead would make it look recent for years.
    private func isOlder(_ date: Date, than maxAge: Duration) -> Bool {
        createdAt.timeIntervalSince(date) > maxAge.seconds || isAhead(date)
    }

    private func isAhead(_ date: Date) -> Bool { date > createdAt + DatedWait.correction }

    private var newFiles: Reason? {
        guard let unscanned, unscanned > 0 else { return nil }
        let files = "\(Quantity.text(unscanned, "file")) on disk \(unscanned == 1 ? "is" : "are")"
        return Reason(
            kind: .temporary, clause: "\(files) new or changed since the last look", next: Self.syncAgain)
    }

    private func lateFile(_ maxAge: Duration) -> Reason? {
        guard let oldestWaiting, isOlder(oldestWaiting, than: maxAge) else { return nil }
        let clause = "the file that waits longest was found \(ago(oldestWaiting))"
        return Reason(kind: .temporary, clause: clause, next: agent.running ? Self.lookAtStatus : Self.syncAgain)
    }

    /// Files that nothing prevents from being sent, while no agent sends them.
    private var idleFiles: Reason? {
        let away = roots.reduce(0) { $0 + ($1.isAway ? $1.waiting ?? 0 : 0) }
        let count = assets.waiting - (brake?.count ?? 0) - away
        guard count > 0, !agent.running, waitingForPeople.isEmpty else { return nil }
        let files = "\(Quantity.text(count, "file")) \(count == 1 ? "waits" : "wait")"
        return Reason(kind: .temporary, clause: "\(files), and no agent runs", next: Self.syncAgain)
    }
}

// MARK: - What is stored

extension Report {
    private var pausedQueue: Reason? {
        guard queue.paused else { return nil }
        return Reason(
            kind: .temporary, clause: "the queue is paused", next: NextStep.after(blocked: Item.Blocked.paused.rawValue)
        )
    }

    private var awayRoot: Reason? {
        if let root = roots.first(where: { $0.paused != nil }), let why = root.paused {
            return Reason(
                kind: .temporary, clause: why == "paused" ? "\(root.name) is away" : why,
                next: NextStep.after(blocked: Item.Blocked.away.rawValue))
        }
        // A disk that another one has replaced matters only to files that are not stored yet.
        guard let root = roots.first(where: \.isAway), let count = root.waiting, count > 0 else { return nil }
        return Reason(
            kind: .temporary, clause: Self.replaced(root.name, waiting: count), next: Self.ofReplaced + ".")
    }

    /// A clause: that many files of a root wait for its disk.
    package static func replaced(_ root: String, waiting count: Int) -> String {
        "\(Quantity.text(count, "file")) of \(DisplayText.safe(root)) \(count == 1 ? "waits" : "wait") for its disk, since "
            + "another one is at its place"
    }

    /// What to do about those, a clause that begins with a capital.
    package static let ofReplaced =
        "Mount that disk, or, if it is lost, give up what waits for it with \"gallery-sync queue cancel\""

    /// Causes that only a person can remove, however recent they are.
    private var waitingForPeople: [Reason] {
        let kinds: [Item.Blocked: (kind: Ending.Kind, cause: String)] = [
            .bucket: (.needsHuman, "for the bucket"), .signIn: (.notPermitted, "for a sign-in or a permission"),
            .budget: (.full, "for room at the destination"), .tooLarge: (.someFailed, "for a larger size limit"),
        ]
        return blocked.compactMap { cause in
            guard cause.count > 0, let row = Item.Blocked(rawValue: cause.reason).flatMap({ kinds[$0] }) else {
                return nil
            }
            guard !cause.message.isEmpty else {
                return Reason(kind: row.kind, clause: "\(cause.waits) \(row.cause)", next: cause.next)
            }
            let message = Sentence.open(cause.message)
            let next = NextStep.remaining(cause.next, after: message) ?? Self.whenMended
            return Reason(kind: row.kind, clause: "\(cause.waits): \(message)", next: next)
        }
    }

    private var changedObjects: Reason? {
        guard let discrepancies, let objects = discrepancies.objects else { return nil }
        let clause = "\(objects), as was seen \(ago(discrepancies.foundAt))"
        return Reason(kind: .someFailed, clause: clause, next: discrepancies.next)
    }

    private var damagedFiles: Reason? {
        discrepancies?.files.map { Reason(kind: .someFailed, clause: $0, next: Discrepancies.nextForFiles) }
    }

    private var heldFiles: Reason? {
        guard let brake else { return nil }
        let files = "\(Quantity.text(brake.count, "changed file")) \(brake.count == 1 ? "is" : "are")"
        return Reason(kind: .someFailed, clause: "\(files) held by the brake", next: brake.next)
    }

    private var failedFiles: Reason? {
        let count = assets.failed + assets.unreadable
        let unlisted = failures.reduce(0) { $0 + $1.count } - count
        guard count > 0 || unlisted > 0 else { return nil }
        let (noun, number) = count > 0 ? ("file", count) : ("folder", unlisted)
        let fate = count > 0 ? "failed or could not be read" : "could not be listed"
        return Reason(
            kind: .someFailed, clause: "\(Quantity.text(number, noun)) \(fate)",
            next: failures.first { $0.noun == noun }?.next ?? Self.lookAtStatus)
    }

    private static let jobsList = "See \"gallery-sync jobs list\"."
    private static let afterLoss =
        "See \"gallery-sync jobs list\"; \"gallery-sync rescue\" tries each once more, \"gallery-sync jobs cancel\" strikes "
        + "one off."

    /// Providers from which nothing is fetched until a person renews a key, or pays.
    private var refusedProviders: [Reason] {
        (rescue?.blocked ?? []).map {
            Reason(kind: .notPermitted, clause: $0, next: "Until then nothing of it is fetched.")
        }
    }

    /// Files whose links expire before they are fetched; without an agent, also those whose links expire within a day.
    private var lateVideos: Reason? {
        let late = rescue?.files.count { $0.danger == .late || $0.danger == .soon && !agent.running } ?? 0
        guard late > 0 else { return nil }
        let fate =
            late == 1
            ? "file will be lost: its link expires before it is fetched"
            : "files will be lost: their links expire before they are fetched"
        let next = agent.running ? Self.jobsList : "Run \"gallery-sync watch\" or \"gallery-sync rescue\" now."
        return Reason(kind: .temporary, clause: "\(Quantity.text(count: late)) rescued \(fate)", next: next)
    }

    private var lostVideos: Reason? {
        guard let lost = rescue?.lost, lost > 0 else { return nil }
        return Reason(
            kind: .someFailed,
            clause: "\(Quantity.text(lost, "rescued file")) \(lost == 1 ? "was" : "were") lost", next: Self.afterLoss)
    }

    /// Orders that were refused, and jobs that their providers rejected or do not know: there never was a file.
    private var filelessJobs: Reason? {
        guard let count = rescue?.fileless, count > 0 else { return nil }
        let clause = "\(Quantity.text(count, "job")) ended without a file"
        let next = "See \"gallery-sync jobs list\" for why; \"gallery-sync jobs cancel\" strikes one off."
        return Reason(kind: .someFailed, clause: clause, next: next)
    }

    private var owedPictures: Reason? {
        guard picturesOwed > 0 else { return nil }
        return Reason(kind: .someFailed, clause: owedClause, next: Self.syncAgain)
    }

    /// Thumbnails that the storage refused; their originals may all be stored.
    private var failedPictures: Reason? {
        let count = queue.pictures.failed
        guard count > 0 else { return nil }
        return Reason(
            kind: .someFailed, clause: "\(Quantity.text(count, "thumbnail")) could not be stored",
            next: "\"gallery-sync doctor\" looks for the cause; once a day they are tried again.")
    }

    /// How many stored files lack thumbnails, without a full stop.
    package var owedClause: String {
        picturesOwed == 1
            ? "1 stored file lacks a thumbnail" : "\(Quantity.text(count: picturesOwed)) stored files lack a thumbnail"
    }
}

extension Ending.Kind {
    /// Its rank in a list of reasons; those that need a person come first.
    fileprivate var seriousness: Int {
        switch self {
        case .notPermitted, .full, .usage, .needsHuman: 0
        case .disk, .internalError: 1
        case .temporary, .interrupted: 2
        case .someFailed, .done: 3
        }
    }
}
