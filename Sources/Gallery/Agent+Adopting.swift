import Audit
import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Records
import Supabase
import Sync
import Text
import Uploading

/// What happens to an object of ours without a receipt, or whose receipt describes other bytes.
enum LeftoverFate: Hashable, Sendable {
    /// The file was deleted after it was sent: the object stays, and gets the receipt it was due.
    case adopted
    /// Its bytes are proven under another key, or it is a thumbnail without an original: it is deleted.
    case deleted
    /// The file is here, and other bytes of it were proven under the key: those are sent again.
    case replaced
    /// It is left as it is: another step or a later pass settles it.
    case left

    /// - Parameters:
    ///   - file: The file that belongs to the key of the object.
    ///   - isProvenElsewhere: Whether another object of ours holds the same bytes, and has a receipt.
    ///   - isPictureOfNothing: Whether it is a thumbnail whose original storage does not hold.
    init(_ file: LeftoverFile, isProvenElsewhere: Bool, isPictureOfNothing: Bool) {
        self =
            switch file {
            case .gone: isProvenElsewhere || isPictureOfNothing ? .deleted : .adopted
            case .stored: .replaced
            case .other: .left
            }
    }
}

/// What is known of the file under whose key a leftover lies.
enum LeftoverFile: Hashable, Sendable {
    /// It was deleted; its disk is present.
    case gone
    /// It is here, and the receipt under the key describes its bytes.
    case stored
    /// It is still to be stored, or its state is unknown.
    case other
}

extension Agent {
    /// Attempts that one pass settles at most.
    private static let adoptedAtOnce = 500

    /// Settles what our attempts left: with a receipt where one is due, else by deleting or resending.
    ///
    /// A storage that does not answer is left for the next pass.
    ///
    /// - Returns: Whether something is to be stored again now.
    func settleLeftovers() async throws -> Bool {
        var isAsking = false
        do {
            let attempts = try await library.doubtfulAttempts(
                destination: setup.destination.name, count: Self.adoptedAtOnce)
            for attempt in attempts where await !isUnderWay(attempt.key.text) {
                if try await settle(attempt) == .replaced { isAsking = true }
            }
        } catch let error as StorageError {
            // They stay until the next pass, and "prune" lists them.
            setup.log.debug("Leftovers stay: \(error)")
        }
        try await library.commit()
        try await countLeftovers()
        if isAsking { wake.notify() }
        return isAsking
    }

    private func settle(_ attempt: Attempt) async throws -> LeftoverFate {
        let receipt = try await library.receipt(destination: attempt.destination, key: attempt.key)
        // What it sent is stored; but its request may still arrive, in the place of newer bytes.
        if let receipt, receipt.sha256 == attempt.sha256, attempt.mayArrive(at: setup.clock()) { return .left }
        guard let info = try await uploader.sender.look(at: attempt, try await info(attempt.key)) else { return .left }
        if let receipt, receipt.describes(info) {
            // The receipt describes exactly these bytes: they were sent twice.
            try await library.forget(attempt)
            return .left
        }
        let fate = try await fate(of: attempt, info, receipt)
        switch fate {
        case .adopted: try await adopt(attempt, info, receipt)
        case .deleted: if await !isUnderWay(attempt.key.text) { _ = try await delete(attempt) }
        case .replaced: try await replace(attempt, receipt)
        case .left: break
        }
        return fate
    }

    private func fate(of attempt: Attempt, _ info: ObjectInfo, _ receipt: Receipt?) async throws -> LeftoverFate {
        let file = try await file(of: attempt, receipt)
        guard file == .gone else {
            return LeftoverFate(file, isProvenElsewhere: false, isPictureOfNothing: false)
        }
        var isPictureOfNothing = false
        if attempt.role != .original, let place = attempt.place {
            isPictureOfNothing = try await !library.hasOriginal(at: place)
        }
        let isProven = try await isProven(attempt, size: info.size ?? attempt.size)
        return LeftoverFate(file, isProvenElsewhere: isProven, isPictureOfNothing: isPictureOfNothing)
    }

    private func file(of attempt: Attempt, _ receipt: Receipt?) async throws -> LeftoverFile {
        guard let location = try await location(of: attempt) else { return .other }
        if try await Presence(roots: roots, library: library).isGone(location.path, root: location.root) {
            return .gone
        }
        guard let receipt, let asset = try await library.asset(root: location.root, path: location.path),
            asset.state == .stored
        else { return .other }
        return receipt.role != .original || receipt.sha256 == asset.sha256 ? .stored : .other
    }

    /// Whether another object of ours holds the bytes of `attempt`, by its receipt and by the server.
    ///
    /// - Parameter doomed: Keys that do not count, since they are about to be deleted, too.
    func isProven(_ attempt: Attempt, size: Int64, besides doomed: Set<ObjectKey> = []) async throws -> Bool {
        let duplicates = try await library.duplicates(of: attempt, size: size)
        for duplicate in duplicates where !doomed.contains(duplicate.receipt.key) {
            if let info = try await info(duplicate.receipt.key), duplicate.receipt.describes(info) { return true }
        }
        return false
    }

    /// Reads the object back, since there is no file to compare with; other bytes stay a leftover.
    private func adopt(_ attempt: Attempt, _ info: ObjectInfo, _ former: Receipt?) async throws {
        guard let place = attempt.place, let size = info.size else { return }
        let held = HeldObject(info)
        let receipt = Receipt(
            destination: attempt.destination, key: attempt.key, role: attempt.role,
            item: ItemIdentifier(at: setup.clock()), sha256: attempt.sha256, size: size, objectID: held.id,
            version: held.version, eTag: held.eTag, updatedAt: held.updatedAt, verifiedAt: setup.clock(),
            proof: .readBack)
        guard try await readBack.shows(receipt), await !isUnderWay(attempt.key.text) else { return }
        try await library.adopt(receipt, of: place)
        // The budget counts it as stored from now on, and not as a leftover.
        _ = budget.shrink(by: (former?.size ?? 0) - size)
    }

    /// Keeps the receipt of an original, so that the object is replaced, not stored under another key.
    private func replace(_ attempt: Attempt, _ receipt: Receipt?) async throws {
        guard let receipt else { return }
        guard receipt.role == .original else { return try await forget(receipt) }
        guard let asset = try await library.livingAsset(of: receipt) else { return }
        try await library.request([asset], forcedAt: setup.clock())
    }
}
