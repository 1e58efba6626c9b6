import Audit
import Catalog
import Configuration
import Platform
package import Queue
package import Records
import Roots
package import Supabase
import Text
import Uploading

/// How an object that differs from its receipt is repaired.
enum Mending: Hashable, Sendable {
    /// The file is sent again; the object is replaced, because it is ours.
    case replace
    /// The file is sent again; the object belongs to another client or computer and stays.
    case sendAgain
    /// The file and its object are gone: there is nothing to send, and the receipt is dropped.
    case drop
    /// The file is gone, and its object holds other bytes than it had: object and receipt stay.
    case keep

    /// - Parameter isRotten: Whether the server still says what the receipt says, but a download showed other bytes.
    init(isFileHere: Bool, isOurs: Bool, isRotten: Bool) {
        guard isFileHere else {
            self = isRotten ? .keep : .drop
            return
        }
        self = isOurs ? .replace : .sendAgain
    }
}

/// Has objects that are wrong at the destination stored again, or drops their receipts.
package struct ObjectRepair: Sendable {
    let context: ReconcilingContext

    /// A repair of what `context` has stored.
    package init(_ context: ReconcilingContext) { self.context = context }

    /// Queues what a verification found wrong, and drops receipts without a file; the result has the counts.
    package func begin(_ inspection: Inspection) async throws -> VerifyResult {
        var result = inspection.result
        for (receipt, held) in inspection.lost {
            try await mend(receipt, held, by: sendableAsset(of: receipt), &result)
        }
        for isOriginal in [true, false] {
            for orphan in inspection.orphans where (orphan.receipt.role == .original) == isOriginal {
                try await adopt(orphan)
            }
        }
        for (_, asset) in inspection.unproven { try await context.library.request([asset]) }
        try await context.library.commit()
        try await context.uploader.unblockWhatFits()
        return result
    }

    /// Gives an object that only a lost library knew a receipt; a picture without an original stays a leftover.
    private func adopt(_ orphan: Orphan) async throws {
        let receipt = orphan.receipt
        guard try await context.library.adopt(orphan, at: context.clock()) else {
            return try await context.library.noteLeftover(of: receipt, sha256: receipt.sha256, size: receipt.size)
        }
    }

    /// Forgets receipts for which other objects stand by now, and counts what was proven.
    package func conclude(_ inspection: Inspection, _ result: inout VerifyResult) async throws {
        try await forgetReceiptsOfOthers(inspection)
        for (key, _) in inspection.unproven where try await context.receipt(at: key) != nil { result.proven += 1 }
    }

    /// Forgets receipts of other computers' objects that were found wrong, once their files are stored beside them.
    private func forgetReceiptsOfOthers(_ inspection: Inspection) async throws {
        for (receipt, held) in inspection.lost {
            guard let held, context.uploader.sender.otherComputer(of: held) != nil else { continue }
            let beside = receipt.key.beside(receipt.sha256)
            // The order to send the file may have redated its receipt.
            guard try await context.receipt(at: beside) != nil, let present = try await present(receipt) else {
                continue
            }
            try await context.library.forget(present)
        }
    }

    /// The receipt as it is now; `nil` if one was earned under its key since it was read.
    private func present(_ receipt: Receipt) async throws -> Receipt? {
        let present = try await context.receipt(at: receipt.key)
        return present.flatMap { $0.isOfSameObject(as: receipt) ? $0 : nil }
    }

    /// Drops the receipt of an object that is wrong, or has the object replaced from its file.
    package func mend(
        _ receipt: Receipt, _ held: ObjectInfo?, by asset: Asset?, _ result: inout VerifyResult
    ) async throws {
        // It may have been stored anew since it was found wrong.
        guard let receipt = try await present(receipt) else { return }
        let isOurs = try await isOurs(held, receipt)
        // If the server's facts agree with the receipt, a download must have shown that the bytes are wrong.
        let isRotten = ObjectFinding(receipt, held: held.map { HeldObject($0) }) == .same
        switch Mending(isFileHere: asset != nil, isOurs: isOurs, isRotten: isRotten) {
        case .replace where receipt.role == .original || isRotten:
            // The receipt stays, so that the object is replaced instead of stored under another key, and so that a
            // rotten one is not accepted for what the server says of it. A picture goes with its original.
            try await context.library.request([asset].compactMap(\.self), forcedAt: context.clock())
            result.queued += 1
        case .replace:
            try await keepAsOurs(receipt, held)
            try await context.library.forget(receipt)
            result.queued += 1
        case .sendAgain where isRotten && receipt.role != .original:
            // The server's facts about the picture would pass, so it would be accepted again instead of replaced.
            break
        case .sendAgain where isRotten:
            // The receipt stays, so that the object is not accepted again: the file is stored beside it.
            try await context.library.request([asset].compactMap(\.self), forcedAt: context.clock())
            result.queued += 1
        case .sendAgain:
            try await context.library.forget(receipt)
            if receipt.role == .original {
                try await context.library.request([asset].compactMap(\.self))
            }
            result.queued += 1
        case .drop:
            if isOurs { try await keepAsOurs(receipt, held) }
            try await context.library.forget(receipt)
            result.dropped += 1
        case .keep: result.unrepairable += 1
        }
    }

    /// The asset that the receipt was earned with, unless its file is gone, or its root is away and not waited for.
    package func sendableAsset(of receipt: Receipt) async throws -> Asset? {
        guard let asset = try await context.library.livingAsset(of: receipt),
            try await !context.presence.isGone(asset.path, root: asset.root)
        else { return nil }
        let roots = context.roots
        let isAway = await Blocking.run {
            roots.dropped.contains { $0.name == asset.root && !$0.isHere }
                || roots.replaced(where: \.isHere).contains { $0.name == asset.root }
        }
        return isAway ? nil : asset
    }

    /// Whether the object is ours: by the receipt, or by a recorded attempt.
    private func isOurs(_ held: ObjectInfo?, _ receipt: Receipt) async throws -> Bool {
        guard let held, context.uploader.sender.otherComputer(of: held) == nil,
            let sha256 = ObjectMetadata(held.metadata)?.sha256
        else { return false }
        return try await context.library.isOurs(destination: receipt.destination, key: receipt.key, sha256: sha256)
    }

    /// Records the object as a leftover, because its receipt is about to go, so that it may be replaced or pruned.
    private func keepAsOurs(_ receipt: Receipt, _ held: ObjectInfo?) async throws {
        guard let held, let sha256 = ObjectMetadata(held.metadata)?.sha256 else { return }
        try await context.library.noteLeftover(of: receipt, sha256: sha256, size: held.size ?? receipt.size)
    }
}

// MARK: - Objects that come back with other bytes

extension ObjectRepair {
    /// After so many wrong answers an object is not sent again: something changes it, and a person is needed.
    private static let readBackLimit = 2

    /// Takes back the receipt of an object that came back with other bytes; its file is sent again, but not endlessly.
    ///
    /// - Parameter times: How often this has happened to its key since the start.
    package func disprove(_ receipt: Receipt, times: Int) async throws {
        var failure: Item.Failure?
        if times >= Self.readBackLimit {
            let message =
                "\(receipt.key.text) was sent \(times) times, and each time other bytes came back: something on the way, "
                + "or the server, changes them"
            failure = Item.Failure(code: .verify(.readBack), message: message, retryable: false)
        }
        try await context.audit.noteDamaged(receipt, at: context.clock())
        try await context.library.disprove(receipt, failure: failure)
        context.log.warning("\(receipt.key.text) came back with other bytes than were sent")
        if failure == nil { context.wake.notify() }
    }
}
