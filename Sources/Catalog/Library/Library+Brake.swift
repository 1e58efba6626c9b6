import Database
package import FoundationEssentials
import Platform
package import Queue
package import Records
import Tables
import Text

/// What a decision of the brake changed.
package enum BrakeDecision: Hashable, Sendable {
    case nothing
    /// The assets that had to wait may be sent: they were only a few.
    case released
    /// No changed asset is sent any more.
    case held(reason: String)
}

extension Library {
    /// The name of the fact that the brake is on; its value is the reason.
    package static let brakeFact = "brake"

    /// Says whether the content of `asset`, which has a receipt for other bytes, may be sent; counts the change.
    ///
    /// An asset without a receipt, or with one for these bytes, is free; one of a former file of its name does not count.
    func admitChange(_ asset: Asset, to sha256: String, destination: String, at now: Date) throws -> BrakeVerdict {
        let (directory, name) = (Value.integer(asset.place.directory), Value.blob(asset.place.name))
        let known = try database.rows(
            """
            SELECT r.sha256 FROM receipts r WHERE directory = ? AND name = ? AND role = 'original' AND destination = ?
                AND NOT \(Self.isOfGoneFile)
            """, directory, name, .text(destination)
        ) { $0.blob(0).hexadecimal }
        guard !known.isEmpty, !known.contains(sha256) else { return .free }
        let mark = try database.first(
            "SELECT brake FROM assets WHERE directory = ? AND name = ?", directory, name
        ) { $0.textOrNil(0) }
        if mark == Asset.BrakeMark.approved.rawValue { return .free }
        try write("UPDATE assets SET brake = NULL WHERE directory = ? AND name = ?", directory, name)
        try write("INSERT OR REPLACE INTO changes VALUES (?, ?, ?)", directory, name, Self.time(now))
        freshChanges.remove(asset.place)
        return try brakeVerdict(at: now)
    }

    private static func time(_ date: Date) -> Value { .integer(FileTime(date).nanoseconds) }

    private func brakeVerdict(at now: Date) throws -> BrakeVerdict {
        let isOn = try fact(Self.brakeFact) != nil
        let (changed, unread) = try changes(at: now)
        guard !isOn, changed + unread > Brake.count else {
            return BrakeVerdict(changed: changed, unread: unread, stored: 0, isOn: isOn)
        }
        let again = try changedAndUnread()
        return BrakeVerdict(changed: try changedHere(), unread: unread - again, stored: try storedOnce())
    }

    /// Contents that changed within the hour and whose files are still here; the others are not to be sent.
    private func changedHere() throws -> Int {
        try count(
            """
            SELECT count(*) FROM changes c JOIN assets a ON a.directory = c.directory AND a.name = c.name
            WHERE \(Self.isStoredOnce)
            """)
    }

    /// Files that changed again since they were read: they count once.
    private func changedAndUnread() throws -> Int {
        try count(
            """
            SELECT count(*) FROM changes c JOIN assets a ON a.directory = c.directory AND a.name = c.name
            WHERE a.brake = \(brake: .suspect) AND a.state IN \(assets: .unread)
            """)
    }

    private func count(_ query: String) throws -> Int { try database.first(query) { Int($0.integer(0)) } ?? 0 }

    /// Contents that changed within the hour, and files that changed and were not read yet.
    ///
    /// A change dated in the future is dropped: the clock was set back since, and it would count until that time comes.
    private func changes(at now: Date) throws -> (changed: Int, unread: Int) {
        try write(
            "DELETE FROM changes WHERE at <= ? OR at > ?", Self.time(now - Brake.span),
            Self.time(now + DatedWait.correction))
        return (try count("SELECT count(*) FROM changes"), try suspectCount() + freshChanges.count)
    }

    /// Notes that a stored file is being written to, unless it already counts as changed within the last hour.
    func noteFreshChange(of place: Asset.Place, at now: Date) throws {
        let counts = try database.exists(
            "SELECT 1 FROM changes WHERE directory = ? AND name = ? AND at > ?", .integer(place.directory),
            .blob(place.name), Self.time(now - Brake.span))
        if !counts { freshChanges.insert(place) }
    }

    /// Leaves files that were still being written to the next scan: the brake does not wait for them.
    package func forgetFreshChanges() { freshChanges = [] }

    private func suspectCount() throws -> Int {
        try count("SELECT count(*) FROM assets WHERE brake = \(brake: .suspect) AND state IN \(assets: .unread)")
    }

    /// Assets that are stored, or were before they changed or the user asked for them again.
    private func storedOnce() throws -> Int {
        // One sum for each part, so that SQLite looks up each by its states.
        try count(
            """
            SELECT (SELECT count(*) FROM assets WHERE state = \(asset: .stored))
                + (SELECT count(*) FROM assets a WHERE \(Self.isChanging))
            """)
    }

    private static let isChanging =
        """
        a.state IN \(assets: [.seen, .identifying, .queued, .failed, .held]) AND EXISTS (SELECT 1 FROM receipts r
            WHERE r.directory = a.directory AND r.name = a.name AND r.role = 'original')
        """

    /// A condition: the asset `a` is among those that `storedOnce` counts.
    private static let isStoredOnce = "(a.state = \(asset: .stored) OR \(isChanging))"

    /// Whether any asset waits for the brake's decision.
    func isBrakeUndecided() throws -> Bool { try database.exists(Self.undecidedQuery) }

    private static let undecidedQuery =
        "SELECT 1 FROM assets WHERE state = \(asset: .held) AND brake IS NULL LIMIT 1"

    /// Whether an earlier run left the brake on, or an asset about which the brake has not decided.
    static func holdsChanges(_ database: Connection) throws -> Bool {
        try database.exists("SELECT 1 FROM facts WHERE name = ?", .text(brakeFact))
            || database.exists(undecidedQuery)
    }

    /// Decides about the assets that wait; durable when this returns.
    package func decideBrake(at now: Date) throws -> BrakeDecision {
        guard try isBrakeUndecided() else {
            try letGoOfNothing()
            return .nothing
        }
        switch try brakeVerdict(at: now) {
        case .wait: return .nothing
        case .free:
            try write(
                """
                UPDATE assets SET state = \(asset: .seen), brake = \(brake: .approved)
                WHERE state = \(asset: .held) AND brake IS NULL
                """)
            try commit()
            return .released
        case .hold:
            let reason = try brakeReason(at: now)
            try write(
                """
                UPDATE assets SET brake = \(brake: .held), message = ? WHERE state = \(asset: .held) AND brake IS NULL
                """, .text(reason))
            try setFact(Self.brakeFact, to: reason)
            return .held(reason: reason)
        }
    }

    /// The reason for the user; its count grows while more files are read, until the hour is over.
    private func brakeReason(at now: Date) throws -> String {
        _ = try changes(at: now)
        let (changed, stored) = (try changedHere(), try storedOnce())
        if !Brake.holds(changed: changed, of: stored), let known = try fact(Self.brakeFact) { return known }
        return "\(changed) of \(stored) stored files changed within one hour"
    }

    /// Releases the brake once no asset is held any more.
    private func letGoOfNothing() throws {
        guard try fact(Self.brakeFact) != nil, try heldCount() == 0, try suspectCount() == 0 else { return }
        try setFact(Self.brakeFact, to: nil)
    }

    /// Assets that the brake holds, decided or not.
    package func heldCount() throws -> Int {
        try database.first("SELECT count(*) FROM assets WHERE state = \(asset: .held)") { Int($0.integer(0)) } ?? 0
    }

    /// Files that changed within the hour and whose items wait in the queue.
    package func queuedChanges() throws -> Set<RootedPath> {
        let places = try database.rows(
            """
            SELECT c.directory, c.name FROM changes c
            JOIN assets a ON a.directory = c.directory AND a.name = c.name WHERE a.state = \(asset: .queued)
            """
        ) { Asset.Place(directory: $0.integer(0), name: $0.blob(1)) }
        return Set(try places.compactMap { try location(of: $0) }.map { RootedPath(root: $0.root, path: $0.path) })
    }

    /// Of `files`, those whose originals are kept here and not in the queue.
    package func blocked(among files: Set<RootedPath>) throws -> Set<RootedPath> {
        guard hasBlocked else { return [] }
        return try files.filter { file in
            guard let place = try place(root: file.root, path: file.path) else { return false }
            return try blocked(of: place).contains { $0.role == .original }
        }
    }

    /// Holds files whose items were withdrawn, durably.
    package func hold(_ files: Set<RootedPath>, reason: String) throws {
        for file in files {
            guard let place = try place(root: file.root, path: file.path) else { continue }
            try dropBlocked(of: place)
            try write(
                """
                UPDATE assets SET state = \(asset: .held), brake = \(brake: .held), code = NULL, message = ?
                WHERE directory = ? AND name = ? AND state = \(asset: .queued)
                """, .text(reason), .integer(place.directory), .blob(place.name))
        }
        try commit()
    }

    /// Notes that the user approves these changes: the assets are read again and sent before all others.
    ///
    /// With the last one the brake is released, and counting begins anew. Durable when this returns.
    package func approve(_ assets: [Asset]) throws {
        for asset in assets {
            let place: [Value] = [.integer(asset.place.directory), .blob(asset.place.name)]
            try write(
                """
                UPDATE assets SET state = \(asset: .seen), rank = rank % 2, brake = \(brake: .approved), message = NULL
                WHERE directory = ? AND name = ? AND state = \(asset: .held)
                """, binding: place)
            try write("DELETE FROM changes WHERE directory = ? AND name = ?", binding: place)
        }
        try letGoOfNothing()
        try commit()
    }
}
