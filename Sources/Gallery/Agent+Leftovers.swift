import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Supabase
import Sync
import Text

extension Agent {
    /// Finds out what became of what was under way when it was last heard of.
    ///
    /// A storage that does not answer is asked another time: until then no receipt counts that a move may have moved.
    func settleAttempts() async throws {
        do {
            try await uploader.sender.settleAttempts { await isUnderWay($0.text) }
        } catch let error as StorageError {
            setup.log.debug("Not settled: \(error)")
        }
        try await countLeftovers()
    }

    /// Counts in the budget what lies there without a receipt.
    func countLeftovers() async throws {
        guard budget.isLimited else { return }
        let bytes = try await library.leftoverBytes(destination: setup.destination.name)
        if budget.count(leftovers: bytes) { try await uploader.unblockWhatFits() }
    }

    /// Forgets attempts of which a whole listing showed nothing, once no request can bring it any more.
    func forgetUnseen(_ inspection: Inspection) async throws {
        let lost = Set(inspection.lost.map(\.receipt.key.text))
        let oldest = setup.clock() - Sender.echo
        var last = ""
        while true {
            let attempts = try await library.attempts(destination: setup.destination.name, after: last, count: 500)
            guard let end = attempts.last else { return try await library.commit() }
            for attempt in attempts where attempt.isForgettable(before: oldest) {
                let key = attempt.key.text
                guard !inspection.unreceipted.contains(key), !lost.contains(key), await !isUnderWay(key) else {
                    continue
                }
                try await library.forget(attempt)
            }
            last = end.key.text
        }
    }

    /// Pictures under names that files had, whether or not the files have turned up under others.
    func strayPictures() async throws -> Set<ObjectKey> {
        Set(try await library.strayPictures(isHere: false, destination: setup.destination.name).map(\.receipt.key))
    }

    /// Deletes what was left behind when files and their pictures went to other keys, while it is still ours.
    ///
    /// - Parameter strays: Pictures that were stray before the last look at all files: those of files that have not been
    ///   seen since go, too. A look that a rename ran into misses files, and their pictures move with them later.
    func tidyFormerNames(strays: Set<ObjectKey>) async throws {
        var result = PruneResult()
        do {
            // Pictures follow their originals.
            for isOriginal in [true, false] {
                let doomed = try await formerObjects(isOriginal: isOriginal, strays: strays)
                for start in stride(from: 0, to: doomed.count, by: Self.pruneBatch) {
                    try await prune(
                        Array(doomed[start..<min(start + Self.pruneBatch, doomed.count)]), deleting: true, &result)
                }
            }
        } catch let error as StorageError {
            // They stay, and "prune" lists them.
            setup.log.debug("Objects of former names stay: \(error)")
        }
        try await library.commit()
    }

    /// What no open item needs; originals only where another object that stays holds the same bytes.
    private func formerObjects(isOriginal: Bool, strays: Set<ObjectKey>) async throws -> [Duplicate] {
        let destination = setup.destination.name
        let open = Set(await queue.all().filter(\.isOpen).map(\.sha256))
        let objects = try await library.outdatedObjects(isOriginal: isOriginal, destination: destination)
        var doomed: [Duplicate] = []
        var keys: Set<ObjectKey> = []
        for object in objects where !open.contains(object.mark.sha256) {
            let receipt = object.duplicate.receipt
            if object.isStored {
                // Back under its former name, or about to be missed there: the disk knows.
                let presence = Presence(roots: roots, library: library)
                let isGone = try await presence.isGone(object.duplicate.path, root: object.duplicate.root)
                if !isGone { try await library.unmark(object.mark) }
                continue
            }
            if isOriginal, try await !isProven(object.mark, size: receipt.size, besides: keys) { continue }
            keys.insert(receipt.key)
            doomed.append(object.duplicate)
        }
        guard !isOriginal else { return doomed }
        let followed = try await library.strayPictures(isHere: true, destination: destination)
        let lasting = try await library.strayPictures(isHere: false, destination: destination)
        for duplicate in followed + lasting.filter({ strays.contains($0.receipt.key) }) {
            let receipt = duplicate.receipt
            guard !open.contains(receipt.sha256), keys.insert(receipt.key).inserted else { continue }
            doomed.append(duplicate)
        }
        return doomed
    }

    /// What a watch does once an hour: settles what was lost sight of, and makes pictures that are owed.
    func tidy() async throws {
        let strays = try await strayPictures()
        try await settleAttempts()
        _ = try await settleLeftovers()
        try await pictureLeftovers()
        try await tidyFormerNames(strays: strays)
    }

    /// Leftovers, which have no receipts: listed, or deleted while they are still what we sent.
    func pruneLeftovers(deleting: Bool, _ result: inout PruneResult) async throws {
        var last = ""
        while true {
            let page = try await library.attempts(
                destination: setup.destination.name, after: last, count: Self.pruneBatch)
            guard let end = page.last else { break }
            let keys = Dictionary(grouping: page, by: \.key.text).sorted { $0.key < $1.key }
            for (_, attempts) in keys {
                guard let leftover = try await leftover(among: attempts) else { continue }
                try await prune(leftover, deleting: deleting, &result)
            }
            last = end.key.text
        }
        try await library.commit()
        try await uploader.unblockWhatFits()
    }

    /// What lies under a key without a receipt, if it is ours and nobody is about to fill the key.
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

    private func prune(_ leftover: Attempt, deleting: Bool, _ result: inout PruneResult) async throws {
        let location = try await location(of: leftover)
        let name = location.map { "\($0.root)/\($0.path.display)" } ?? leftover.key.text
        let key = leftover.key.text
        if let location {
            let presence = Presence(roots: roots, library: library)
            guard try await presence.isGone(location.path, root: location.root) else {
                return result.kept.append(
                    PruneResult.Kept(path: name, key: key, reason: "its file may be there: the next sync settles it"))
            }
        }
        if deleting {
            guard try await storage.deleteAll(bucket: setup.destination.bucket, keys: [key]).contains(key) else {
                return result.kept.append(
                    PruneResult.Kept(path: name, key: key, reason: "the server did not delete it: is that permitted?"))
            }
            try await library.forget(leftover)
            try await audit.notePruned(key, path: name, size: leftover.size, leftover.sha256, at: setup.clock())
        }
        result.objects.append(
            PruneResult.Object(
                path: name, key: key, role: leftover.role.rawValue, size: leftover.size, isLeftover: true))
    }

    func location(of leftover: Attempt) async throws -> (root: String, path: FilePath)? {
        if let place = leftover.place { return try await library.location(of: place) }
        guard let location = leftover.key.location(prefix: setup.keyPrefix) else { return nil }
        return (String(decoding: location.root, as: UTF8.self), location.path)
    }
}

extension Attempt {
    /// Whether a listing that shows nothing of it, and began after `date`, ends it.
    fileprivate func isForgettable(before date: Date) -> Bool {
        source == nil && state != .outdated && notedAt < date
    }
}
