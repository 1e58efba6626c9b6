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

extension BucketVerification {
    /// Downloads and hashes one object, and reads its file again; what cannot be read is a finding.
    ///
    /// Throws `StorageError` where the answer holds for all requests.
    func look(deeplyAt receipt: Receipt, _ inspection: inout Inspection) async throws {
        var digest: String?
        var refusal: StorageError?
        do {
            digest = try await downloadedDigest(of: receipt)
        } catch let error as StorageError {
            // An answer that holds for all requests ends the run; one for this object is its finding.
            guard Ending(closedBy: error, at: context.clock()) == nil else { throw error }
            refusal = error
        }
        // This throws where the server does not answer any more: the object is not at fault then.
        let held = digest == receipt.sha256 ? nil : try await context.info(receipt.key)
        inspection.result.sampled += 1
        inspection.result.sampledBytes += digest == nil ? 0 : receipt.size
        let isWhole = digest == receipt.sha256
        // If it was stored again or moved meanwhile, it is another object, or has another key.
        let isGone = !isWhole && held == nil
        let isMoved = isGone ? try await context.hasMoved(receipt) : false
        let isOvertaken = isWhole ? false : try await context.library.isOvertaken(receipt)
        let isCurrent = isMoved || isOvertaken ? false : try await context.isCurrent(receipt)
        if isWhole, receipt.proof == .size { try await context.library.prove(receipt, by: .readBack) }
        if !isWhole, isCurrent {
            if let refusal {
                inspection.add(.unreadable, of: receipt, isDeep: true, "it cannot be read: \(refusal)")
            } else {
                let message = digest == nil ? "it cannot be downloaded whole" : "its bytes have another SHA-256"
                inspection.add(.different, of: receipt, isDeep: true, message)
            }
        }
        let isDamaged = try await isDamagedHere(receipt)
        if isDamaged {
            let message = "the file's bytes changed, though its time did not: check this disk. It is not sent"
            inspection.add(.damaged, of: receipt, isDeep: true, message)
        }
        guard !isWhole, isCurrent, !isDamaged else { return }
        inspection.lost.append((receipt, held))
    }

    /// Bytes that one request of a deep verification downloads.
    private static let piece: Int64 = 8 << 20

    /// The SHA-256 of the object as downloaded; `nil` where it cannot be downloaded whole.
    private func downloadedDigest(of receipt: Receipt) async throws -> String? {
        let digest = SHA256()
        var offset: Int64 = 0
        while offset < receipt.size {
            let count = min(Self.piece, receipt.size - offset)
            guard let bytes = try await bytes(of: receipt.key, from: offset, count: count) else { return nil }
            digest.update(bytes)
            offset += count
        }
        return digest.finish().hexadecimal
    }

    /// A part of an object, or `nil` where it cannot be read whole.
    private func bytes(of key: ObjectKey, from offset: Int64, count: Int64) async throws -> [UInt8]? {
        let range = ByteRange.between(offset, count: count)
        guard let part = try await part(of: key, range) else { return nil }
        guard part.offset == offset, part.body.count == count else { return nil }
        return part.body
    }

    private func part(of key: ObjectKey, _ range: ByteRange) async throws(StorageError) -> DownloadedObject? {
        let sink = AnswerSink.memory(limit: Int(Self.piece))
        do {
            return try await context.storage.download(
                bucket: context.destination.bucket, key: key.text, to: sink, range: range)
        } catch {
            guard error.isBroken else { throw error }
            return nil
        }
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
    /// Whether the answer was incomplete, or the object is missing.
    fileprivate var isBroken: Bool {
        switch self {
        case .noAnswer(let error): error.kind == .lost
        case .refused(let refusal): refusal.hasNoSuchBytes || refusal.isOfDamage
        case .unreadable: true
        case .signedOut: false
        }
    }
}
