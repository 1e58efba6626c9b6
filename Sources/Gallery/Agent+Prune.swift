import Audit
import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
package import Records
import Roots
import Supabase
import Uploading

extension Agent {
    /// Lists our objects whose files are gone, leftovers included, and deletes them with `deleting`.
    ///
    /// With `files` only the objects of these; with `root` all objects of that root, which is forgotten with the last.
    /// Only objects that are still ours are deleted. Idempotent: what a crash left half done is found and completed.
    package func prune(
        deleting: Bool, of files: [RootedPath]? = nil, root: String? = nil
    ) async throws -> (result: PruneResult, ending: Ending) {
        var result = PruneResult()
        result.isDeleted = deleting
        do {
            try await refuseOtherDestination()
            try await settleAttempts()
            if let root {
                try await prune(root: root, deleting: deleting, &result)
            } else if let files {
                try await prune(files, deleting: deleting, &result)
            } else {
                try await pruneAll(deleting: deleting, &result)
            }
        } catch let error as StorageError {
            return (result, Ending(looking: error, at: setup.clock()))
        } catch let refusal as Refusal {
            return (result, refusal.ending)
        }
        return (result, deleting && !result.kept.isEmpty ? .someFailed(result.kept.count) : .done)
    }

    private func prune(_ files: [RootedPath], deleting: Bool, _ result: inout PruneResult) async throws {
        for start in stride(from: 0, to: files.count, by: Self.pruneBatch) {
            let part = Array(files[start..<min(start + Self.pruneBatch, files.count)])
            let page = try await library.remoteOnly(destination: setup.destination.name, of: part)
            try await prune(page, deleting: deleting, &result)
        }
    }

    private func pruneAll(deleting: Bool, _ result: inout PruneResult) async throws {
        var last = ""
        // What is stored of a root that was given up is no leaving of a deletion: an order has to name the root.
        let dropped = Set(roots.dropped.map(\.name))
        while true {
            let page = try await library.remoteOnly(
                destination: setup.destination.name, after: last, count: Self.pruneBatch)
            guard let end = page.last else { break }
            try await prune(page.filter { !dropped.contains($0.root) }, deleting: deleting, &result)
            last = end.receipt.key.text
        }
        try await pruneLeftovers(deleting: deleting, &result)
    }

    /// Objects that one request deletes.
    static let pruneBatch = 100

    /// - Parameter isNamed: Whether it does not matter that their files may be there, since an order names their root or
    ///   the files have newer content that is stored.
    func prune(
        _ page: [Duplicate], isNamed: Bool = false, deleting: Bool, _ result: inout PruneResult
    ) async throws {
        var doomed: [Duplicate] = []
        for duplicate in page {
            switch try await fate(of: duplicate, isNamed: isNamed, deleting: deleting) {
            case .goes: doomed.append(duplicate)
            case .stays(let reason): result.keep(duplicate, reason)
            case .isGone: try await library.forgetPruned([duplicate.receipt])
            case .isOfAnother(let computer):
                result.keep(duplicate, "another computer stored it, named \(computer): it decides what becomes of it")
                try await library.forgetPruned([duplicate.receipt])
            }
        }
        guard deleting else { return result.objects += doomed.map(PruneResult.Object.init) }
        guard !doomed.isEmpty else { return }
        let deleted = try await uploader.sender.delete(doomed.map(\.receipt.key)) { deleted in
            try await library.forgetPruned(doomed.map(\.receipt).filter { deleted.contains($0.key) })
        }
        let gone = doomed.filter { deleted.contains($0.receipt.key) }
        if budget.shrink(by: gone.reduce(0) { $0 + $1.receipt.size }) { try await uploader.unblockWhatFits() }
        try await audit.notePruned(gone, at: setup.clock())
        result.objects += gone.map(PruneResult.Object.init)
        for duplicate in doomed where !deleted.contains(duplicate.receipt.key) {
            result.keep(duplicate, "the server did not delete it: is that permitted?")
        }
    }

    private enum Fate {
        case goes
        case stays(String)
        /// The server does not have it any more.
        case isGone
        /// It stays there for that computer; here nothing needs it.
        case isOfAnother(String)
    }

    /// Why an object that no order names stays, as the disk and the library tell; `nil` where nothing speaks for it.
    private func reasonToStay(_ duplicate: Duplicate) async throws -> String? {
        if try await library.isOfFormerFile(duplicate.receipt) { return nil }
        guard try await Presence(roots: roots, library: library).isGone(duplicate.path, root: duplicate.root) else {
            return "its file may be there: the root is away, a rule leaves it out, or the next sync will see it"
        }
        // It may have another name only, and is moved there once that may be stored.
        return try await library.stateOfHeir(to: duplicate).map { "\($0.heir) has the same content: \($0.way)" }
    }

    /// Asks the disk, the queue and the server before a deletion; for a listing only the disk.
    private func fate(of duplicate: Duplicate, isNamed: Bool, deleting: Bool) async throws -> Fate {
        if !isNamed, let reason = try await reasonToStay(duplicate) { return .stays(reason) }
        guard deleting else { return .goes }
        let place = duplicate.receipt.key.place(in: setup.destination.bucket)
        if await queue.item(at: place)?.isOpen == true { return .stays("something is being stored under its key") }
        guard let info = try await info(duplicate.receipt.key) else { return .isGone }
        if let other = uploader.sender.otherComputer(of: info) { return .isOfAnother(other) }
        return duplicate.receipt.describes(info) ? .goes : .stays("it is not the object that was stored by us any more")
    }
}

extension Asset.State {
    /// A file in this state, which is not stored.
    fileprivate var heir: String { self == .held ? "a file that the brake holds" : "a file that is not stored yet" }

    /// What stores it.
    fileprivate var way: String {
        switch self {
        case .held: "\"gallery-sync reupload --changed\" stores it"
        case .failed, .unreadable: "\"gallery-sync reupload\" stores it"
        case .indexed: "\"gallery-sync reupload\" with its path stores it"
        default: "the next sync stores it"
        }
    }
}

extension PruneResult {
    fileprivate mutating func keep(_ duplicate: Duplicate, _ reason: String) {
        kept.append(Kept(path: duplicate.name, key: duplicate.receipt.key.text, reason: reason))
    }
}

extension PruneResult.Object {
    init(_ duplicate: Duplicate) {
        self.init(
            path: duplicate.name, key: duplicate.receipt.key.text, role: duplicate.receipt.role.rawValue,
            size: duplicate.receipt.size,
            verifiedAt: duplicate.receipt.verifiedAt)
    }
}
