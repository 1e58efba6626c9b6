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
    /// - Parameter twins: None for an item whose key has a receipt: what lies there is replaced, not by another object.
    func relocate(_ item: Item, _ source: Source, from twins: [Twin]) async throws -> Sending? {
        var staying: [Twin] = []
        for twin in twins {
            guard try await Presence(roots: roots, library: library).isGone(twin.path, root: twin.root) else {
                staying.append(twin)
                continue
            }
            if let sending = try await relocate(item, source, from: twin, isGone: true) { return sending }
        }
        for twin in staying {
            if let sending = try await relocate(item, source, from: twin, isGone: false) { return sending }
        }
        return nil
    }

    private func relocate(
        _ item: Item, _ source: Source, from twin: Twin, isGone: Bool
    ) async throws -> Sending? {
        guard let info = try await info(twin.receipt.key) else {
            return try await arrived(item, source, from: isGone ? twin.receipt : nil)
        }
        guard !item.sent, twin.receipt.describes(info),
            let evidence = try await evidence(of: item, source, for: twin.receipt, info)
        else { return nil }
        if isGone, mayMove(info, to: item) {
            if try await move(item, from: twin) {
                return .accepted(
                    Accepted(item: item, objectID: info.id, evidence: evidence, movedFrom: twin.receipt))
            }
            let isStillThere = try await self.info(twin.receipt.key) != nil
            if !isStillThere { return try await arrived(item, source, from: twin.receipt) }
        }
        let copied = try await copy(item, source, info, from: twin)
        guard let copied else { return try await arrived(item, source, from: nil) }
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

    /// Moves the object; `false` when that is not permitted, the new key is taken, or it was done before.
    ///
    /// That it may lie under either key is durable before the server hears of it: whoever comes next finds it.
    private func move(_ item: Item, from twin: Twin) async throws -> Bool {
        try await library.noteMove(of: item, from: twin.receipt.key, destination: destination.name)
        return try await storage.moveIfPermitted(
            bucket: destination.bucket, from: twin.receipt.key.text, to: item.objectKey.text)
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
    /// Whether `info` still shows the object that was verified, as far as both sides know.
    func describes(_ info: ObjectInfo) -> Bool {
        guard size == info.size, ObjectMetadata(info.metadata)?.sha256 == sha256 else { return false }
        if let version, let other = info.version, version != other { return false }
        guard let tag = ETag(eTag), let other = ETag(info.eTag) else { return true }
        return tag == other
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
