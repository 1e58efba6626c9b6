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

/// Lists our objects whose files are gone, leftovers included, and deletes those that are still ours.
package struct Pruning: Sendable {
    let context: ReconcilingContext
    let leftovers: LeftoverObjects
    /// Whether what is found is deleted.
    let deleting: Bool
    /// Whether objects stay that are the last copies of something.
    private let sparesLastCopies: Bool

    /// Lists what the context of `leftovers` has stored, or deletes it with `deleting`.
    ///
    /// - Parameter sparesLastCopies: Whether objects stay that are the last copies of something: without an order.
    package init(_ leftovers: LeftoverObjects, deleting: Bool, sparesLastCopies: Bool = false) {
        (context, self.leftovers, self.deleting) = (leftovers.context, leftovers, deleting)
        self.sparesLastCopies = sparesLastCopies
    }

    /// The objects of those files.
    package func run(_ files: [RootedPath], _ result: inout PruneResult) async throws {
        for start in stride(from: 0, to: files.count, by: Self.batch) {
            let part = Array(files[start..<min(start + Self.batch, files.count)])
            let page = try await context.library.remoteOnly(destination: context.destination.name, of: part)
            try await prune(page, &result)
        }
    }

    /// All objects without files.
    package func run(_ result: inout PruneResult) async throws {
        var last = ""
        // Objects of a root that was given up are not here because of deletions, so an order has to name the root.
        let dropped = Set(context.roots.dropped.map(\.name))
        while true {
            let page = try await context.library.remoteOnly(
                destination: context.destination.name, after: last, count: Self.batch)
            guard let end = page.last else { break }
            try await prune(page.filter { !dropped.contains($0.root) }, &result)
            last = end.receipt.key.text
        }
        try await pruneLeftovers(&result)
    }

    /// Objects that one request deletes.
    static let batch = 100

    /// - Parameter isNamed: Whether they go even if their files may be there, because an order names their root or
    ///   newer content of the files is stored.
    func prune(
        _ page: [Duplicate], isNamed: Bool = false, _ result: inout PruneResult
    ) async throws {
        var doomed: [Duplicate] = []
        for (duplicate, fate) in zip(page, try await fates(of: page, isNamed: isNamed)) {
            switch fate {
            case .goes: doomed.append(duplicate)
            case .stays(let reason, let rule): result.keep(duplicate, reason, rule)
            case .isGone: if deleting { try await context.library.forgetPruned([duplicate.receipt]) }
            case .isOfAnother(let computer):
                result.keep(duplicate, "another computer stored it, named \(computer): it decides what becomes of it")
                if deleting { try await context.library.forgetPruned([duplicate.receipt]) }
            }
        }
        guard deleting else { return result.objects += doomed.map(PruneResult.Object.init) }
        guard !doomed.isEmpty else { return }
        let deleted = try await context.uploader.sender.delete(
            doomed.map(\.receipt.key), sparesLastCopies: sparesLastCopies
        ) { deleted in
            try await context.library.forgetPruned(doomed.map(\.receipt).filter { deleted.contains($0.key) })
        }
        let gone = doomed.filter { deleted.contains($0.receipt.key) }
        try await context.uploader.countRoom()
        try await context.audit.notePruned(gone, at: context.clock())
        result.objects += gone.map(PruneResult.Object.init)
        for duplicate in doomed where !deleted.contains(duplicate.receipt.key) {
            result.keep(duplicate, "the server did not delete it: is that permitted?")
        }
    }

    private enum Fate {
        case goes
        /// - Parameter rule: The rule that leaves its file out, if that is why.
        case stays(String, rule: String? = nil)
        /// The server no longer has it.
        case isGone
        /// It belongs to that computer and stays; nothing here needs it.
        case isOfAnother(String)
    }

    /// Why an object that no order names stays, by what disk and library know; `nil` if there is no reason.
    private func reasonToStay(_ duplicate: Duplicate) async throws -> Fate? {
        if try await context.library.isOfFormerFile(duplicate.receipt) { return nil }
        guard try await context.presence.isGone(duplicate.path, root: duplicate.root) else {
            guard let rule = context.roots[duplicate.root]?.rules.reason(for: duplicate.path) else {
                return .stays("its file may be there: the root is away, or the next sync will see it")
            }
            return .stays("its file may be there, left out now: \(rule)", rule: rule)
        }
        // The file may only have another name, so the object is moved there once that name may be stored.
        return try await context.library.stateOfHeir(to: duplicate).map {
            .stays("\($0.heir) has the same content: \($0.way)")
        }
    }

    /// The fates of the objects of a page, in its order; as many are asked about at once as files are sent at once.
    private func fates(of page: [Duplicate], isNamed: Bool) async throws -> [Fate] {
        var fates: [Fate] = []
        try await page.forEach(atOnce: context.settings.upload.concurrency) {
            try await fate(of: $0, isNamed: isNamed)
        } then: {
            fates.append($0)
        }
        return fates
    }

    /// What is to become of an object: before a deletion the disk, the queue and the server are asked; for a listing
    /// only the disk, and the server if another computer stores into the bucket.
    private func fate(of duplicate: Duplicate, isNamed: Bool) async throws -> Fate {
        if !isNamed, let staying = try await reasonToStay(duplicate) { return staying }
        if !deleting {
            guard try await context.library.isShared() else { return .goes }
        }
        if await context.isUnderWay(duplicate.receipt.key) { return .stays("something is being stored under its key") }
        guard let info = try await context.info(duplicate.receipt.key) else { return .isGone }
        if let other = context.uploader.sender.otherComputer(of: info) { return .isOfAnother(other) }
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
        // Includes files that wait for room or for the network.
        default: "it is stored first; \"gallery-sync status\" tells what that waits for"
        }
    }
}

extension PruneResult {
    fileprivate mutating func keep(_ duplicate: Duplicate, _ reason: String, _ rule: String? = nil) {
        kept.append(Kept(path: duplicate.name, key: duplicate.receipt.key.text, reason: reason, rule: rule))
    }
}

extension PruneResult.Object {
    init(_ duplicate: Duplicate) {
        let usual = ObjectKey(prefix: "", root: duplicate.root, path: duplicate.path)
        self.init(
            path: duplicate.name, key: duplicate.receipt.key.text, role: duplicate.receipt.role.rawValue,
            size: duplicate.receipt.size, verifiedAt: duplicate.receipt.verifiedAt,
            isSetAside: duplicate.receipt.key.isBeside(duplicate.receipt.sha256)
                && !duplicate.receipt.key.text.hasSuffix(usual.text))
    }
}
