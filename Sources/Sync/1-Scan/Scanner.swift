package import Catalog
package import FoundationEssentials
package import Platform
package import Queue
import Records
package import Roots
import Text

/// How one walk of a root ended.
package enum ScanOutcome: Hashable, Sendable {
    /// Everything below was looked at.
    case complete(ScanChanges)
    /// Everything was looked at but a disk below that is away.
    case partial(ScanChanges, RootAbsence)
    /// The root is missing, empty, another disk, or went away during the walk: no file counts as gone.
    case vanished(RootAbsence)
}

/// Stage 1: walks a root and writes what it finds to the library as `seen`.
package struct Scanner: Sendable {
    let library: Library
    let wake: WakeEvent
    let clock: @Sendable () -> Date
    /// Left out of every walk.
    package let own: OwnPlaces

    /// A scanner that writes to `library`, and notifies `wake` when something new was found.
    ///
    /// - Parameter own: Directories of this program, which it leaves out.
    package init(library: Library, wake: WakeEvent, own: OwnPlaces? = nil, clock: @escaping @Sendable () -> Date) {
        self.own = own ?? OwnPlaces()
        self.library = library
        self.wake = wake
        self.clock = clock
    }

    /// Files of a batch; one call of the library merges a batch.
    private static let batchSize = 2_000

    /// The directories that a walk has looked at, and those of their files that are still being written.
    struct Look: Sendable {
        var directories: [DirectoryObservation] = []
        var unsettled: [FilePath] = []
        /// Entries of the directories, and the directories themselves.
        var entries = 0
    }

    /// Walks `root` below `top` and merges what it finds; the library is durable when this returns.
    ///
    /// - Parameters:
    ///   - settle: Files changed more recently than this are left for later, and handed to `unsettled`.
    package func scan(
        _ root: Root, below top: FilePath = FilePath(bytes: []), origin: Asset.Rank.Origin,
        settle: Duration = .zero, unsettled: @Sendable (FilePath) -> Void = { _ in }
    ) async throws -> ScanOutcome {
        if own.holds(top, below: root.known.path) { return .complete(ScanChanges()) }
        let before: DirectoryPlace
        switch try await look(at: root, below: top) {
        case .success(let place): before = place
        case .failure(let absence): return try await vanished(root, absence)
        }
        let time = await library.beginWalk()
        let kept = top.isEmpty ? try await library.keptCopies(below: root.known.id) : []
        var changes = ScanChanges()
        var walked = Walked()
        var survey = MountSurvey(root: root, library: library)
        let failure = try await walk(root, below: top, settle: settle) { look in
            walked.met += look.entries
            let directories = try await survey.admitted(look.directories)
            walked.add(directories)
            if !kept.isEmpty { walked.unsettled.formUnion(look.unsettled) }
            for path in look.unsettled where !survey.closes(path) { unsettled(path) }
            let merged = try await library.merge(directories, root: root.known.id, origin: origin, at: clock())
            changes += merged
            if merged.seen > 0 { wake.notify() }
        }
        if let failure {
            // If a part of a root is gone, so are its files; if the root itself is gone, nothing is known of its files.
            guard !top.isEmpty, failure.isMissing, try await absence(of: root, isRemembering: false) == nil else {
                return try await vanished(root, RootAbsence(failure))
            }
        }
        let closed = try await survey.finish(below: top, isPartial: !top.isEmpty)
        walked.visited.formUnion(closed.map(\.path))
        changes += try await library.merge(closed, root: root.known.id, origin: origin, at: clock())
        // Files that the walk did not meet are gone only if the disks are still those that it began with. If the walk
        // met nothing at all, the root must be empty now, too.
        let showedNothing = walked.met <= 1 && top.isEmpty && walked.failed.isEmpty
        guard try await isUnchanged(root, since: before, survey.places),
            try await absence(of: root, isRemembering: false) == nil,
            showedNothing ? try await !isBack(root) : true
        else {
            return try await vanished(root, RootAbsence("\(root.known.path.display) went away while it was looked at"))
        }
        try await miss(unmetBy: walked, of: root, below: top, by: time, &changes)
        try await library.release(kept, where: walked.hasLooked(at:))
        if top.isEmpty { try await noteLeftOut(of: root) }
        try await library.commit()
        return survey.absence.map { .partial(changes, $0) } ?? .complete(changes)
    }

    /// What a walk has met.
    private struct Walked {
        /// Entries of the directories, and the directories themselves.
        var met = 0
        var visited: Set<FilePath> = []
        /// Directories that could not be listed.
        var failed: Set<FilePath> = []
        /// Files that are still being written, if that matters.
        var unsettled: Set<FilePath> = []

        mutating func add(_ directories: [DirectoryObservation]) {
            visited.formUnion(directories.map(\.path))
            failed.formUnion(directories.filter { $0.failure != nil }.map(\.path))
        }

        /// Whether the walk would have noticed a change of the file at `path`.
        func hasLooked(at path: FilePath) -> Bool {
            visited.contains(path.parent) && !failed.contains(path.parent) && !unsettled.contains(path)
        }
    }

    /// Counts as gone the files below `top` that the walk did not meet.
    private func miss(
        unmetBy walked: Walked, of root: Root, below top: FilePath, by walk: WalkTime, _ changes: inout ScanChanges
    ) async throws {
        changes.missing = try await library.miss(changes.absent, by: walk)
        changes.absent = []
        // A directory is at `top` now, or nothing; or a file, if a look at it failed before and it was walked for that.
        if !top.isEmpty, case .success(nil) = await root.look(at: top) {
            changes.missing += try await library.miss(at: top, root: root.known.id, by: walk)
        }
        changes.missing += try await library.missDirectories(
            of: root.known.id, below: top, notIn: walked.visited, failed: walked.failed, by: walk)
    }

    /// Remembers which stored files that the walks do not meet are here all the same, because rules leave them out.
    ///
    /// Only changed rules leave out a file that was stored; as long as they leave out any, it may go and come back.
    private func noteLeftOut(of root: Root) async throws {
        let (known, rules) = (root.known, root.rules)
        let isSame = try await library.fact(known.rulesFact) == rules.text
        if isSame, try await library.fact(known.leftOutFact) == nil { return }
        let files = try await library.remoteOnlyFiles(of: known.id) { rules.reason(for: $0) != nil }
        let here = await Blocking.run {
            files.filter { file in
                do throws(SystemError) {
                    return try root.listedFacts(of: file).map { $0.kind != .directory } ?? false
                } catch {
                    // Nothing is known of it, so it is not said to be gone.
                    return true
                }
            }
        }
        try await library.setRuled(Set(here), of: known.id)
        let note = files.isEmpty ? nil : "some"
        if try await library.fact(known.leftOutFact) != note { try await library.setFact(known.leftOutFact, to: note) }
        if !isSame { try await library.setFact(known.rulesFact, to: rules.text) }
    }

    /// Hands each look to `visit` while a thread goes on walking; returns why the root could not be walked.
    func walk(
        _ root: Root, below top: FilePath, settle: Duration, _ visit: (Look) async throws -> Void
    ) async throws -> SystemError? {
        let channel = Channel<Result<Look, SystemError>>(capacity: 4)
        let fresh = FreshTimes(settle: settle, clock: clock)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [own] in
                await Blocking.run { Self.walk(root, top, fresh, own: own.keys(), into: channel) }
            }
            defer { channel.abandon() }
            while let next = await channel.receive() {
                try Task.checkCancellation()
                switch next {
                case .success(let look): try await visit(look)
                case .failure(let error): return error
                }
            }
            return nil
        }
    }
}

// MARK: - The walk, on a thread that may block

extension Scanner {
    private static func walk(
        _ root: Root, _ top: FilePath, _ fresh: FreshTimes, own: Set<DirectoryKey>,
        into channel: Channel<Result<Look, SystemError>>
    ) {
        defer { channel.finish() }
        var look = Look()
        var isOwn = false
        do {
            let directory = try root.open()
            let start = top.isEmpty ? directory : try directory.open(directory: top)
            struct Abandoned: Error {}
            try TreeWalk.walk(
                start, enter: { !isOwn && root.rules.reasonForDirectory(at: top.appending($0)) == nil },
                visit: { (listing: DirectoryListing) throws(Abandoned) in
                    isOwn = listing.place.map { own.contains(DirectoryKey($0)) } ?? false
                    if isOwn {
                        look.addOwn(listing, below: top)
                    } else {
                        look.add(listing, below: top, root.rules, fresh: fresh.now)
                    }
                    guard look.entries >= batchSize else { return }
                    guard channel.send(.success(look)) else { throw Abandoned() }
                    look = Look()
                })
            _ = channel.send(.success(look))
        } catch let error as SystemError {
            _ = channel.send(.failure(error))
        } catch {
            // The receiver has stopped listening.
        }
    }
}

/// The modification times that are too recent for a file to be taken, as a walk goes on.
private struct FreshTimes: Sendable {
    private let earliest: Int64
    private let clock: (@Sendable () -> Date)?

    /// Without a time to settle, no file is too recent.
    init(settle: Duration, clock: @escaping @Sendable () -> Date) {
        earliest = FileTime(clock()).nanoseconds - settle.nanoseconds + 1
        self.clock = settle > .zero ? clock : nil
    }

    /// For files that are looked at now: a time between the walk's start and now means that a writer may go on.
    var now: Range<FileTime> {
        let end = clock.map { max(earliest, FileTime($0()).nanoseconds + 1) } ?? earliest
        return FileTime(nanoseconds: earliest)..<FileTime(nanoseconds: end)
    }
}

extension Scanner.Look {
    /// Adds a directory of this program, in which nothing counts.
    fileprivate mutating func addOwn(_ listing: DirectoryListing, below top: FilePath) {
        directories.append(
            DirectoryObservation(
                path: top.appending(listing.path), files: [], leftOut: [OwnPlaces.reason: 1], place: listing.place))
        entries += 1
    }

    mutating func add(
        _ listing: DirectoryListing, below top: FilePath, _ rules: IgnoreRules, fresh: Range<FileTime>
    ) {
        let path = top.appending(listing.path)
        var found: [Observation] = []
        var unread: [[UInt8]: SystemError] = [:]
        var leftOut: [String: Int] = [:]
        for entry in listing.entries {
            // An entry that could not be looked at may be a file, even if the file system does not tell kinds.
            let kind = entry.failure == nil ? entry.kind : .file
            if let reason = rules.reason(forName: entry.name, kind, in: path) {
                leftOut[reason, default: 0] += 1
                continue
            }
            if let failure = entry.failure { unread[entry.name] = failure }
            guard let facts = entry.facts, entry.kind == .file else { continue }
            // A time in the future was set on purpose, by a program that had finished writing.
            let isSettled = !fresh.contains(facts.modifiedAt)
            do throws(SystemError) {
                found.append(try Observation(name: entry.name, facts, isSettled: isSettled))
                if !isSettled { unsettled.append(path.appending(entry.name)) }
            } catch {
                unread[entry.name] = error
            }
        }
        directories.append(
            DirectoryObservation(
                path: path, files: found, unread: unread, leftOut: leftOut, failure: listing.failure,
                place: listing.place))
        entries += 1 + listing.entries.count
    }
}

extension Duration {
    /// The duration in whole nanoseconds; up to 292 years fit.
    package var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
