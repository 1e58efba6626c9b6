import Configuration
import Glibc
import Platform
import Supabase
import Sync
import Text
import Transfer
import Uploading

/// Restores one object; can run repeatedly, and each run asks again what the object is.
struct RestoreAttempt {
    let object: ListedObject
    let setup: Restorer.Setup
    /// `nil` in a dry run into a directory that does not exist.
    let folder: (any RestoreFolder)?
    let tally: RestoreTally
    let leftovers: RestoreLeftovers
    /// The part that an earlier attempt of this run has opened, so that its bytes can be trusted.
    private var ownPart: FilePath?
    /// How often all bytes came in one answer and were wrong.
    private var disappointments = 0

    init(
        _ object: ListedObject, _ setup: Restorer.Setup, folder: (any RestoreFolder)?, tally: RestoreTally,
        leftovers: RestoreLeftovers
    ) {
        self.object = object
        self.setup = setup
        self.folder = folder
        self.tally = tally
        self.leftovers = leftovers
    }

    /// Thrown while another object is being restored to the same file; this one is tried after it.
    struct Later: Error {}

    /// What became of the object; `nil` if it is not selected.
    ///
    /// Throws `Later`, and the errors that `RestoreVerdict` judges.
    mutating func run() async throws -> RestoredFile? {
        let target = if let plan = try await plan() { plan } else { try await asked() }
        // A file that was stored beside another object may also be selected by its original name.
        let matches = [target.place, target.wanted].compactMap(\.self).flatMap(setup.selection.matches)
        guard !target.isThumbnail, setup.selection.paths.isEmpty || !matches.isEmpty else { return nil }
        tally.matched(matches)
        guard setup.selection.admits(target.modifiedAt) else { return nil }
        do {
            return try await claimed(target)
        } catch let conflict as RestoreConflict {
            let second = target.aside(conflict)
            do {
                return try await claimed(second)
            } catch let conflict as RestoreConflict {
                return second.file(.refused(conflict.refusal.reason))
            }
        }
    }

    /// What becomes of an object at one place, which no other task uses meanwhile.
    private mutating func claimed(_ target: RestoreTarget) async throws -> RestoredFile {
        guard tally.claim(target.place) else { throw Later() }
        defer { tally.release(target.place) }
        tally.name(target)
        return try await file(target)
    }

    /// The object as the server describes it now.
    private func asked() async throws -> RestoreTarget {
        do {
            let info = try await setup.storage.info(bucket: setup.destination.bucket, key: object.key)
            return try RestoreTarget(info, key: object.key, prefix: setup.keyPrefix, listed: object.size)
        } catch let error as StorageError {
            if error.isMissing { try await removePart() }
            throw error
        }
    }

    /// Removes the part of an object that is damaged, or was moved or deleted since it was listed, because no later run
    /// would come back to it.
    private func removePart() async throws {
        guard let ownPart, let folder else { return }
        try await Blocking.run { () throws(SystemError) in try folder.remove(ownPart) }
    }

    /// In a dry run, the object as the listing shows it, if no decision needs its metadata; else `nil`.
    ///
    /// Only metadata has a file's own time, the place behind a shortened key, and what tells whether a file that is
    /// there is the same.
    private func plan() async throws -> RestoreTarget? {
        guard setup.isDryRun, setup.selection.since == nil,
            let target = RestoreTarget(listed: object, prefix: setup.keyPrefix)
        else { return nil }
        guard let folder else { return target }
        let facts = try await Blocking.run { () throws(SystemError) in try folder.facts(of: target.place) }
        switch facts?.kind {
        case nil, .symlink, .other: return target
        case .file: return facts?.size == target.size ? nil : target
        case .directory: return nil
        }
    }

    /// What becomes of an object at one place; throws `RestoreConflict` if something else has that place.
    private mutating func file(_ target: RestoreTarget) async throws -> RestoredFile {
        if let reason = RestorePlace.excess(target.place, below: setup.directory) {
            return target.file(.refused(reason))
        }
        do {
            return target.file(try await outcome(of: target))
        } catch let refusal as RestoreRefusal {
            return target.file(.refused(refusal.reason))
        }
    }

    private mutating func outcome(of target: RestoreTarget) async throws -> RestoredFile.Outcome {
        if let folder, try await isThere(target, in: folder) { return .alreadyThere }
        guard !setup.isDryRun, let folder else { return .planned }
        defer { tally.requestEnded(target.key) }
        let limit: Int64
        do {
            limit = try await prepare(target, in: folder)
        } catch let error as SystemError {
            if error.refusesName, target.place.plain != nil { throw RestoreConflict.name }
            // A file may have taken a directory's name since the look, so another attempt restores this one elsewhere.
            guard [EEXIST, ENOTDIR].contains(error.code),
                let above = try await Blocking.run({ () throws(SystemError) in try folder.file(above: target.place) })
            else { throw error }
            throw RestoreConflict.file(above)
        }
        let part = try await openPart(of: target, in: folder)
        if !target.isWhole(part.start) { try await download(target, into: part, limit: limit, in: folder) }
        try await check(target, part, in: folder)
        return try await place(target, part, in: folder)
    }
}

// MARK: - What is there already

extension RestoreAttempt {
    /// Whether the file is there with the same content, with its time set; a different one is a refusal.
    private func isThere(_ target: RestoreTarget, in folder: any RestoreFolder) async throws -> Bool {
        let facts = try await Blocking.run { () throws(SystemError) in try folder.facts(of: target.place) }
        var step = target.step(beside: facts)
        if step == .taken { throw RestoreConflict.directory }
        guard let facts else {
            let above = try await Blocking.run { () throws(SystemError) in
                try folder.file(above: target.place)
            }
            if let above { throw RestoreConflict.file(above) }
            return false
        }
        if step == .compare {
            let file = try await Blocking.run { () throws(SystemError) in try folder.open(target.place) }
            step = target.step(beside: facts, digest: try await target.proof.digest(of: file))
            if step == .known, !setup.isDryRun, let time = target.time(insteadOf: facts.modifiedAt) {
                try await Blocking.run { () throws(SystemError) in try folder.setModified(time, of: file) }
            }
        }
        if case .refused(let reason) = step {
            let isListed = try await Blocking.run { () throws(SystemError) in try folder.lists(target.place) }
            throw isListed ? RestoreRefusal(reason) : RestoreConflict.spelling as any Error
        }
        return step == .known
    }
}

// MARK: - Fetching

extension RestoreAttempt {
    /// The file that gathers the bytes, and how many of them it has.
    private struct Part {
        let file: OpenFile
        let start: Int64
    }

    /// Looks for room before a part is made; returns how many bytes the part may have in the end.
    private func prepare(_ target: RestoreTarget, in folder: any RestoreFolder) async throws -> Int64 {
        let leftovers = leftovers
        let held = try await Blocking.run { () throws(SystemError) -> Int64 in
            try folder.makeDirectories(target.place.parent)
            try folder.checkName(of: target)
            for path in try leftovers.superseded(by: target, in: folder) { try folder.remove(path) }
            return try folder.facts(of: target.part)?.size ?? 0
        }
        let start = target.start(held: held, isOwn: ownPart == target.part)
        return target.isWhole(start) ? start : try await room(for: target, from: start, of: held, in: folder)
    }

    private mutating func openPart(of target: RestoreTarget, in folder: any RestoreFolder) async throws -> Part {
        let isOwn = ownPart == target.part
        let part = try await Blocking.run { () throws(SystemError) -> Part? in
            guard let file = try folder.openPart(target.part) else { return nil }
            let held = try file.facts().size
            let start = target.start(held: held, isOwn: isOwn)
            if start < held { try folder.cut(file, to: start) }
            return Part(file: file, start: start)
        }
        guard let part else { throw RestoreSetback("busy", "another run is restoring this file") }
        ownPart = target.part
        return part
    }

    /// Downloads what is missing; afterwards the part holds exactly the bytes that came.
    private mutating func download(
        _ target: RestoreTarget, into part: Part, limit: Int64, in folder: any RestoreFolder
    ) async throws {
        let (tally, key, start) = (tally, target.key, part.start)
        do {
            let answer = try await setup.storage.download(
                bucket: setup.destination.bucket, key: target.key, to: .file(part.file, at: start, limit: limit),
                range: start > 0 ? .from(start) : nil, ifRange: target.eTag
            ) { tally.progress(key, done: start + $0.received, received: $0.received) }
            try await cut(part, to: answer.offset + answer.received, in: folder)
        } catch let error as StorageError {
            if error.isMissing || error.refusal?.isOfDamage == true { try await removePart() }
            if case .noAnswer(let lost) = error, lost.kind == .tooLarge {
                try await cut(part, to: 0, in: folder)
                disappointments += 1
                throw RestoreSetback(
                    "size", "more bytes came than the \(limit) it was said to have", retryable: disappointments < 2)
            }
            guard error.refusal?.code == .invalidRange else { throw error }
            try await cut(part, to: 0, in: folder)
            throw RestoreSetback("changed", "the object is shorter than it was said to be")
        }
    }

    /// Bytes that the part may have in the end: those of the object, if the disk has room for them beside its reserve
    /// and what other objects in hand still need.
    ///
    /// - Parameter held: Bytes that the part holds now; those beyond `start` are given up.
    private func room(
        for target: RestoreTarget, from start: Int64, of held: Int64, in folder: any RestoreFolder
    ) async throws -> Int64 {
        let left = try await Blocking.run { () throws(SystemError) in try folder.availableBytes() }
        guard left > setup.reserve || target.size == 0 else {
            throw NoRoom(directory: setup.directory, reserve: setup.reserve)
        }
        // A disk may say that it has room for anything.
        let available = min(left, .max - held) + held - start
        let free = tally.room(for: target.key, done: start, available: max(0, available - setup.reserve))
        guard let size = target.size else { return start + free }
        let wanted = size - start
        guard wanted <= free else {
            throw RestoreSetback(
                "room",
                "it needs \(Quantity.text(bytes: wanted)), and the disk has room for \(Quantity.text(bytes: free)) "
                    + "beside the \(Quantity.text(bytes: setup.reserve)) that are kept free",
                retryable: false)
        }
        return size
    }

    private func cut(_ part: Part, to size: Int64, in folder: any RestoreFolder) async throws {
        try await Blocking.run { () throws(SystemError) in
            if try part.file.facts().size > size { try folder.cut(part.file, to: size) }
        }
    }

    /// Compares the gathered bytes with the object's; wrong bytes are thrown away.
    private mutating func check(_ target: RestoreTarget, _ part: Part, in folder: any RestoreFolder) async throws {
        let size = try part.file.facts().size
        let digest = try await target.proof.digest(of: part.file)
        let isWhole = part.start == 0
        switch target.finding(size: size, digest: digest, isWhole: isWhole) {
        case .right, .unproven: return
        case .short:
            throw RestoreSetback("size", "\(size) bytes came instead of \(target.size ?? 0)")
        case .wrong:
            try await cut(part, to: 0, in: folder)
            if isWhole { disappointments += 1 }
            guard disappointments > 1 else {
                throw RestoreSetback("hash", "other bytes came than its SHA-256 or its size says")
            }
            try await Blocking.run { () throws(SystemError) in try folder.remove(target.part) }
            throw RestoreSetback.damaged
        }
    }
}

// MARK: - Putting it in place

extension RestoreAttempt {
    /// Gives the checked part its time and its name, unless that was taken meanwhile.
    private func place(
        _ target: RestoreTarget, _ part: Part, in folder: any RestoreFolder
    ) async throws -> RestoredFile.Outcome {
        try Task.checkCancellation()
        let isPlaced = try await Blocking.run { () throws(SystemError) in
            if let time = target.modifiedAt { try folder.setModified(time, of: part.file) }
            try folder.synchronize(part.file)
            do throws(SystemError) {
                return try folder.placeIfFree(target.part, as: target.place)
            } catch {
                // No later run could give it that name, either.
                if error.refusesName { try folder.remove(target.part) }
                throw error
            }
        }
        tally.touched(target.place.parent)
        if isPlaced { return .restored }
        try await Blocking.run { () throws(SystemError) in try folder.remove(target.part) }
        guard try await isThere(target, in: folder) else {
            throw RestoreSetback("busy", "something else came and went under its name")
        }
        return .alreadyThere
    }
}
