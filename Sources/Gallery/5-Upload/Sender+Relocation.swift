import MediaModel
import Platform
import Supabase

extension Item {
    /// Whether the server may put equal bytes that it holds already under the item's key.
    ///
    /// Nothing is gained where there are none, and a server moves and copies 5 GB at most (contract, section 5).
    /// An item that failed three times is sent like any other.
    var mayBeCopied: Bool { size > 0 && size <= 5_000_000_000 && retryCount < 3 }
}

extension Sender {
    /// Has the server put an object of ours that holds the item's bytes under its key; `nil` when they are to be sent.
    ///
    /// A file that was renamed moves its object; one that is there twice has it copied. The receipt that
    /// was is kept until the new one exists, so a crash in between finds the object under its new key.
    ///
    /// Where the key has a receipt of other bytes, only a moved object takes their place: a copy would double what
    /// is sent and replaced in one request anyway.
    ///
    /// - Parameter isThere: Whether the key holds the item's bytes already.
    func relocate(_ item: Item, _ source: Source, _ known: Prospects, isThere: Bool) async throws -> Sending? {
        var staying: [Twin] = []
        for twin in known.twins {
            guard try await Presence(roots: roots, library: library).isGone(twin.path, root: twin.root) else {
                staying.append(twin)
                continue
            }
            guard item.mayBeCopied else {
                try await library.outdate(twin.receipt)
                continue
            }
            let former = Former(twin: twin, isGone: true, isThere: isThere, older: known.receipt)
            if let sending = try await relocate(item, source, from: former) { return sending }
        }
        guard known.receipt == nil, item.mayBeCopied else { return nil }
        for twin in staying {
            let former = Former(twin: twin, isGone: false, isThere: isThere, older: nil)
            if let sending = try await relocate(item, source, from: former) { return sending }
        }
        return nil
    }

    /// An object that an item's may be made of.
    private struct Former {
        let twin: Twin
        /// Whether its file is.
        let isGone: Bool
        /// Whether the item's key holds its bytes already.
        let isThere: Bool
        /// For other bytes under the item's key.
        let older: Receipt?
    }

    private func relocate(_ item: Item, _ source: Source, from former: Former) async throws -> Sending? {
        let twin = former.twin
        guard let info = try await info(twin.receipt.key) else {
            return try await arrived(item, source, from: former.isGone ? twin.receipt : nil)
        }
        guard twin.receipt.describes(info), let evidence = try await evidence(of: item, source, for: twin.receipt, info)
        else { return nil }
        if former.isThere {
            if former.isGone { try await library.outdate(twin.receipt) }
            return nil
        }
        let isMovable = former.isGone && mayMove(info, to: item)
        if isMovable {
            switch try await move(item, source, evidence, from: former) {
            case .done(let sending): return sending
            case .refused(let isKeyFree): guard isKeyFree else { return nil }
            }
        }
        guard former.older == nil else { return nil }
        let copied = try await copy(item, source, info, from: twin)
        guard let copied else {
            // After a move that was refused the key was looked at.
            return isMovable ? nil : try await arrived(item, source, from: nil)
        }
        if former.isGone, !isMovable { try await library.outdate(twin.receipt) }
        return .accepted(Accepted(item: item, objectID: copied.id, evidence: evidence))
    }

    /// What the key holds already: an attempt that was not heard of may have put it there.
    private func arrived(_ item: Item, _ source: Source, from before: Receipt?) async throws -> Sending? {
        guard let there = try await info(item.objectKey), let evidence = try await holds(there, item, source)
        else { return nil }
        return .accepted(Accepted(item: item, objectID: there.id, evidence: evidence, movedFrom: before))
    }

    /// A moved object keeps its metadata: it must be right for the new name too, or restoring would go wrong.
    private func mayMove(_ info: ObjectInfo, to item: Item) -> Bool {
        guard item.role == .original else { return true }
        return metadata(of: info)?.mtime == item.modifiedAt && !item.objectKey.text.contains("!!")
    }

    /// How an attempt to move an object ended.
    private enum Moving {
        case done(Sending)
        /// It is where it was, or nowhere, and the item's bytes are not under its key.
        case refused(isKeyFree: Bool)
    }

    private func move(
        _ item: Item, _ source: Source, _ evidence: Evidence, from former: Former
    ) async throws -> Moving {
        let before = former.twin.receipt
        let moved = Sending.accepted(
            Accepted(item: item, objectID: before.objectID, evidence: evidence, movedFrom: before))
        if try await move(item, from: before) { return .done(moved) }
        let isStillThere = try await info(before.key) != nil
        let there = try await info(item.objectKey)
        guard let there else { return .refused(isKeyFree: isStillThere) }
        if let evidence = try await holds(there, item, source) {
            // An attempt that was not heard of brought it: what is left of the former object has no file any more.
            if isStillThere { try await library.outdate(before) }
            return .done(
                .accepted(
                    Accepted(
                        item: item, objectID: there.id, evidence: evidence, movedFrom: isStillThere ? nil : before)))
        }
        guard isStillThere else { return .refused(isKeyFree: false) }
        let hasRoom = try await makeRoom(for: item, source, in: there, over: former.older)
        guard hasRoom else { return .refused(isKeyFree: false) }
        let isMoved = try await move(item, from: before)
        return isMoved ? .done(moved) : .refused(isKeyFree: true)
    }

    /// Asks the server to move an object; `false` when that is not permitted, the new key is taken, or it was done.
    ///
    /// That it may lie under either key is durable before the server hears of it: whoever comes next finds it.
    private func move(_ item: Item, from before: Receipt) async throws -> Bool {
        try await library.noteMove(of: item, from: before.key, destination: destination.name)
        return try await storage.moveIfPermitted(
            bucket: destination.bucket, from: before.key.text, to: item.objectKey.text)
    }

    /// Deletes the object of ours that a moved one is to replace; `false` where it is not for us to delete.
    ///
    /// A server moves nothing over something. The deletion is written down first, so that a crash before the move
    /// leaves no receipt without an object.
    private func makeRoom(
        for item: Item, _ source: Source, in there: ObjectInfo, over older: Receipt?
    ) async throws -> Bool {
        let holder = try await holding(there, item, source, older).holder
        let isBeside = item.objectKey.isBeside(item.sha256)
        guard KeyVerdict(holder, settings, isBeside: isBeside) == .replace, holder != .foreign else { return false }
        if let older { try await library.noteDeletion(of: [older]) }
        let key = item.objectKey.text
        return try await storage.deleteAll(bucket: destination.bucket, keys: [key]).contains(key)
    }

    /// Copies the object; `nil` when that is not permitted, the new key is taken, or the object changed meanwhile.
    private func copy(
        _ item: Item, _ source: Source, _ info: ObjectInfo, from twin: Twin
    ) async throws -> StoredObject? {
        let metadata = CopyMetadata(
            contentType: item.contentType, cacheControl: Int(settings.cacheFor.seconds),
            metadata: ObjectMetadata(item, facts: source.facts).values)
        let copied = try await storage.copyIfPermitted(
            bucket: destination.bucket, from: twin.receipt.key.text, to: item.objectKey.text, newMetadata: metadata)
        let after = try await self.info(twin.receipt.key)
        if after == info || copied == nil { return copied }
        // The copy says it is the item's bytes, but it may be of others.
        try await library.remember(item, destination: destination.name)
        return nil
    }
}

extension Receipt {
    /// Whether `info` still shows the bytes that were verified, as far as both sides know.
    ///
    /// Sent again by an attempt that was not heard of, they have another version and the same eTag.
    func describes(_ info: ObjectInfo) -> Bool {
        guard size == info.size, ObjectMetadata(info.metadata)?.sha256 == sha256 else { return false }
        if let tag = ETag(eTag), let other = ETag(info.eTag) { return tag == other }
        guard let version, let other = info.version else { return true }
        return version == other
    }
}

/// An eTag without quotes and the mark of a weak one, for comparing.
struct ETag: Hashable, Sendable {
    let text: String

    init?(_ text: String?) {
        guard var rest = text.map({ $0[...] }), !rest.isEmpty else { return nil }
        if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
        self.text = rest.filter { $0 != "\"" }
    }
}
