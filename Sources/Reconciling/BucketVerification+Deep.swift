import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Records
import Roots
import Supabase
import Sync
import Transfer
import Uploading

/// What the download of one object, and a look at its file, have shown.
struct DeepLook: Sendable {
    let receipt: Receipt
    let download: Download
    /// What the server holds under its key, where the download was not right.
    let held: ObjectInfo?
    /// Whether the receipt is still about what is under its key.
    let isCurrent: Bool
    /// Whether the file's bytes changed, though its time did not.
    let isDamaged: Bool

    /// What came of a download.
    enum Download: Equatable, Sendable {
        /// The bytes that the receipt is for.
        case whole
        case other
        /// It ended early: lastingly, because the server has lost the bytes, or because the transfer broke off.
        case broken(isLasting: Bool)
        case refused(StorageError)

        var isComplete: Bool { self == .whole || self == .other }
        /// Whether the next download may give another result.
        var mayPass: Bool {
            switch self {
            case .whole, .broken(isLasting: true): false
            case .other, .broken: true
            case .refused(let error): error.isRetryable
            }
        }
    }
}

extension Inspection {
    /// Adds what a download has shown.
    mutating func add(_ look: DeepLook) {
        let (receipt, isWhole) = (look.receipt, look.download == .whole)
        result.sampled += 1
        result.sampledBytes += look.download.isComplete ? receipt.size : 0
        if !isWhole, look.isCurrent {
            switch look.download {
            case .refused(let error) where error.isRetryable:
                add(unanswered: receipt, "it could not be read this time: \(error)")
            case .refused(let error): add(.unreadable, of: receipt, isDeep: true, "it cannot be read: \(error)")
            case .broken: add(.different, of: receipt, isDeep: true, "it cannot be downloaded whole")
            case .whole, .other: add(.different, of: receipt, isDeep: true, "its bytes have another SHA-256")
            }
        }
        if look.isDamaged {
            let message =
                "the file's bytes changed, though its time did not: check this disk. It is not sent, but by \"reupload FILE\""
            add(.damaged, of: receipt, isDeep: true, message)
        }
        guard !isWhole, look.isCurrent, !look.isDamaged, !unanswered.contains(receipt.key.text) else { return }
        lost.append((receipt, look.held))
    }
}

extension BucketVerification {
    /// Downloads and hashes one object, and reads its file again; an object that cannot be read is a finding.
    ///
    /// Throws `StorageError` if the answer holds for all requests.
    func look(deeplyAt receipt: Receipt) async throws -> DeepLook {
        let download = try await download(of: receipt)
        context.tally.finish(receipt)
        let isWhole = download == .whole
        // Throws if the server no longer answers, because then the object is not at fault.
        let held = isWhole ? nil : try await context.info(receipt.key)
        // If the object was stored again or moved meanwhile, this receipt says nothing about it.
        let isGone = !isWhole && held == nil
        let isMoved = isGone ? try await context.hasMoved(receipt) : false
        let isOvertaken = isWhole ? false : try await context.library.isOvertaken(receipt)
        let isCurrent = isMoved || isOvertaken ? false : try await context.isCurrent(receipt)
        if isWhole, receipt.proof == .size { try await context.library.prove(receipt, by: .readBack) }
        return DeepLook(
            receipt: receipt, download: download, held: held, isCurrent: isCurrent,
            isDamaged: try await isDamagedHere(receipt))
    }

    /// Bytes that one request of a deep verification downloads.
    private static let piece: Int64 = 8 << 20

    /// Downloads an object, and again if its bytes may have been damaged or lost on the way.
    private func download(of receipt: Receipt) async throws -> DeepLook.Download {
        let first = try await downloadOnce(receipt)
        return first.mayPass ? try await downloadOnce(receipt) : first
    }

    private func downloadOnce(_ receipt: Receipt) async throws -> DeepLook.Download {
        let digest = SHA256()
        var offset: Int64 = 0
        do {
            while offset < receipt.size {
                context.tally.note(receipt, bytes: offset)
                let count = min(Self.piece, receipt.size - offset)
                let part = try await part(of: receipt.key, .between(offset, count: count))
                guard part.offset == offset, part.body.count == count else { return .broken(isLasting: false) }
                digest.update(part.body)
                offset += count
            }
        } catch {
            if error.isOfLostBytes { return .broken(isLasting: true) }
            if error.isBroken { return .broken(isLasting: false) }
            // An answer that holds for all requests ends the run; one about this object is a finding.
            guard Ending(closedBy: error, at: context.clock()) == nil else { throw error }
            return .refused(error)
        }
        return digest.finish().hexadecimal == receipt.sha256 ? .whole : .other
    }

    private func part(of key: ObjectKey, _ range: ByteRange) async throws(StorageError) -> DownloadedObject {
        try await context.storage.download(
            bucket: context.destination.bucket, key: key.text, to: .memory(limit: Int(Self.piece)), range: range)
    }

    /// Whether the file's bytes changed although its size and time did not.
    private func isDamagedHere(_ receipt: Receipt) async throws -> Bool {
        guard let asset = try await context.library.storedAsset(of: receipt), let root = context.roots[asset.root]
        else { return false }
        guard case .media(let identified) = try await Identifier().identify(asset, in: root) else { return false }
        return identified.sha256 != receipt.sha256
    }
}

extension StorageError {
    /// Whether the server says that it does not have the bytes any more.
    fileprivate var isOfLostBytes: Bool {
        if case .refused(let refusal) = self { refusal.hasNoSuchBytes || refusal.isOfDamage } else { false }
    }

    /// Whether the answer was incomplete.
    fileprivate var isBroken: Bool {
        switch self {
        case .noAnswer(let error): error.kind == .lost
        case .unreadable: true
        case .refused, .signedOut: false
        }
    }
}
