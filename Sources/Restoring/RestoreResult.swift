package import Platform
import Queue
package import Records
import Text

/// How a run of `restore` ended.
package struct RestoreResult: Hashable, Sendable {
    /// Whether the run only found out what it would fetch.
    package var isDryRun = false
    /// Files that were fetched, or would be in a dry run.
    package var restored = 0
    /// Bytes of those files.
    package var restoredBytes: Int64 = 0
    /// Files with the same content that were there before; only their time was set where it differed.
    package var alreadyThere = 0
    /// Bytes of bodies that were downloaded, repeated ones included.
    package var received: Int64 = 0
    /// Files among `restored` whose bytes no SHA-256 of ours proves.
    package var unproven = 0
    /// Files among `restored` whose time cannot be kept here, and that got the nearest possible one.
    package var untimed = 0
    /// What a dry run would fetch; empty in a real run.
    package var planned: [RestoredFile] = []
    /// Files whose names something else has, by key: they were, or would be, restored under other names.
    package var renamed: [RestoredFile] = []
    /// Files that were not written, by key, each with its reason.
    package var refused: [RestoredFile] = []
    /// Files that could not be fetched, by key, each with its failure; a retryable one may succeed in another run.
    package var failed: [RestoredFile] = []
    /// Selected paths below which nothing is stored.
    package var unmatched: [FilePath] = []
    /// Why the run ended before all objects were looked at; `nil` when it did not.
    package var stopped: Ending?

    /// The result of a run that has not looked at any object yet.
    package init() {}
}

extension RestoreResult {
    /// How the run ended: what stopped it, else lasting failures, else files that are worth another run.
    package var ending: Ending {
        if let stopped { return stopped }
        let lasting = failed.filter { !$0.isTemporary }.count + refused.count + unmatched.count
        if lasting > 0 { return .someFailed(lasting + failed.count(where: \.isTemporary)) }
        guard let first = failed.first, case .failed(let failure) = first.outcome else { return .done }
        return .temporary("\(Quantity.text(failed.count, "file")) did not come: \(failure.message)")
    }

    /// Adds what became of one file.
    mutating func add(_ file: RestoredFile) {
        switch file.outcome {
        case .restored, .planned:
            restored += 1
            // A dry run adds up sizes that a server states, which may be any numbers.
            restoredBytes = restoredBytes.adding(size: file.size)
            if !file.isProven { unproven += 1 }
            if file.modifiedAt?.isBound == true { untimed += 1 }
            if file.wanted != nil { renamed.append(file) }
            if file.outcome == .planned { planned.append(file) }
        case .alreadyThere: alreadyThere += 1
        case .refused: refused.append(file)
        case .failed: failed.append(file)
        }
    }

    /// The same with every list in the order of the keys, because many objects are handled at once.
    var sorted: RestoreResult {
        var result = self
        let inOrder: (RestoredFile, RestoredFile) -> Bool = { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        result.planned.sort(by: inOrder)
        result.renamed.sort(by: inOrder)
        result.refused.sort(by: inOrder)
        result.failed.sort(by: inOrder)
        return result
    }
}

extension RestoredFile {
    /// Whether it failed in a way that another run may not.
    var isTemporary: Bool {
        if case .failed(let failure) = outcome { failure.retryable } else { false }
    }
}
