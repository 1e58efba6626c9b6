import Catalog
import Configuration
import Platform
package import Queue
import Records
import Supabase
import Text
import Uploading

/// Objects that stayed behind when their files got other keys.
package struct FormerObjects: Sendable {
    let context: ReconcilingContext
    let leftovers: LeftoverObjects

    /// Looks at what the context of `leftovers` has stored.
    package init(_ leftovers: LeftoverObjects) { (context, self.leftovers) = (leftovers.context, leftovers) }

    /// Thumbnails under former names of files, whether or not the files were found under new ones.
    package func strayPictures() async throws -> Set<ObjectKey> {
        Set(try await context.library.strayPictures(destination: context.destination.name).map(\.duplicate.receipt.key))
    }

    /// Deletes objects that stayed behind when files got other keys, as long as they are still ours.
    ///
    /// - Parameter strays: Thumbnails that were stray before the last full scan: they are deleted even if that scan did
    ///   not see their files. A scan during a rename misses files, whose thumbnails move with them later.
    /// - Returns: Whether something is to be stored again now, because its object was not there.
    package func tidy(strays: Set<ObjectKey>) async throws -> Bool {
        var result = PruneResult()
        var isAskingAgain = false
        do {
            // Originals first, then their thumbnails.
            for isOriginal in [true, false] {
                let former = try await objects(isOriginal: isOriginal, strays: strays)
                if former.isAskingAgain { isAskingAgain = true }
                try await prune(all: former.replaced, isNamed: true, &result)
                try await prune(all: former.gone, isNamed: false, &result)
            }
        } catch let error as StorageError {
            // The objects stay, and "prune" lists them.
            context.log.debug("Objects of former names stay: \(error)")
        }
        try await context.library.commit()
        if isAskingAgain { context.wake.notify() }
        return isAskingAgain
    }

    private func prune(all doomed: [Duplicate], isNamed: Bool, _ result: inout PruneResult) async throws {
        let pruning = Pruning(leftovers, deleting: true, sparesLastCopies: true)
        for start in stride(from: 0, to: doomed.count, by: Pruning.batch) {
            let page = Array(doomed[start..<min(start + Pruning.batch, doomed.count)])
            try await pruning.prune(page, isNamed: isNamed, &result)
        }
    }

    /// Objects that are needed no more.
    private struct Doomed {
        /// Objects of files that have other names now.
        var gone: [Duplicate] = []
        /// Objects beside foreign ones, whose files have changed since and are stored with their present content.
        var replaced: [Duplicate] = []
        /// Whether an object that would have proven one of them was not there, so that its file is to be stored again.
        var isAskingAgain = false
    }

    /// Objects that no open item needs; originals only if their bytes, or the file's newer ones, are stored elsewhere.
    private func objects(isOriginal: Bool, strays: Set<ObjectKey>) async throws -> Doomed {
        let destination = context.destination.name
        let open = Set(await context.queue.unfinished().filter(\.isOpen).map(\.sha256))
        let objects = try await context.library.outdatedObjects(isOriginal: isOriginal, destination: destination)
        var former = Doomed()
        var keys: Set<ObjectKey> = []
        for object in objects where !open.contains(object.duplicate.receipt.sha256) {
            let receipt = object.duplicate.receipt
            // Under its usual key a file's object is replaced; beside a foreign object each content has its own key.
            if let successor = object.successor, context.settings.upload.onChange == .replace {
                guard let info = try await context.info(successor.key), successor.describes(info) else { continue }
                former.replaced.append(object.duplicate)
                continue
            }
            if object.isStored {
                // The file is back under its former name, or a scan has yet to miss it: the disk tells which.
                let isGone = try await context.presence.isGone(object.duplicate.path, root: object.duplicate.root)
                if !isGone { try await context.library.unmark(receipt) }
                continue
            }
            if isOriginal {
                let duplicates = try await context.library.duplicates(of: object.duplicate)
                let look = try await leftovers.look(at: duplicates, besides: keys)
                if look.isAskingAgain { former.isAskingAgain = true }
                guard look.isProven else { continue }
            }
            keys.insert(receipt.key)
            former.gone.append(object.duplicate)
        }
        guard !isOriginal else { return former }
        for stray in try await context.library.strayPictures(destination: destination) {
            let receipt = stray.duplicate.receipt
            guard stray.isHere || strays.contains(receipt.key), !open.contains(receipt.sha256),
                keys.insert(receipt.key).inserted
            else { continue }
            former.gone.append(stray.duplicate)
        }
        return former
    }
}
