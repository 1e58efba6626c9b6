import FoundationEssentials
import Platform
import Supabase
import Transfer

extension Agent {
    /// What a deep verification would download; nothing is asked of the server.
    package func verifyVolume(_ order: VerifyOrder) async throws -> VerifyVolume {
        var volume = VerifyVolume()
        guard let percent = order.percent else { return volume }
        let sample = Sample(percent: percent, seed: order.seed)
        var last = ""
        while true {
            let page = try await library.receipts(
                destination: setup.destination.name, after: last, count: VerificationPlan.pageSize)
            guard let end = page.last else { return volume }
            volume.total += page.count
            for receipt in page where sample.contains(receipt.key.text) {
                volume.objects += 1
                volume.bytes += receipt.size
            }
            last = end.key.text
        }
    }

    /// Compares what the bucket holds with the receipts; heals what is missing where that is asked for.
    package func verify(_ order: VerifyOrder) async throws -> (result: VerifyResult, ending: Ending) {
        var inspection = Inspection(sample: order.percent.map { Sample(percent: $0, seed: order.seed) })
        do {
            try await compare(&inspection)
            for receipt in inspection.sampled { try await look(deeplyAt: receipt, &inspection) }
        } catch let error as StorageError {
            return (inspection.result, Ending(looking: error, at: setup.clock()))
        }
        guard order.isRepairing else { return (inspection.result, inspection.ending) }
        return try await repair(inspection)
    }

    /// Everything one verification has gathered.
    struct Inspection {
        let sample: Sample?
        var result = VerifyResult()
        /// Objects to download.
        var sampled: [Receipt] = []
        /// Objects to store again; with what the server holds under the key, where it is something.
        var lost: [(receipt: Receipt, held: ObjectInfo?)] = []

        init(sample: Sample?) { self.sample = sample }

        var ending: Ending { result.troubled == 0 ? .done : .someFailed(result.troubled) }
    }
}

// MARK: - Listing

extension Agent {
    /// Walks listing and receipts together, page by page: both are in byte order of the keys.
    private func compare(_ inspection: inout Inspection) async throws {
        var cursor: String?
        var last = ""
        repeat {
            let page = try await storage.list(
                bucket: setup.destination.bucket, prefix: setup.listed, limit: VerificationPlan.pageSize, cursor: cursor
            )
            cursor = page.nextCursor
            var held = Dictionary(page.objects.map { ($0.key, HeldObject($0)) }) { $1 }
            let end = cursor == nil ? nil : page.objects.last?.key
            try await compare(after: last, through: end, &held, &inspection)
            for object in page.objects where held[object.key] != nil { try await note(unknown: object, &inspection) }
            last = end ?? last
        } while cursor != nil
    }

    /// Compares the receipts between two keys with what is held there, and leaves what none speaks of.
    private func compare(
        after start: String, through end: String?, _ held: inout [String: HeldObject], _ inspection: inout Inspection
    ) async throws {
        var last = start
        while true {
            let receipts = try await library.receipts(
                destination: setup.destination.name, after: last, through: end, count: VerificationPlan.pageSize)
            guard let final = receipts.last else { return }
            for receipt in receipts {
                inspection.result.checked += 1
                let finding = ObjectFinding(receipt, held: held.removeValue(forKey: receipt.key.text))
                if finding != .same {
                    try await confirm(receipt, &inspection)
                } else if inspection.sample?.contains(receipt.key.text) == true {
                    inspection.sampled.append(receipt)
                }
            }
            last = final.key.text
        }
    }

    /// A listing may be behind what is being stored meanwhile: each difference is asked for by itself.
    private func confirm(_ receipt: Receipt, _ inspection: inout Inspection) async throws {
        let key = receipt.key
        guard let current = try await library.receipt(destination: receipt.destination, key: key),
            await !isUnderWay(key.text)
        else { return }
        let info = try await info(key)
        switch ObjectFinding(current, held: info.map { HeldObject($0) }) {
        case .same: return
        case .missing:
            inspection.result.add(.init(.missing, key: key.text, message: "it is not in the bucket any more"))
        case .different(let how):
            inspection.result.add(.init(.different, key: key.text, message: how))
        }
        inspection.lost.append((current, info))
    }

    private func info(_ key: ObjectKey) async throws -> ObjectInfo? {
        try await storage.infoIfPresent(bucket: setup.destination.bucket, key: key.text)
    }

    private func isUnderWay(_ key: String) async -> Bool {
        await queue.item(at: setup.destination.bucket + "/" + key)?.isOpen == true
    }

    private func note(unknown object: ListedObject, _ inspection: inout Inspection) async throws {
        let key = ObjectKey(text: object.key)
        guard await !isUnderWay(object.key),
            try await library.receipt(destination: setup.destination.name, key: key) == nil
        else { return }
        let size = Quantity.text(bytes: object.size ?? 0)
        inspection.result.add(.init(.unknown, key: object.key, message: "no receipt speaks of it (\(size))"))
    }
}

// MARK: - Looking deeper

extension Agent {
    /// Downloads and hashes one object, and reads its file again.
    private func look(deeplyAt receipt: Receipt, _ inspection: inout Inspection) async throws {
        let key = receipt.key.text
        let digest = try await downloadedDigest(of: receipt)
        inspection.result.sampled += 1
        inspection.result.sampledBytes += receipt.size
        // Where nobody answers any more, the object is not to blame.
        if digest == nil { _ = try await info(receipt.key) }
        let isWhole = digest == receipt.sha256
        // Stored anew meanwhile, it is another object with another receipt.
        let isCurrent = try await library.receipt(destination: receipt.destination, key: receipt.key) == receipt
        if isWhole, receipt.proof == .size { try await library.prove(receipt, by: .readBack) }
        let isUnderWay = await isUnderWay(key)
        if !isWhole, isCurrent, !isUnderWay {
            let message = digest == nil ? "it cannot be downloaded whole" : "its bytes have another SHA-256"
            inspection.result.add(.init(.different, key: key, message: message))
        }
        let isDamaged = try await isDamagedHere(receipt)
        if isDamaged {
            let message = "the file's bytes changed, though its time did not: check this disk. It is not sent"
            inspection.result.add(.init(.damaged, key: key, message: message))
        }
        guard !isWhole, isCurrent, !isUnderWay, !isDamaged else { return }
        inspection.lost.append((receipt, try await info(receipt.key)))
    }

    /// Bytes that one request of a deep verification brings.
    private static let piece: Int64 = 8 << 20

    /// The SHA-256 of what the server sends; `nil` where it sends less than it should.
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
            return try await storage.download(
                bucket: setup.destination.bucket, key: key.text, to: sink, range: range)
        } catch {
            guard error.isBroken else { throw error }
            return nil
        }
    }

    /// Whether the file's bytes are not what they were, though size and time are.
    private func isDamagedHere(_ receipt: Receipt) async throws -> Bool {
        guard let asset = try await library.storedAsset(of: receipt), let root = roots[asset.root] else { return false }
        guard case .media(let identified) = try await Identifier().identify(asset, in: root) else { return false }
        return identified.sha256 != receipt.sha256
    }
}

extension StorageError {
    /// The answer came, but not whole, or the object is not there to be read.
    fileprivate var isBroken: Bool {
        switch self {
        case .noAnswer(let error): error.kind == .lost
        case .refused(let refusal): refusal.isMissing || refusal.code == .invalidRange
        case .unreadable: true
        case .signedOut: false
        }
    }
}

// MARK: - Healing

extension Agent {
    /// Forgets that an object is stored: it is not there any more, and its room is free.
    func forget(_ receipt: Receipt) async throws {
        try await library.forget(receipt)
        _ = budget.shrink(by: receipt.size)
    }

    /// Queues what is missing or no longer what was stored, and waits until it is stored again.
    ///
    /// An object that somebody else put in the place of ours stays; ours goes beside it.
    private func repair(_ inspection: Inspection) async throws -> (result: VerifyResult, ending: Ending) {
        var result = inspection.result
        let start = setup.clock()
        for (receipt, held) in inspection.lost {
            guard let asset = try await library.livingAsset(of: receipt) else { continue }
            let isOurs = held.flatMap { ObjectMetadata($0.metadata) }?.sha256 == receipt.sha256
            if !(isOurs && receipt.role == .original) { try await forget(receipt) }
            if receipt.role == .original { try await library.request([asset], forcedAt: isOurs ? start : nil) }
            result.queued += 1
        }
        try await library.commit()
        try await uploader.unblockWhatFits()
        guard result.queued > 0 else { return (result, inspection.ending) }
        bell.ring()
        try await pictureLeftovers()
        let ending = try await waitUntilSettled()
        let left = result.troubled - result.queued
        return (result, ending == .done && left > 0 ? .someFailed(left) : ending)
    }
}
