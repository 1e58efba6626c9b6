import Catalog
import Configuration
import MediaModel
import Platform
import Queue
import Records
import Supabase
import Text

extension Sender {
    /// Has the server move or copy an object of ours with the item's bytes; `nil` when they are to be sent.
    ///
    /// The object of a renamed file is moved; that of a file that is there twice is copied. The former receipt
    /// is kept until the new one exists, so after a crash in between, the object is found under its new key.
    ///
    /// If the key has a receipt for other bytes, only a moved object takes their place. A copy would have no advantage,
    /// because sending the bytes replaces the object in one request.
    ///
    /// - Parameters:
    ///   - isThere: Whether the key holds the item's bytes already.
    ///   - arrival: Told if a copy may have been made.
    func relocate(
        _ item: Item, _ source: Source, _ known: UploadContext, isThere: Bool, _ arrival: Arrival
    ) async throws -> Sending? {
        var staying: [Duplicate] = []
        var notMovable: [Former] = []
        var notMoved: [Former] = []
        var isKeyKnown = isThere || known.duplicates.isEmpty
        for duplicate in known.duplicates {
            guard try await isLeft(duplicate, for: item) else {
                staying.append(duplicate)
                continue
            }
            guard item.mayBeCopied else {
                try await library.outdate(duplicate.receipt)
                continue
            }
            switch try await take(item, source, from: duplicate, over: known.receipt, isThere: isThere) {
            case .done(let sending): return sending
            case .notMovable(let former): notMovable.append(former)
            case .refused(let former):
                isKeyKnown = true
                if let former { notMoved.append(former) }
            }
        }
        if !isThere { try await reserveRoom(for: item) }
        // The former object's file has the item's name now, under which its bytes are about to be stored. An object that was
        // set aside for the item itself stays as it is until they are, because they may be kept there.
        if let former = notMovable.first(where: { !isAside($0.duplicate, for: item) }) {
            try await library.outdate(former.duplicate.receipt)
        }
        guard known.receipt == nil, item.mayBeCopied, !isThere else { return nil }
        for former in notMovable + notMoved {
            if let copied = try await copy(item, source, from: former, arrival) { return copied }
        }
        for duplicate in staying {
            guard let info = try await info(duplicate.receipt.key) else {
                try await library.noteMissing(duplicate.receipt, at: clock())
                continue
            }
            let former = try await former(item, source, duplicate, info)
            if let former, let copied = try await copy(item, source, from: former, arrival) { return copied }
        }
        return isKeyKnown ? nil : try await arrived(item, source, from: nil)
    }

    /// Whether the object under the file's former name is likely to be moved instead of an upload, which takes no room.
    func mayBeMoved(_ item: Item) async throws -> Bool {
        guard item.mayBeCopied else { return false }
        for duplicate in try await library.duplicates(of: item, destination: destination.name) {
            guard try await isLeft(duplicate, for: item) else { continue }
            guard item.role == .original else { return true }
            let former = try await library.asset(root: duplicate.root, path: duplicate.path)
            // The former file may have been touched after it was stored, so its object's own metadata decides.
            guard former?.modifiedAt == item.modifiedAt, let info = try? await info(duplicate.receipt.key) else {
                continue
            }
            if mayMove(info, to: item) { return true }
        }
        return false
    }

    /// Whether no file needs the object of `duplicate` where it is: its file is gone, or is the item's own.
    private func isLeft(_ duplicate: Duplicate, for item: Item) async throws -> Bool {
        if item.mayBeCopied, isAside(duplicate, for: item) { return true }
        return try await presence.isGone(duplicate.path, root: duplicate.root)
    }

    /// Whether the object of `duplicate` is the item's own, beside that of another content which has or had the key.
    private func isAside(_ duplicate: Duplicate, for item: Item) -> Bool {
        duplicate.root == item.root && duplicate.path == item.filePath
            && duplicate.receipt.key == item.objectKey.beside(item.sha256)
    }

    /// Reserves room for an item that is sent or copied, if less was reserved: an object was to be moved instead, or the
    /// object that it was to replace has turned out not to be there.
    ///
    /// Where the server refused that move, the item would still seem to fit because of it, so that it would not wait for
    /// room, but be tried again at once: it backs off.
    private func reserveRoom(for item: Item) async throws {
        guard budget.isLimited else { return }
        let held = try await library.receiptBytes(at: item.objectKey, destination: destination.name)
        guard budget.isShort(item, replacing: held) else { return }
        try await budget.count(in: library, at: destination.name)
        guard let failure = budget.reserve(item, replacing: held) else { return }
        let isRefused = try await mayBeMoved(item)
        throw Unsent(sending: .ended(isRefused ? .retry(failure, after: nil) : .blocked(.budget, failure)))
    }

    /// An object that holds the item's bytes, as it was seen.
    private struct Former {
        let duplicate: Duplicate
        let info: ObjectInfo
        let evidence: Evidence
    }

    /// The object of `duplicate`; `nil` where it is not what its receipt says, or a verification found it wrong.
    private func former(
        _ item: Item, _ source: Source, _ duplicate: Duplicate, _ info: ObjectInfo
    ) async throws -> Former? {
        guard duplicate.receipt.describes(info), try await !library.isFoundWrong(duplicate.receipt) else { return nil }
        let evidence = try await evidence(of: item, source, for: duplicate.receipt, info)
        return evidence.map { Former(duplicate: duplicate, info: info, evidence: $0) }
    }

    /// The item's object, if it is there already, because an attempt whose answer was lost has put it there.
    private func arrived(_ item: Item, _ source: Source, from before: Receipt?) async throws -> Sending? {
        guard let there = try await info(item.objectKey), let evidence = try await holds(there, item, source)
        else { return nil }
        return .accepted(Accepted(item: item, objectID: there.id, evidence: evidence, movedFrom: before))
    }

    /// Whether the object may be moved: it keeps its metadata, which must be right for restoring the new name, too.
    ///
    /// An object of another computer stays where it is.
    private func mayMove(_ info: ObjectInfo, to item: Item) -> Bool {
        guard otherComputer(of: info) == nil else { return false }
        guard item.role == .original else { return true }
        return metadata(of: info)?.mtime == item.modifiedAt && !item.objectKey.text.contains("!!")
    }

    /// How an attempt to move an object ended.
    private enum Moving {
        case done(Sending)
        /// Its metadata would be wrong for the new name.
        case notMovable(Former)
        /// The item's bytes are not under its key; the former object, if given, stayed and can be copied.
        case refused(Former?)
    }

    /// Moves the object of `duplicate`, whose file is gone, unless the item's key holds its bytes already.
    private func take(
        _ item: Item, _ source: Source, from duplicate: Duplicate, over older: Receipt?, isThere: Bool
    ) async throws -> Moving {
        guard let info = try await info(duplicate.receipt.key) else {
            let arrived = try await arrived(item, source, from: duplicate.receipt)
            return arrived.map(Moving.done) ?? .refused(nil)
        }
        let former = try await former(item, source, duplicate, info)
        guard let former else { return .refused(nil) }
        if isThere {
            try await library.outdate(duplicate.receipt)
            return .refused(nil)
        }
        guard mayMove(info, to: item) else { return .notMovable(former) }
        return try await move(item, source, former, over: older)
    }

    /// Moves the object of `former`, for which an object of ours that has the item's key is deleted or set aside.
    ///
    /// An object that a refused request names may have moved all the same: of a request that arrived twice, only the
    /// first one moves it.
    private func move(
        _ item: Item, _ source: Source, _ former: Former, over older: Receipt?
    ) async throws -> Moving {
        let before = former.duplicate.receipt
        var accepted = Accepted(
            item: item, objectID: before.objectID, evidence: former.evidence, movedFrom: before)
        var hasMadeRoom = false
        while true {
            if try await move(item, from: before) { return .done(.accepted(accepted)) }
            let isStillThere = try await info(before.key) != nil
            guard let there = try await info(item.objectKey) else { return .refused(isStillThere ? former : nil) }
            if let evidence = try await holds(there, item, source) {
                // An attempt whose answer was lost put it there; a former object that is still there has no file any more.
                if isStillThere { try await library.outdate(before) }
                accepted = Accepted(item: item, objectID: there.id, evidence: evidence)
                if !isStillThere { accepted.movedFrom = before }
                return .done(.accepted(accepted))
            }
            guard isStillThere, !hasMadeRoom, try await makeRoom(for: item, source, in: there, over: older) else {
                return .refused(nil)
            }
            hasMadeRoom = true
        }
    }

    /// Asks the server to move an object; `false` if not permitted, if the key is taken, or if done before.
    ///
    /// The attempt is durable before the request, so that the next attempt looks for the object under either key.
    private func move(_ item: Item, from before: Receipt) async throws -> Bool {
        try await library.noteMove(of: item, from: before.key, destination: destination.name, at: clock())
        return try await move(before.key, to: item.objectKey)
    }

    /// Asks the server for a move that is written down, and notes its answer.
    private func move(_ source: ObjectKey, to target: ObjectKey) async throws -> Bool {
        let isMoved = try await storage.moveIfPermitted(
            bucket: destination.bucket, from: source.text, to: target.text)
        try await library.noteAnswer(toMoveFrom: source, to: target, destination: destination.name)
        return isMoved
    }

    /// Deletes the object of ours that a moved one is to replace; `false` if we may not delete it.
    ///
    /// A server moves no object over another. The deletion stays written down, so that a crash before the move leaves
    /// no receipt without an object.
    private func makeRoom(
        for item: Item, _ source: Source, in there: ObjectInfo, over older: Receipt?
    ) async throws -> Bool {
        let holder = try await holding(there, item, source, older).holder
        let isBeside = item.objectKey.isBeside(item.sha256)
        switch KeyVerdict(holder, settings, isOriginal: item.role == .original, isBeside: isBeside) {
        case .setAside: return try await setAside(item.objectKey, for: item, moving: item.size)
        case .replace where holder != .foreign: return try await !delete([item.objectKey]).isEmpty
        case .replace, .accept, .beside, .refuse: return false
        }
    }

    /// Moves the object under `key`, whose file is gone, to the key beside it; `false` where that is not permitted.
    ///
    /// Its receipt follows. The attempt is durable before the request, so that the object is looked for under either
    /// key. More room is reserved now, because the item was expected to replace this object.
    ///
    /// - Parameter moving: Bytes that leave another key, if an object is moved instead of uploading the item.
    func setAside(_ key: ObjectKey, for item: Item, moving: Int64 = 0) async throws -> Bool {
        if let failure = budget.reserve(item, replacing: 0, moving: moving) {
            throw Unsent(sending: .ended(.blocked(.budget, failure)))
        }
        guard let receipt = try await library.receipt(destination: destination.name, key: key) else { return false }
        let target = key.beside(receipt.sha256)
        try await library.noteMove(of: receipt, to: target, at: clock())
        _ = try await move(key, to: target)
        // The server may have been asked about a move just before it was made, so it is asked about all of them again.
        for move in try await library.expectedMoves(from: key, destination: destination.name) {
            try await settle(move)
        }
        return try await library.receipt(destination: destination.name, key: key) == nil
    }

    /// Copies the object; `nil` when that is not permitted, the new key is taken, or the object changed meanwhile.
    private func copy(
        _ item: Item, _ source: Source, from former: Former, _ arrival: Arrival
    ) async throws -> Sending? {
        let metadata = CopyMetadata(
            contentType: item.contentType, cacheControl: Int(settings.cacheFor.seconds),
            metadata: metadata(for: item, source))
        let key = former.duplicate.receipt.key
        let answer = try await arrival.following { () async throws(StorageError) in
            try await storage.copyIfPermitted(
                bucket: destination.bucket, from: key.text, to: item.objectKey.text, newMetadata: metadata)
        }
        guard case .made(let copied) = answer else {
            arrival.note(isPossible: false)
            if answer == .taken { arrival.noteTaken() }
            return nil
        }
        let after = try await info(key)
        guard after == former.info else {
            // The copy's metadata names the item's hash, but the copy may hold other bytes.
            try await library.remember(item, destination: destination.name)
            return nil
        }
        return .accepted(Accepted(item: item, objectID: copied.id, evidence: former.evidence))
    }
}
