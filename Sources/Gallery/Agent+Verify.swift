import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
package import Records
import Roots
import Supabase
import Sync
import Text
import Transfer
import Uploading

extension Agent {
    /// What a deep verification would download; computed from receipts, without a request.
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

    /// Compares the bucket with the receipts, and repairs what differs where that is asked for.
    ///
    /// An error of the storage ends it early; the result is not `isComplete` then.
    package func verify(_ order: VerifyOrder) async throws -> (result: VerifyResult, ending: Ending) {
        var inspection = Inspection(sample: order.percent.map { Sample(percent: $0, seed: order.seed) })
        inspection.adopts = order.isRepairing
        let start = setup.clock()
        do {
            try await refuseOtherDestination()
            try await settleAttempts()
            try await compare(&inspection)
            for receipt in inspection.sampled { try await look(deeplyAt: receipt, &inspection) }
        } catch let error as StorageError {
            try await remember(inspection)
            return (inspection.result, Ending(looking: error, at: setup.clock()))
        } catch let refusal as Refusal {
            return (inspection.result, refusal.ending)
        }
        inspection.result.isComplete = true
        try await remember(inspection)
        try await noteLook(at: start)
        let ended = order.isRepairing ? try await repair(inspection) : (inspection.result, inspection.ending)
        try await forgetUnseen(inspection)
        return ended
    }

    /// Everything that one verification has found.
    struct Inspection {
        let sample: Sample?
        /// Whether objects without a receipt are noted.
        let notesUnknown: Bool
        /// Whether objects that this computer stored, and that nothing here knows, are asked for.
        var adopts = false
        var result = VerifyResult()
        /// Objects to download.
        var sampled: [Receipt] = []
        /// Objects to store again, with what the server holds under their keys; `nil` for nothing.
        var lost: [(receipt: Receipt, held: ObjectInfo?)] = []
        /// Objects that hold the right content of a file, and have no receipt.
        var unproven: [(key: ObjectKey, asset: Asset)] = []
        /// Objects that this computer stored, and that nothing here knows.
        var orphans: [Attempt] = []
        /// Keys in the listing that have no receipt.
        var unreceipted: Set<String> = []
        /// What a report says until it is repaired, or found in order.
        var discrepancies: [Discrepancy] = []

        init(sample: Sample?, notesUnknown: Bool = true) { (self.sample, self.notesUnknown) = (sample, notesUnknown) }

        var ending: Ending { result.troubled == 0 ? .done : .someFailed(result.troubled) }

        /// Adds what is wrong with the object of `receipt`, or with its file.
        mutating func add(_ problem: VerifyResult.Problem, of receipt: Receipt, isDeep: Bool, _ message: String) {
            result.add(.init(problem, key: receipt.key.text, message: message))
            guard let kind = Discrepancy.Kind(rawValue: problem.rawValue),
                discrepancies.count < VerifyResult.findingLimit
            else { return }
            discrepancies.append(Discrepancy(kind, of: receipt, isDeep: isDeep))
        }
    }

    /// Lets the report say what was found, also when this verification has ended.
    func remember(_ inspection: Inspection) async throws {
        try await library.remember(
            inspection.discrepancies, destination: setup.destination.name, isComplete: inspection.result.isComplete,
            wasDownloaded: { inspection.sample?.contains($0) == true }, at: setup.clock())
    }
}

// MARK: - Listing

extension Agent {
    /// Merges listing and receipts page by page; both are in byte order of the keys.
    func compare(_ inspection: inout Inspection) async throws {
        var progress = ListingProgress()
        var cursor: String?
        var last = ""
        repeat {
            let page = try await storage.list(
                bucket: setup.destination.bucket, prefix: setup.listed, limit: VerificationPlan.pageSize, cursor: cursor
            )
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

    /// Compares the receipts between two keys with `held`, which keeps the objects without a receipt.
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

    /// Asks for one object that differs, since the listing may be older than what was stored meanwhile.
    private func confirm(_ receipt: Receipt, _ inspection: inout Inspection) async throws {
        let key = receipt.key
        guard let current = try await library.receipt(destination: receipt.destination, key: key),
            await !isUnderWay(key.text)
        else { return }
        let info = try await info(key)
        // The answer may be of an object that was stored in its place meanwhile.
        let latest = try await library.receipt(destination: receipt.destination, key: key)
        guard latest == current, await !isUnderWay(key.text) else { return }
        switch ObjectFinding(current, held: info.map { HeldObject($0) }) {
        case .same: return
        case .missing:
            guard try await !hasMoved(current) else { return }
            inspection.add(.missing, of: current, isDeep: false, "it is not in the bucket any more")
        case .different(let how): inspection.add(.different, of: current, isDeep: false, how)
        }
        inspection.lost.append((current, info))
    }

    /// Whether an object that was not found under its key is being moved to another one at this moment.
    ///
    /// One that holds it by now is asked for; a receipt that was given up since went with a move that has ended.
    func hasMoved(_ receipt: Receipt) async throws -> Bool {
        for move in try await library.unsettledMoves(from: receipt.key, destination: receipt.destination) {
            if let info = try await info(move.key), receipt.names(info) { return true }
        }
        return try await library.receipt(destination: receipt.destination, key: receipt.key) != receipt
    }

    func info(_ key: ObjectKey) async throws -> ObjectInfo? {
        try await storage.infoIfPresent(bucket: setup.destination.bucket, key: key.text)
    }

    func isUnderWay(_ key: String) async -> Bool {
        await queue.item(at: ObjectKey(text: key).place(in: setup.destination.bucket))?.isOpen == true
    }
}

// MARK: - Objects without receipts

extension Agent {
    /// Notes an object without a receipt: a leftover of ours, or an object of another client.
    private func note(unknown object: ListedObject, _ inspection: inout Inspection) async throws {
        let key = ObjectKey(text: object.key)
        guard await !isUnderWay(object.key),
            try await library.receipt(destination: setup.destination.name, key: key) == nil
        else { return }
        inspection.unreceipted.insert(object.key)
        let size = Quantity.text(bytes: object.size ?? 0)
        let attempts = try await library.attempts(at: key, destination: setup.destination.name)
        let asset = try await asset(of: key)
        let place =
            inspection.adopts ? key.file(prefix: setup.keyPrefix).flatMap { roots[$0.root] == nil ? nil : $0 } : nil
        // Only keys that we may have written to are requested: a bucket may hold many other objects.
        let isAsked = asset != nil || !attempts.isEmpty || place != nil
        let info = isAsked ? try await info(key) : nil
        if let info, let message = try await message(ofLeftover: key, info, asset, attempts, &inspection) {
            inspection.result.add(.init(.leftover, key: object.key, message: "\(message) (\(size))"))
        } else if let info, let place, let sha256 = uploader.sender.ownHash(info) {
            inspection.orphans.append(
                Attempt(
                    destination: setup.destination.name, key: key, sha256: sha256, role: place.role,
                    size: info.size ?? 0, place: nil, source: nil, state: .there, notedAt: setup.clock()))
            let message = "this computer stored it, before its library was lost: \"prune\" lists it (\(size))"
            inspection.result.add(.init(.leftover, key: object.key, message: message))
        } else {
            inspection.result.add(.init(.unknown, key: object.key, message: "no receipt speaks of it (\(size))"))
        }
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
            guard try await uploader.sender.look(at: attempt, info) != nil else { continue }
            return "we sent it, and need it no more: \"prune\" lists it"
        }
        return nil
    }

    /// The file whose content belongs under `key`; `nil` where it is gone or not to be stored.
    private func asset(of key: ObjectKey) async throws -> Asset? {
        guard let location = key.location(prefix: setup.keyPrefix),
            let asset = try await library.asset(
                root: String(decoding: location.root, as: UTF8.self), path: location.path),
            ![.gone, .remoteOnly, .excluded, .ignored].contains(asset.state)
        else { return nil }
        return asset
    }
}
