import Audit
import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Records
import Supabase
package import Sync
import Text
import Uploading

/// Objects of ours that no receipt covers: left by attempts without an answer, or not needed any more.
package struct LeftoverObjects: Sendable {
    /// What objects are compared and deleted with.
    package let context: ReconcilingContext
    let readBack: ReadBack

    /// Settles what `context` has left; `readBack` proves objects that have no file to compare with.
    package init(_ context: ReconcilingContext, readBack: ReadBack) {
        (self.context, self.readBack) = (context, readBack)
    }

    /// Attempts that one pass settles at most.
    private static let adoptedAtOnce = 500

    /// Settles what our attempts left: with a receipt where one is due, else by deleting or resending.
    ///
    /// A storage that does not answer is left for the next pass.
    ///
    /// - Returns: Whether something is to be stored again now.
    package func settle() async throws -> Bool {
        var isAsking = false
        do {
            let attempts = try await context.library.doubtfulAttempts(
                destination: context.destination.name, count: Self.adoptedAtOnce)
            for attempt in attempts where await !context.isUnderWay(attempt.key) {
                if try await settle(attempt) { isAsking = true }
            }
        } catch let error as StorageError {
            // The leftovers stay until the next pass, and "prune" lists them.
            context.log.debug("Leftovers stay: \(error)")
        }
        try await context.library.commit()
        try await context.uploader.countRoom()
        if isAsking { context.wake.notify() }
        return isAsking
    }

    /// Settles what one attempt left; whether something is to be stored again because of that.
    private func settle(_ attempt: Attempt) async throws -> Bool {
        let receipt = try await context.receipt(at: attempt.key)
        // The attempt's bytes are stored, but its request may still arrive and replace newer ones.
        if let receipt, receipt.sha256 == attempt.sha256, attempt.mayArrive(at: context.clock()) { return false }
        let answer = try await context.info(attempt.key)
        guard let info = try await context.uploader.sender.look(at: attempt, answer) else {
            // A request that arrived late may have taken the place of what was stored, and its bytes may not have stayed.
            guard answer == nil, let receipt else { return false }
            return try await forget(lost: receipt)
        }
        if let receipt, receipt.describes(info) {
            // The receipt describes exactly this object: its bytes were sent twice.
            try await context.library.forget(attempt)
            return false
        }
        let (fate, duplicates) = try await fate(of: attempt, info, receipt)
        switch fate {
        case .adopted: try await adopt(attempt, info)
        case .deleted: if await !context.isUnderWay(attempt.key) { _ = try await delete(attempt) }
        case .replaced: try await replace(attempt, receipt)
        case .left: break
        }
        return fate == .replaced || duplicates.isAskingAgain
    }

    private func fate(
        of attempt: Attempt, _ info: ObjectInfo, _ receipt: Receipt?
    ) async throws -> (LeftoverFate, DuplicateLook) {
        let file = try await file(of: attempt, receipt)
        guard file == .gone else {
            return (LeftoverFate(file, isProvenElsewhere: false, isPictureOfNothing: false), DuplicateLook())
        }
        var isPictureOfNothing = false
        if attempt.role != .original, let place = attempt.place {
            isPictureOfNothing = try await !context.library.hasOriginal(at: place)
        }
        let duplicates = try await context.library.duplicates(of: attempt, size: info.size ?? attempt.size)
        let look = try await look(at: duplicates)
        let fate = LeftoverFate(file, isProvenElsewhere: look.isProven, isPictureOfNothing: isPictureOfNothing)
        return (fate, look)
    }

    private func file(of attempt: Attempt, _ receipt: Receipt?) async throws -> LeftoverFile {
        guard let location = try await location(of: attempt) else { return .other }
        if try await context.presence.isGone(location.path, root: location.root) { return .gone }
        guard let receipt, let asset = try await context.library.asset(root: location.root, path: location.path),
            asset.state == .stored
        else { return .other }
        return receipt.role != .original || receipt.sha256 == asset.sha256 ? .stored : .other
    }

    /// What the server shows of objects that receipts say hold the same bytes.
    struct DuplicateLook {
        /// Whether one of them is there as its receipt says.
        fileprivate(set) var isProven = false
        /// Whether one of them was not there, so that its file is to be stored again.
        fileprivate(set) var isAskingAgain = false
    }

    /// Looks at `duplicates` until one is there as its receipt says, by the server; forgets receipts without objects.
    ///
    /// - Parameter doomed: Keys that do not count, because their objects are about to be deleted, too.
    func look(at duplicates: [Duplicate], besides doomed: Set<ObjectKey> = []) async throws -> DuplicateLook {
        var look = DuplicateLook()
        for receipt in duplicates.map(\.receipt) where !doomed.contains(receipt.key) {
            if let info = try await context.info(receipt.key) {
                look.isProven = receipt.describes(info)
                if look.isProven { break }
            } else if try await forget(lost: receipt) {
                look.isAskingAgain = true
            }
        }
        return look
    }

    /// Forgets the receipt of an object that is not there, so that its file is stored again, unless it was moved.
    ///
    /// A move that came too late to be expected may have taken the object along.
    private func forget(lost receipt: Receipt) async throws -> Bool {
        guard try await context.isCurrent(receipt), try await !context.hasMoved(receipt) else { return false }
        try await context.library.forget(receipt)
        return true
    }

    /// Reads the object back, because there is no file to compare with; an object with other bytes stays a leftover.
    private func adopt(_ attempt: Attempt, _ info: ObjectInfo) async throws {
        guard let place = attempt.place, info.size != nil else { return }
        let receipt = context.receipt(
            at: attempt.key, role: attempt.role, sha256: attempt.sha256, found: info, proof: .readBack)
        guard try await readBack.shows(receipt), await !context.isUnderWay(attempt.key) else { return }
        try await context.library.adopt(receipt, of: place)
    }

    /// Keeps the receipt of an original, so that its object is replaced instead of stored under another key.
    private func replace(_ attempt: Attempt, _ receipt: Receipt?) async throws {
        guard let receipt else { return }
        guard receipt.role == .original else { return try await context.library.forget(receipt) }
        guard let asset = try await context.library.livingAsset(of: receipt) else { return }
        try await context.library.request([asset], forcedAt: context.clock())
    }
}

// MARK: - At the start, and after a listing

extension LeftoverObjects {
    /// Asks the server for the outcome of requests that were under way when an earlier run ended.
    ///
    /// A storage that does not answer is asked later; until then no receipt counts that a move may have made wrong.
    package func settleAttempts() async throws {
        do {
            try await context.uploader.sender.settleAttempts { key in
                // An item that waits for room is not sent before it is known what its key holds.
                await context.openItem(at: key)?.waitsForRoom == false
            }
        } catch let error as StorageError {
            context.log.debug("Not settled: \(error)")
        }
        try await context.uploader.countRoom()
    }

    /// Forgets attempts that a complete listing does not show, once no request can complete them.
    package func forgetUnseen(_ inspection: Inspection) async throws {
        let lost = Set(inspection.lost.map(\.receipt.key.text))
        let now = context.clock()
        var last = ""
        while true {
            let attempts = try await context.library.attempts(
                destination: context.destination.name, after: last, count: 500)
            guard let end = attempts.last else { return try await context.library.commit() }
            for attempt in attempts where !attempt.mayArrive(at: now) {
                let key = attempt.key.text
                guard !inspection.attempted.contains(key), !lost.contains(key),
                    await !context.isUnderWay(attempt.key), try await !isThere(attempt)
                else { continue }
                try await context.library.forget(attempt)
            }
            last = end.key.text
        }
    }

    /// Whether an object that was seen is there: a move may have brought it after the page that would list it.
    private func isThere(_ attempt: Attempt) async throws -> Bool {
        guard attempt.state == .there else { return false }
        do {
            return try await context.info(attempt.key) != nil
        } catch is StorageError {
            return true
        }
    }
}

// MARK: - Deleting

extension LeftoverObjects {
    /// Deletes the object of `leftover`, and any receipt of its key; `false` if the server did not delete it.
    func delete(_ leftover: Attempt) async throws -> Bool {
        let key = leftover.key
        let deleted = try await context.uploader.sender.delete([key]) { deleted in
            guard !deleted.isEmpty else { return }
            try await context.library.settle(deleted: leftover)
            // A receipt that was earned meanwhile is of an object that was deleted along with it.
            guard let receipt = try await context.receipt(at: key) else { return }
            try await context.library.outdatePictures(of: receipt)
            try await context.library.forget(receipt)
        }
        guard !deleted.isEmpty else { return false }
        try await context.audit.notePruned(
            key.text, path: name(of: leftover), size: leftover.size, leftover.sha256, at: context.clock())
        return true
    }

    func name(of leftover: Attempt) async throws -> String {
        try await location(of: leftover).map { "\($0.root)/\($0.path.display)" } ?? leftover.key.text
    }

    func location(of leftover: Attempt) async throws -> (root: String, path: FilePath)? {
        if let place = leftover.place { return try await context.library.location(of: place) }
        return leftover.key.file(prefix: context.keyPrefix).map { ($0.root, $0.path) }
    }
}
