import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
package import Records
import Roots
package import Supabase
import Sync
import Text
import Uploading

/// Merges a listing of the bucket with the receipts, and asks once more for what differs.
package struct BucketComparison: Sendable {
    let context: ReconcilingContext

    /// A comparison of what `context` has stored.
    package init(_ context: ReconcilingContext) { self.context = context }

    /// Receipts whose objects are missing or hold something else; the server was asked about each by itself, too.
    ///
    /// Throws `StorageError` when the bucket cannot be listed.
    package func lostReceipts() async throws -> [(receipt: Receipt, held: ObjectInfo?)] {
        var inspection = Inspection(sample: nil, notesUnknown: false)
        try await run(&inspection)
        return inspection.lost
    }

    /// Merges listing and receipts page by page; both are in byte order of the keys.
    func run(_ inspection: inout Inspection) async throws {
        var progress = ListingProgress()
        var cursor: String?
        var last = ""
        repeat {
            let page = try await context.storage.list(
                bucket: context.destination.bucket, prefix: listed, limit: VerificationPlan.pageSize,
                cursor: cursor)
            cursor = try progress.next(after: page)
            var held = Dictionary(page.objects.map { ($0.key, HeldObject($0)) }) { $1 }
            let end = cursor == nil ? nil : page.objects.last?.key
            try await compare(after: last, through: end, &held, &inspection)
            for object in page.objects where inspection.notesUnknown && held[object.key] != nil {
                try await note(unknown: object, &inspection)
            }
            last = end ?? last
        } while cursor != nil
    }

    /// The prefix under which our objects are listed; its final slash keeps it from matching longer names.
    private var listed: String { context.keyPrefix.isEmpty ? "" : context.keyPrefix + "/" }

    /// Compares the receipts between two keys with `held`, which keeps the objects without a receipt.
    private func compare(
        after start: String, through end: String?, _ held: inout [String: HeldObject], _ inspection: inout Inspection
    ) async throws {
        var last = start
        while true {
            let receipts = try await context.library.receipts(
                destination: context.destination.name, after: last, through: end, count: VerificationPlan.pageSize)
            guard let final = receipts.last else { return }
            for receipt in receipts {
                inspection.result.checked += 1
                let finding = ObjectFinding(receipt, held: held.removeValue(forKey: receipt.key.text))
                if finding != .same { try await confirm(receipt, &inspection) }
            }
            context.tally.check(receipts.count)
            last = final.key.text
        }
    }

    /// Asks about one object that differs, because the listing may be older than what was stored meanwhile.
    private func confirm(_ receipt: Receipt, _ inspection: inout Inspection) async throws {
        let key = receipt.key
        guard let current = try await context.receipt(at: key), await !context.isUnderWay(key) else { return }
        let info = try await context.info(key)
        // The answer may be about an object that was stored under the key meanwhile.
        guard try await context.isCurrent(current) else { return }
        switch ObjectFinding(current, held: info.map { HeldObject($0) }) {
        case .same: return
        case .missing:
            guard try await !context.hasMoved(current) else { return }
            inspection.add(.missing, of: current, isDeep: false, "it is not in the bucket any more")
        case .different(let how):
            guard try await !context.library.isOvertaken(current) else { return }
            inspection.add(.different, of: current, isDeep: false, how)
        }
        inspection.lost.append((current, info))
    }
}

// MARK: - Objects without receipts

extension BucketComparison {
    /// Notes an object without a receipt: a leftover of ours, or an object of another client.
    private func note(unknown object: ListedObject, _ inspection: inout Inspection) async throws {
        let key = ObjectKey(text: object.key)
        guard await !context.isUnderWay(key), try await context.receipt(at: key) == nil else { return }
        // A move that came late may have brought it: then its receipt follows now.
        for move in try await context.library.expectedMoves(to: key, destination: context.destination.name) {
            try await context.uploader.sender.settle(move)
        }
        guard try await context.receipt(at: key) == nil else { return }
        let size = Quantity.text(bytes: object.size ?? 0)
        var attempts = try await context.library.attempts(at: key, destination: context.destination.name)
        if !attempts.isEmpty { inspection.attempted.insert(object.key) }
        let asset = try await asset(of: key)
        let place = inspection.adopts ? try await missingFile(of: key) : nil
        // Only keys that we may have written to are requested: a bucket may hold many other objects.
        let isAsked = asset != nil || !attempts.isEmpty || place != nil
        let info = isAsked ? try await context.info(key) : nil
        // Earlier versions noted orphans as attempts without naming a file.
        if place != nil { attempts.removeAll { $0.place == nil } }
        if let info, let message = try await message(ofLeftover: key, info, asset, attempts, &inspection) {
            inspection.result.add(.init(.leftover, key: object.key, message: "\(message) (\(size))"))
        } else if let info, let place, let sha256 = context.uploader.sender.ownHash(info) {
            inspection.attempted.insert(object.key)
            let receipt = context.receipt(at: key, role: place.role, sha256: sha256, found: info)
            let modifiedAt = ObjectMetadata(info.metadata)?.mtime ?? FileTime(context.clock())
            inspection.orphans.append(
                Orphan(receipt, of: RootedPath(root: place.root, path: place.path), modifiedAt: modifiedAt))
            let message = "this computer stored it, before its library was lost: \"prune\" lists it (\(size))"
            inspection.result.add(.init(.leftover, key: object.key, message: message))
        } else {
            inspection.result.add(.init(.unknown, key: object.key, message: "no receipt speaks of it (\(size))"))
        }
    }

    /// The file that such an object would be of, if this computer stored it; `nil` if the next sync may find that file.
    private func missingFile(of key: ObjectKey) async throws -> (root: String, path: FilePath, role: Item.Role)? {
        guard let file = key.file(prefix: context.keyPrefix), context.roots[file.root] != nil else { return nil }
        // The disk tells of a file that came after the last sync, or whose disk is away.
        let asset = try await context.library.asset(root: file.root, path: file.path)
        guard asset == nil || asset?.state == .gone else { return file }
        return try await context.presence.isGone(file.path, root: file.root) ? file : nil
    }

    /// Describes an object that we sent and that has no receipt; `nil` where it is not ours.
    private func message(
        ofLeftover key: ObjectKey, _ info: ObjectInfo, _ asset: Asset?, _ attempts: [Attempt],
        _ inspection: inout Inspection
    ) async throws -> String? {
        if let asset, asset.size == info.size, ObjectMetadata(info.metadata)?.sha256 == asset.sha256 {
            inspection.unproven.append((key, asset))
            return "it has its file's content, but no receipt: \"verify --repair\" proves it"
        }
        for attempt in attempts {
            guard try await context.uploader.sender.look(at: attempt, info) != nil else { continue }
            return "we sent it, and need it no more: \"prune\" lists it"
        }
        return nil
    }

    /// The file whose content belongs under `key`; `nil` if it is gone or is not to be stored.
    private func asset(of key: ObjectKey) async throws -> Asset? {
        guard let location = key.location(prefix: context.keyPrefix),
            let asset = try await context.library.asset(
                root: String(decoding: location.root, as: UTF8.self), path: location.path),
            ![.gone, .remoteOnly, .excluded, .ignored].contains(asset.state)
        else { return nil }
        return asset
    }
}
