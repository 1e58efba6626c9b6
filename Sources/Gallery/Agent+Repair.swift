import Catalog
import Configuration
import FoundationEssentials
import Queue
import Supabase
import Sync

/// What becomes of an object that is not what its receipt says.
enum Mending: Hashable, Sendable {
    /// The file is sent again; what lies there gives way, because it is ours.
    case replace
    /// The file is sent again; what lies there is somebody else's and stays.
    case sendAgain
    /// The file is gone: there is nothing to send, and nothing that a receipt could prove.
    case drop

    init(isFileHere: Bool, isOurs: Bool) {
        self = isFileHere ? (isOurs ? .replace : .sendAgain) : .drop
    }
}

extension Agent {
    /// Forgets that an object is stored: it is not there any more, and its room is free.
    func forget(_ receipt: Receipt) async throws {
        try await library.forget(receipt)
        _ = budget.shrink(by: receipt.size)
    }

    /// Settles what a verification found: what can be sent is stored again, and waited for; other receipts are dropped.
    func repair(_ inspection: Inspection) async throws -> (result: VerifyResult, ending: Ending) {
        var result = inspection.result
        let start = setup.clock()
        for (receipt, held) in inspection.lost { try await mend(receipt, held, at: start, &result) }
        for (_, asset) in inspection.unproven { try await library.request([asset], forcedAt: nil) }
        try await library.commit()
        try await uploader.unblockWhatFits()
        guard result.queued + inspection.unproven.count > 0 else { return (result, ending(result)) }
        wake.notify()
        try await pictureLeftovers()
        let ending = try await waitUntilSettled()
        for (key, _) in inspection.unproven {
            let receipt = try await library.receipt(destination: setup.destination.name, key: key)
            if receipt != nil { result.proven += 1 }
        }
        return (result, ending == .done ? self.ending(result) : ending)
    }

    /// What neither was queued nor has lost its receipt is still to be looked at by somebody.
    private func ending(_ result: VerifyResult) -> Ending {
        let left = result.troubled - result.queued - result.dropped
        return left > 0 ? .someFailed(left) : .done
    }

    private func mend(
        _ receipt: Receipt, _ held: ObjectInfo?, at start: Date, _ result: inout VerifyResult
    ) async throws {
        let asset = try await library.livingAsset(of: receipt)
        let isOurs = try await isOurs(held, receipt)
        switch Mending(isFileHere: asset != nil, isOurs: isOurs) {
        case .replace where receipt.role == .original:
            // The receipt stays: with it the object is replaced, and not gone around.
            try await library.request([asset].compactMap(\.self), forcedAt: start)
            result.queued += 1
        case .replace:
            try await keepAsOurs(receipt, held)
            try await forget(receipt)
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

    /// Whether what lies there is ours: by the receipt, or by an attempt that was written down.
    private func isOurs(_ held: ObjectInfo?, _ receipt: Receipt) async throws -> Bool {
        guard let sha256 = held.flatMap({ ObjectMetadata($0.metadata) })?.sha256 else { return false }
        return try await library.isOurs(destination: receipt.destination, key: receipt.key, sha256: sha256)
    }

    /// Without its receipt the object is a leftover: it may be replaced, and `prune` lists it.
    private func keepAsOurs(_ receipt: Receipt, _ held: ObjectInfo?) async throws {
        guard let held, let sha256 = ObjectMetadata(held.metadata)?.sha256 else { return }
        try await library.noteLeftover(of: receipt, sha256: sha256, size: held.size ?? receipt.size)
    }
}
