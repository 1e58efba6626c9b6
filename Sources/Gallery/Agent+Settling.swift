import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Sync
import Synchronization
import Text

/// Files that a scan found too fresh to be whole, by root.
final class FreshFiles: Sendable {
    struct File: Sendable {
        let root: Root
        let path: FilePath
    }

    private let files = Mutex<[File]>([])

    var all: [File] { files.withLock { $0 } }

    func add(_ path: FilePath, in root: Root) { files.withLock { $0.append(File(root: root, path: path)) } }
}

/// What a look at a file showed that may still be written.
enum Freshness: Hashable, Sendable {
    /// Nobody wrote to it for `settle`: it is in the library as it is now.
    case settled
    /// It was changed less than `settle` ago: look again then.
    case fresh(until: Date)

    /// Decides by the file's own time; one in the future was set by somebody who was done writing.
    init(modifiedAt: FileTime, settle: Duration, now: Date) {
        let age = FileTime(now).nanoseconds - modifiedAt.nanoseconds
        guard (0..<settle.nanoseconds).contains(age) else {
            self = .settled
            return
        }
        self = .fresh(until: FileTime(nanoseconds: modifiedAt.nanoseconds + settle.nanoseconds).date)
    }
}

extension Agent {
    /// Waits for files that were written to lately, and takes each once it was left alone for `scan.settle`.
    ///
    /// Returns those that are not left alone within `sync.patience`.
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
            // A little more, so that the file is older than that then.
            try await setup.time.sleep(next + 0.001)
        }
    }

    private func look(at file: FreshFiles.File) async throws -> Freshness {
        switch try await take(file.path, in: file.root, origin: .backlog) {
        case .success(let freshness): return freshness
        case .failure(let error):
            // A disk that went away ends the pass in words; anything else the next scan meets.
            if error.isDiskAway { try await library.noteAbsence(of: file.root, error) }
            return .settled
        }
    }

    /// Writes down in the library what a file is now, or that it is gone, unless somebody may still be writing it.
    ///
    /// - Returns: A failure where the file cannot be looked at.
    func take(
        _ path: FilePath, in root: Root, origin: Asset.Rank.Origin
    ) async throws -> Result<Freshness, SystemError> {
        let facts: FileFacts?
        do {
            facts = try await Blocking.run { () throws(SystemError) in try root.existingFacts(of: path) }
        } catch {
            return .failure(error)
        }
        let now = setup.clock()
        var observation: Observation?
        if let facts, facts.kind == .file {
            // Its own time has to say, too, that nobody writes it.
            let freshness = Freshness(modifiedAt: facts.modifiedAt, settle: setup.settings.scan.settle, now: now)
            guard freshness == .settled else { return .success(freshness) }
            observation = Observation(name: path.name, size: facts.size, modifiedAt: facts.modifiedAt)
        }
        try await merge(observation, at: path, root, origin: origin, now: now)
        return .success(.settled)
    }

    /// Writes down in the library what was seen at `path`; `nil` is that nothing is there.
    func merge(
        _ observation: Observation?, at path: FilePath, _ root: Root, origin: Asset.Rank.Origin, now: Date
    ) async throws {
        let changes = try await library.merge(observation, at: path, root: root.known.id, origin: origin, now: now)
        if changes.seen > 0 || changes.missing > 0 { wake.notify() }
    }
}

extension Ending {
    /// This ending, unless files were still being written: that comes before all is done.
    func unless(unfinished files: [FreshFiles.File]) -> Ending {
        guard self == .done, let first = files.first else { return self }
        let name = DisplayText.safe("\(first.root.name)/\(first.path.display)")
        let what = files.count == 1 ? "\(name) is" : "\(files.count) files (such as \(name)) are"
        return .temporary("\(what) still being written: the next sync takes what is whole by then")
    }
}
