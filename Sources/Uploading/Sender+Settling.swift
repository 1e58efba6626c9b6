import Catalog
import Configuration
import FoundationEssentials
package import Queue
package import Records
package import Supabase

/// How a move ended, by what the server holds under both of its keys.
enum MoveFinding: Hashable, Sendable {
    /// The object is under its new key, and no longer under the old one.
    case moved
    /// The object is where it was.
    case notMoved
    /// Both keys hold it: one of them is a leftover.
    case doubled
    /// Neither key holds it.
    case lost

    init(isAtSource: Bool, isAtTarget: Bool) {
        self =
            switch (isAtSource, isAtTarget) {
            case (true, true): .doubled
            case (true, false): .notMoved
            case (false, true): .moved
            case (false, false): .lost
            }
    }
}

extension Sender {
    /// Attempts that one start looks at.
    private static let settledAtOnce = 100

    /// Asks the server how moves, deletions and attempts of earlier runs ended; throws `StorageError`.
    ///
    /// Of attempts under keys without an open item, only the oldest are looked at.
    package func settleAttempts(isOpen: (ObjectKey) async -> Bool) async throws {
        try await library.redateLateRequests(destination: destination.name, at: clock())
        for move in try await library.expectedMoves(destination: destination.name) { try await settle(move) }
        for deletion in try await library.deletions(destination: destination.name) { try await settle(deletion) }
        let old = try await library.unseenAttempts(
            destination: destination.name, before: clock() - Attempt.echo, count: Self.settledAtOnce)
        for attempt in old where await !isOpen(attempt.key) {
            _ = try await look(at: attempt, try await info(attempt.key))
        }
        try await library.commit()
    }

    /// What is known of `item` once the moves of objects that it may replace or be made of are settled.
    ///
    /// Throws `StorageError` if that cannot be found out. Moves to the item's own key are settled, too: otherwise the
    /// receipt under the former key would stay although a file is back there.
    func settledContext(of item: Item) async throws -> UploadContext {
        while true {
            let known = try await library.uploadContext(of: item, destination: destination.name)
            guard let move = known.unsettledMove else { return known }
            try await settle(move)
        }
    }

    /// Whether an object with the item's bytes is being moved for another item now; earlier moves are settled.
    ///
    /// If nothing of ours holds the bytes, nothing is moved.
    func mayBeMoving(_ item: Item, _ known: UploadContext) async throws -> Bool {
        guard !known.isNew else { return false }
        return try await library.unsettledMove(before: item, isOthers: true, destination: destination.name) != nil
    }

    /// The leftover that `attempt` has left, as `info` of its key shows it; `nil` where it left none.
    ///
    /// An attempt that left nothing is forgotten once its request can no longer take effect.
    package func look(at attempt: Attempt, _ info: ObjectInfo?) async throws -> ObjectInfo? {
        guard let info, metadata(of: info)?.sha256 == attempt.sha256, otherComputer(of: info) == nil else {
            if !attempt.mayArrive(at: clock()) { try await library.forget(attempt) }
            return nil
        }
        if attempt.state != .there || attempt.size != info.size {
            try await library.settle(attempt, isThere: info.size ?? attempt.size)
        }
        return info
    }

    /// Forgets the receipt of an object that was deleted; a deletion that may still take effect is asked about again.
    private func settle(_ deletion: Deletion) async throws {
        let before = try await library.receipt(destination: destination.name, key: deletion.key)
        let isThere = try await info(deletion.key) != nil
        let receipt = try await library.receipt(destination: destination.name, key: deletion.key)
        // A receipt that was earned meanwhile is of an object that the answer is not about.
        if !isThere, let receipt, receipt == before { try await library.forget(receipt) }
        guard !deletion.mayArrive(at: clock()) else { return }
        try await library.forget(deletion)
    }

    /// Finds out whether `move` took place, and has the receipt of its object follow.
    package func settle(_ move: Move) async throws {
        let source = move.source
        let known = try await library.receipt(destination: destination.name, key: source)
        guard let receipt = known, receipt.sha256 == move.sha256 else {
            // The old key was filled or given up since: whatever the move left is treated like any other attempt.
            let after = try await info(move.key)
            try await keep(after, broughtBy: move)
            // The move came late and took what was stored under the old key since, so that file is sent again.
            if let known, let after, known.names(after), try await info(source) == nil {
                try await library.forget(known)
            }
            try await look(late: move, after)
            return try await library.commit()
        }
        var before = try await info(source)
        let after = try await info(move.key)
        let isAtTarget = after.map(receipt.names) ?? false
        // The object may have been moved between the two answers.
        if before != nil, isAtTarget { before = try await info(source) }
        if !isAtTarget { try await keep(after, broughtBy: move) }
        // An upload that was given up may have arrived under the old key since the object left it. With the same hash,
        // whatever its size is said to be, it would have no receipt if that went along.
        let isAtSource = before.map { !isAtTarget || metadata(of: $0)?.sha256 == receipt.sha256 } ?? false
        switch MoveFinding(isAtSource: isAtSource, isAtTarget: isAtTarget) {
        case .moved:
            if let after {
                try await library.settle(
                    moved: move, from: receipt, held: HeldObject(after), isGone: try await isGone(source),
                    at: clock())
            }
        case .doubled:
            try await confirm(receipt, by: before)
            if try await !isKept(after, at: move.key) { try await library.noteLeftover(of: move, size: receipt.size) }
            try await library.settle(move, at: clock())
        case .notMoved:
            try await confirm(receipt, by: before)
            try await library.settle(move, at: clock())
        case .lost:
            if try await !isElsewhere(receipt, besides: move) { try await library.forget(receipt) }
            try await look(late: move, after, size: receipt.size)
        }
        try await library.commit()
    }

    /// If the object of `move` is under neither key, looks for what the move brought by the object under its new key.
    ///
    /// - Parameter size: That of the bytes, if it is known: a server may state another one.
    private func look(late move: Move, _ after: ObjectInfo?, size: Int64 = 0) async throws {
        if let after, metadata(of: after)?.sha256 == move.sha256, otherComputer(of: after) == nil,
            try await !isKept(after, at: move.key)
        {
            try await library.noteLeftover(of: move, size: max(size, after.size ?? 0))
        }
        try await library.settle(move, at: clock())
    }

    /// Whether a receipt is for the object that lies under `key`, so that it is no leftover.
    private func isKept(_ object: ObjectInfo?, at key: ObjectKey) async throws -> Bool {
        let held = try await library.receipt(destination: destination.name, key: key)
        return object.map { held?.names($0) ?? false } ?? false
    }

    /// Whether another move has taken the object of `receipt` to its key.
    private func isElsewhere(_ receipt: Receipt, besides move: Move) async throws -> Bool {
        let moves = try await library.expectedMoves(from: receipt.key, destination: destination.name)
        for other in moves where other.key != move.key {
            if let info = try await info(other.key), receipt.names(info) { return true }
        }
        return false
    }

    /// Whether the file whose object has `key` is not there any more.
    private func isGone(_ key: ObjectKey) async throws -> Bool {
        guard let place = try await library.place(ofReceipt: key, destination: destination.name),
            let file = try await library.location(of: place)
        else { return false }
        return try await presence.isGone(file.path, root: file.root)
    }

    /// Counts the object that `move` took along as ours, if an upload had put other bytes under the old key meanwhile.
    ///
    /// The receipt of those may have been replaced since; then the object itself tells that this computer stored it.
    private func keep(_ object: ObjectInfo?, broughtBy move: Move) async throws {
        guard let object, let sha256 = metadata(of: object)?.sha256, sha256 != move.sha256 else { return }
        // It lay there before, as a last copy may that the move was refused for.
        let held = try await library.receipt(destination: destination.name, key: move.key)
        if let held, held.names(object) { return }
        let waiting = await queue.item(at: move.source.place(in: destination.bucket))
        var isOurs = ownHash(object) != nil || waiting?.sha256 == sha256 && waiting?.mayHaveArrived == true
        if !isOurs {
            isOurs = try await library.isOurs(destination: destination.name, key: move.source, sha256: sha256)
        }
        guard isOurs else { return }
        try await library.noteLeftover(of: move, sha256: sha256, size: object.size ?? 0)
    }

    /// Confirms the receipt of an object that stayed, so that items added because of doubt need not be sent.
    private func confirm(_ receipt: Receipt, by info: ObjectInfo?) async throws {
        guard let info, receipt.describes(info) else { return }
        try await library.confirm(receipt, at: clock())
    }
}
