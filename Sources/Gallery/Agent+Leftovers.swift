import Audit
import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Records
import Supabase
import Text
import Uploading

extension Agent {
    /// Asks the server for the outcome of requests that were under way when an earlier run ended.
    ///
    /// A storage that does not answer is asked later: until then no receipt counts that a move may have made invalid.
    func settleAttempts() async throws {
        do {
            try await uploader.sender.settleAttempts { key in
                // What waits for room is not sent before it is known what its key holds.
                let item = await queue.item(at: key.place(in: setup.destination.bucket))
                return item?.isOpen == true && item?.waitsForRoom != true
            }
        } catch let error as StorageError {
            setup.log.debug("Not settled: \(error)")
        }
        try await countLeftovers()
    }

    /// Counts what no receipt covers against the storage budget.
    func countLeftovers() async throws {
        guard budget.isLimited else { return }
        let leftovers = try await library.leftovers(destination: setup.destination.name)
        if budget.count(leftovers: leftovers) { try await uploader.unblockWhatFits() }
    }

    /// Forgets attempts that a complete listing does not show, once no request can complete them.
    func forgetUnseen(_ inspection: Inspection) async throws {
        let lost = Set(inspection.lost.map(\.receipt.key.text))
        let now = setup.clock()
        var last = ""
        while true {
            let attempts = try await library.attempts(destination: setup.destination.name, after: last, count: 500)
            guard let end = attempts.last else { return try await library.commit() }
            for attempt in attempts where attempt.isForgettable(at: now) {
                let key = attempt.key.text
                guard !inspection.unreceipted.contains(key), !lost.contains(key), await !isUnderWay(key) else {
                    continue
                }
                try await library.forget(attempt)
            }
            last = end.key.text
        }
    }

    /// Thumbnails under former names of files, whether or not the files were found under new ones.
    func strayPictures() async throws -> Set<ObjectKey> {
        Set(try await library.strayPictures(destination: setup.destination.name).map(\.duplicate.receipt.key))
    }

    /// Deletes objects that stayed behind when files got other keys, as long as they are still ours.
    ///
    /// - Parameter strays: Thumbnails that were stray before the last full scan: those of files that it did not see are
    ///   deleted, too. A scan during a rename misses files, and their thumbnails move with them later.
    func tidyFormerNames(strays: Set<ObjectKey>) async throws {
        var result = PruneResult()
        do {
            // Originals first, then their thumbnails.
            for isOriginal in [true, false] {
                let former = try await formerObjects(isOriginal: isOriginal, strays: strays)
                try await prune(all: former.replaced, isNamed: true, &result)
                try await prune(all: former.gone, isNamed: false, &result)
            }
        } catch let error as StorageError {
            // They stay, and "prune" lists them.
            setup.log.debug("Objects of former names stay: \(error)")
        }
        try await library.commit()
    }

    private func prune(all doomed: [Duplicate], isNamed: Bool, _ result: inout PruneResult) async throws {
        for start in stride(from: 0, to: doomed.count, by: Self.pruneBatch) {
            let page = Array(doomed[start..<min(start + Self.pruneBatch, doomed.count)])
            try await prune(page, isNamed: isNamed, deleting: true, &result)
        }
    }

    /// Objects that are needed no more.
    private struct FormerObjects {
        /// Those of files that have other names now.
        var gone: [Duplicate] = []
        /// Those beside foreign objects, of files that were changed since and whose present content is stored.
        var replaced: [Duplicate] = []
    }

    /// Objects that no open item needs; originals only where another object keeps the same bytes, or the file's newer ones.
    private func formerObjects(isOriginal: Bool, strays: Set<ObjectKey>) async throws -> FormerObjects {
        let destination = setup.destination.name
        let open = Set(await queue.all().filter(\.isOpen).map(\.sha256))
        let objects = try await library.outdatedObjects(isOriginal: isOriginal, destination: destination)
        let presence = Presence(roots: roots, library: library)
        var former = FormerObjects()
        var keys: Set<ObjectKey> = []
        for object in objects where !open.contains(object.mark.sha256) {
            let receipt = object.duplicate.receipt
            // Under its usual key a file has its object replaced; beside a foreign one each content has its own.
            if let successor = object.successor, setup.settings.upload.onChange == .replace {
                guard let info = try await info(successor.key), successor.describes(info) else { continue }
                former.replaced.append(object.duplicate)
                continue
            }
            if object.isStored {
                // Back under its former name, or about to be missed there: the disk knows.
                let isGone = try await presence.isGone(object.duplicate.path, root: object.duplicate.root)
                if !isGone { try await library.unmark(object.mark) }
                continue
            }
            if isOriginal, try await !isProven(object.mark, size: receipt.size, besides: keys) { continue }
            keys.insert(receipt.key)
            former.gone.append(object.duplicate)
        }
        guard !isOriginal else { return former }
        for stray in try await library.strayPictures(destination: destination) {
            let receipt = stray.duplicate.receipt
            guard stray.isHere || strays.contains(receipt.key), !open.contains(receipt.sha256),
                keys.insert(receipt.key).inserted
            else { continue }
            former.gone.append(stray.duplicate)
        }
        return former
    }

    /// The hourly upkeep of a watch: settles attempts and leftovers, and makes missing thumbnails.
    func tidy() async throws {
        let strays = try await strayPictures()
        try await settleAttempts()
        try await sendWhatWentAgain()
        _ = try await settleLeftovers()
        try await pictureLeftovers()
        try await tidyFormerNames(strays: strays)
    }

    /// Lists leftovers, which have no receipts, or deletes those that are still what we sent.
    ///
    /// With `root` only those of that root, whether their files are there or not.
    func pruneLeftovers(of root: String? = nil, deleting: Bool, _ result: inout PruneResult) async throws {
        var last = ""
        while true {
            let page = try await library.attempts(
                destination: setup.destination.name, after: last, count: Self.pruneBatch)
            guard let end = page.last else { break }
            let keys = Dictionary(grouping: page, by: \.key.text).sorted { $0.key < $1.key }
            for (_, attempts) in keys {
                guard let leftover = try await leftover(among: attempts) else { continue }
                if let root, try await location(of: leftover)?.root != root { continue }
                try await prune(leftover, isNamed: root != nil, deleting: deleting, &result)
            }
            last = end.key.text
        }
        try await library.commit()
        try await uploader.unblockWhatFits()
    }

    /// The object under a key without a receipt, if it is ours and no open item is for that key.
    private func leftover(among attempts: [Attempt]) async throws -> Attempt? {
        guard let key = attempts.first?.key, await !isUnderWay(key.text),
            try await library.receipt(destination: setup.destination.name, key: key) == nil
        else { return nil }
        let info = try await info(key)
        for attempt in attempts {
            guard try await uploader.sender.look(at: attempt, info) != nil else { continue }
            return try await library.attempts(at: key, destination: attempt.destination).first {
                $0.sha256 == attempt.sha256
            }
        }
        return nil
    }

    private func prune(
        _ leftover: Attempt, isNamed: Bool, deleting: Bool, _ result: inout PruneResult
    ) async throws {
        let name = try await name(of: leftover)
        let key = leftover.key.text
        if !isNamed, let location = try await location(of: leftover) {
            let presence = Presence(roots: roots, library: library)
            guard try await presence.isGone(location.path, root: location.root) else {
                return result.kept.append(
                    PruneResult.Kept(path: name, key: key, reason: "its file may be there: the next sync settles it"))
            }
        }
        if deleting, try await !delete(leftover) {
            return result.kept.append(
                PruneResult.Kept(path: name, key: key, reason: "the server did not delete it: is that permitted?"))
        }
        result.objects.append(
            PruneResult.Object(
                path: name, key: key, role: leftover.role.rawValue, size: leftover.size, isLeftover: true))
    }

    /// Deletes the object of `leftover`, and a receipt that says what lay under its key; `false` where the server did not.
    func delete(_ leftover: Attempt) async throws -> Bool {
        let key = leftover.key
        let deleted = try await uploader.sender.delete([key]) { deleted in
            guard !deleted.isEmpty else { return }
            try await library.settle(deleted: leftover)
            // One that was earned meanwhile is for an object that was deleted along with it.
            guard let receipt = try await library.receipt(destination: leftover.destination, key: key) else { return }
            try await library.outdatePictures(of: receipt)
            try await forget(receipt)
        }
        guard !deleted.isEmpty else { return false }
        try await audit.notePruned(
            key.text, path: name(of: leftover), size: leftover.size, leftover.sha256, at: setup.clock())
        return true
    }

    private func name(of leftover: Attempt) async throws -> String {
        try await location(of: leftover).map { "\($0.root)/\($0.path.display)" } ?? leftover.key.text
    }

    func location(of leftover: Attempt) async throws -> (root: String, path: FilePath)? {
        if let place = leftover.place { return try await library.location(of: place) }
        return leftover.key.file(prefix: setup.keyPrefix).map { ($0.root, $0.path) }
    }
}

extension Attempt {
    /// Whether a listing that does not show it proves at `now` that it came to nothing.
    fileprivate func isForgettable(at now: Date) -> Bool {
        source == nil && ![.outdated, .lastCopy].contains(state) && !mayArrive(at: now)
    }
}
