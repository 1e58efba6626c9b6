import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Records
import Roots
import Supabase
import Uploading

/// How an object that differs from its receipt is repaired.
enum Mending: Hashable, Sendable {
    /// The file is sent again; the object is replaced, because it is ours.
    case replace
    /// The file is sent again; the object belongs to another client or computer and stays.
    case sendAgain
    /// The file is gone: there is nothing to send, and the receipt is dropped.
    case drop

    init(isFileHere: Bool, isOurs: Bool) {
        self = isFileHere ? (isOurs ? .replace : .sendAgain) : .drop
    }
}

extension Agent {
    /// Forgets the receipt of an object that is not there any more, and frees its share of the budget.
    func forget(_ receipt: Receipt) async throws {
        try await library.forget(receipt)
        _ = budget.shrink(by: receipt.size)
    }

    /// Repairs what a verification found: files are stored again, receipts without a file are dropped.
    ///
    /// Returns once the files are stored, or nothing falls due within `sync.patience`.
    func repair(_ inspection: Inspection) async throws -> (result: VerifyResult, ending: Ending) {
        var result = inspection.result
        let start = setup.clock()
        for (receipt, held) in inspection.lost {
            try await mend(receipt, held, by: sendableAsset(of: receipt), at: start, &result)
        }
        for orphan in inspection.orphans {
            try await library.noteLeftover(of: orphan, sha256: orphan.sha256, size: orphan.size)
        }
        for (_, asset) in inspection.unproven { try await library.request([asset], forcedAt: nil) }
        try await library.commit()
        try await uploader.unblockWhatFits()
        guard result.queued + inspection.unproven.count > 0 else { return (result, ending(result)) }
        wake.notify()
        try await pictureLeftovers()
        let ending = try await waitUntilSettled()
        try await forgetReceiptsOfOthers(inspection)
        for (key, _) in inspection.unproven {
            let receipt = try await library.receipt(destination: setup.destination.name, key: key)
            if receipt != nil { result.proven += 1 }
        }
        return (result, ending == .done ? self.ending(result) : ending)
    }

    /// Forgets receipts of another computer's objects that were found wrong, and whose files are stored beside them now.
    private func forgetReceiptsOfOthers(_ inspection: Inspection) async throws {
        for (receipt, held) in inspection.lost {
            guard let held, uploader.sender.otherComputer(of: held) != nil else { continue }
            let beside = receipt.key.beside(receipt.sha256)
            let isStored = try await library.receipt(destination: receipt.destination, key: beside) != nil
            if isStored, try await library.receipt(destination: receipt.destination, key: receipt.key) == receipt {
                try await forget(receipt)
            }
        }
    }

    /// What was neither queued nor dropped still needs a person.
    private func ending(_ result: VerifyResult) -> Ending {
        let left = result.troubled - result.queued - result.dropped
        return left > 0 ? .someFailed(left) : .done
    }

    /// Drops the receipt of an object that is not what it should be, or has it replaced by its file.
    ///
    /// - Parameter start: When that was asked for.
    func mend(
        _ receipt: Receipt, _ held: ObjectInfo?, by asset: Asset?, at start: Date, _ result: inout VerifyResult
    ) async throws {
        let isOurs = try await isOurs(held, receipt)
        // Only a download shows that its bytes are wrong.
        let isRotten = ObjectFinding(receipt, held: held.map { HeldObject($0) }) == .same
        switch Mending(isFileHere: asset != nil, isOurs: isOurs) {
        case .replace where receipt.role == .original || isRotten:
            // The receipt stays, so that the object is replaced, not stored under another key, and a rotten one is not
            // taken for the right one by what the server says of it. A picture goes with its original.
            try await library.request([asset].compactMap(\.self), forcedAt: start)
            result.queued += 1
        case .replace:
            try await keepAsOurs(receipt, held)
            try await forget(receipt)
            result.queued += 1
        case .sendAgain where isRotten && receipt.role != .original:
            // The same picture would be found in its place, as good as the server says that it is.
            break
        case .sendAgain where isRotten:
            // The receipt stays, so that the object is not taken for the right one: the file goes beside it.
            try await library.request([asset].compactMap(\.self), forcedAt: start)
            result.queued += 1
        case .sendAgain:
            try await forget(receipt)
            if receipt.role == .original {
                try await library.request([asset].compactMap(\.self), forcedAt: nil)
            }
            result.queued += 1
        case .drop:
            if isOurs { try await keepAsOurs(receipt, held) }
            try await forget(receipt)
            result.dropped += 1
        }
    }

    /// The asset that the receipt was earned with, unless its file is gone, or its root is and nothing waits for it.
    func sendableAsset(of receipt: Receipt) async throws -> Asset? {
        guard let asset = try await library.livingAsset(of: receipt) else { return nil }
        guard let root = roots.dropped.first(where: { $0.name == asset.root }) else { return asset }
        return await Blocking.run { root.isHere } ? asset : nil
    }

    /// Whether the object is ours: by the receipt, or by a recorded attempt.
    private func isOurs(_ held: ObjectInfo?, _ receipt: Receipt) async throws -> Bool {
        guard let held, uploader.sender.otherComputer(of: held) == nil,
            let sha256 = ObjectMetadata(held.metadata)?.sha256
        else { return false }
        return try await library.isOurs(destination: receipt.destination, key: receipt.key, sha256: sha256)
    }

    /// Records the object as a leftover once its receipt is gone, so that it may be replaced or pruned.
    private func keepAsOurs(_ receipt: Receipt, _ held: ObjectInfo?) async throws {
        guard let held, let sha256 = ObjectMetadata(held.metadata)?.sha256 else { return }
        try await library.noteLeftover(of: receipt, sha256: sha256, size: held.size ?? receipt.size)
    }
}
