import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Records
import Roots
import Sync
import Synchronization
import Text

/// Files that were changed too recently to be taken, as a scan finds them.
final class FreshFiles: Sendable {
    struct File: Sendable {
        let root: Root
        let path: FilePath
    }

    private let files = Mutex<[File]>([])

    var all: [File] { files.withLock { $0 } }

    func add(_ path: FilePath, in root: Root) { files.withLock { $0.append(File(root: root, path: path)) } }
}

/// Whether a file has been left alone long enough to be taken.
enum Freshness: Hashable, Sendable {
    /// It was not written to for `settle`: the library has it as it is now.
    case settled
    /// It was changed less than `settle` ago: to be looked at again at this date.
    case fresh(until: Date)

    /// Decides by the file's own time; one in the future was set on purpose, by a finished writer.
    init(modifiedAt: FileTime, settle: Duration, now: Date) {
        // A file can state times that are more nanoseconds apart than there are numbers.
        let (age, isBeyond) = FileTime(now).nanoseconds.subtractingReportingOverflow(modifiedAt.nanoseconds)
        guard !isBeyond, (0..<settle.nanoseconds).contains(age) else {
            self = .settled
            return
        }
        self = .fresh(until: FileTime(nanoseconds: modifiedAt.nanoseconds + settle.nanoseconds).date)
    }
}

extension Agent {
    /// Waits for recently written files, and takes each once it was left alone for `scan.settle`.
    ///
    /// Returns those that are still being written after `sync.patience`.
    func settle(_ fresh: [FreshFiles.File]) async throws -> [FreshFiles.File] {
        let unfinished = try await waitUntilWhole(fresh)
        await library.forgetFreshChanges()
        if !fresh.isEmpty { wake.notify() }
        return unfinished
    }

    private func waitUntilWhole(_ fresh: [FreshFiles.File]) async throws -> [FreshFiles.File] {
        let end = setup.clock() + setup.settings.sync.patience.seconds
        var waiting = fresh
        while true {
            var unsettled: [FreshFiles.File] = []
            var next = Date.distantFuture
            for file in waiting {
                guard case .fresh(let date) = try await look(at: file) else { continue }
                unsettled.append(file)
                next = min(next, date)
            }
            waiting = unsettled
            guard !waiting.isEmpty, next <= end else { return waiting }
            // One millisecond more, so that the file is old enough then.
            try await setup.time.sleep(next + 0.001)
        }
    }

    private func look(at file: FreshFiles.File) async throws -> Freshness {
        switch try await take(file.path, in: file.root, origin: .backlog) {
        case .success(let freshness): return freshness
        case .failure(let error):
            // A disk that went away is named when the pass ends; the next scan finds any other error.
            if error.isDiskAway { try await library.noteAbsence(of: file.root, error) }
            return .settled
        }
    }

    /// Records in the library what a file is now, or that it is gone, unless it may still be written.
    ///
    /// - Returns: A failure where the file cannot be examined.
    func take(
        _ path: FilePath, in root: Root, origin: Asset.Rank.Origin
    ) async throws -> Result<Freshness, SystemError> {
        let observation: Observation?
        switch await root.look(at: path) {
        case .success(let seen): observation = seen
        case .failure(let error): return .failure(error)
        }
        let now = setup.clock()
        if let observation {
            // Its own time has to say, too, that no process writes it any more.
            let freshness = Freshness(
                modifiedAt: observation.modifiedAt, settle: setup.settings.scan.settle, now: now)
            guard freshness == .settled else { return .success(freshness) }
        }
        try await merge(observation, at: path, root, origin: origin, now: now)
        return .success(.settled)
    }

    /// Records in the library what was seen at `path`; `nil` means that nothing is there.
    func merge(
        _ observation: Observation?, at path: FilePath, _ root: Root, origin: Asset.Rank.Origin, now: Date
    ) async throws {
        let changes = try await library.merge(observation, at: path, root: root.known.id, origin: origin, now: now)
        if changes.seen > 0 || changes.missing > 0 { wake.notify() }
    }
}

extension Ending {
    /// This ending; instead of `done`, a temporary one where files were still being written.
    func unless(unfinished files: [FreshFiles.File]) -> Ending {
        guard self == .done, let first = files.first else { return self }
        let name = DisplayText.safe("\(first.root.name)/\(first.path.display)")
        let what = files.count == 1 ? "\(name) is" : "\(files.count) files (such as \(name)) are"
        return .temporary("\(what) still being written: the next sync takes what is whole by then")
    }
}
