import Database
package import FoundationEssentials
package import Platform
package import Queue
package import Records
import Tables
import Text

/// What merging observations of the disk changed.
package struct ScanChanges: Hashable, Sendable {
    /// Files looked at.
    package var files = 0
    /// New, changed or returned ones.
    package var seen = 0
    /// Ones that are no longer there.
    package var missing = 0
    /// Ones that a listing did not show; `miss` writes them down once their disk is known to be present.
    package var absent: [Asset.Place] = []

    /// No files looked at, and no changes.
    package init() {}

    /// Adds up the changes of two merges.
    package static func += (left: inout ScanChanges, right: ScanChanges) {
        left.files += right.files
        left.seen += right.seen
        left.missing += right.missing
        left.absent += right.absent
    }
}

extension Library {
    /// Merges complete listings of directories of `root`; known files that a listing lacks are `absent`.
    ///
    /// Unchanged directories cost two queries and no write. Not durable before the next `commit()`. A root that was
    /// forgotten while it was walked stays so: its files would be of no root, and wait for ever.
    package func merge(
        _ looks: [DirectoryObservation], root: Int64, origin: Asset.Rank.Origin, at now: Date
    ) throws -> ScanChanges {
        var changes = ScanChanges()
        guard try knows(root: root) else { return changes }
        for look in looks { changes += try merge(look, root: root, origin: origin, at: now) }
        return changes
    }

    private func merge(
        _ look: DirectoryObservation, root: Int64, origin: Asset.Rank.Origin, at now: Date
    ) throws -> ScanChanges {
        let directory = try directory(look.path, in: root)
        try note(look, in: directory)
        guard look.failure == nil else { return ScanChanges() }
        var changes = ScanChanges()
        changes.files = look.files.count
        let (changed, missing) = try compare(look.files, in: directory)
        for (observation, effect) in changed {
            if observation.isSettled {
                try see(observation, in: directory, isBack: effect == .returned, origin: origin, at: now)
            } else if try known(Asset.Place(directory: directory, name: observation.name))?.state == .stored {
                try noteFreshChange(of: Asset.Place(directory: directory, name: observation.name), at: now)
            }
        }
        changes.seen = changed.count { $0.observation.isSettled }
        changes.absent = missing.filter { look.unread[$0] == nil }.map {
            Asset.Place(directory: directory, name: $0)
        }
        return changes
    }

    /// The files of a listing that would be new or changed; nothing is written.
    package func preview(
        _ look: DirectoryObservation, root: Int64, withRetries: Bool = true
    ) throws -> [Observation] {
        guard let directory = try existingDirectory(look.path, in: root) else { return look.files }
        let changed = try compare(look.files, in: directory).changed
        return changed.filter { withRetries || $0.effect != .again }.map(\.observation)
    }

    /// Files at or below `path` that wait to be read or sent, and the sum of their bytes.
    package func waiting(in root: Int64, below path: FilePath) throws -> (files: Int, bytes: Int64) {
        // Starts with the states, which few files are in, and not with the directories of a large root.
        let sums = try database.first(
            """
            SELECT count(*), coalesce(sum(a.size), 0) FROM assets a CROSS JOIN directories d ON d.id = a.directory
            WHERE a.state IN \(assets: .underWay) AND d.root = ?1
                AND (\(Self.isInOrBelow) OR d.path = ?5 AND a.name = ?6)
            """, .integer(root), .blob(path.bytes), .blob(path.bytes + [0x2F]), .blob(path.bytes + [0x30]),
            .blob(path.isEmpty ? [] : path.parent.bytes), .blob(path.isEmpty ? [] : path.name)
        ) { (Int($0.integer(0)), $0.integer(1)) }
        return sums ?? (0, 0)
    }

    /// Both sides are sorted by name, so one pass over them finds every difference.
    private func compare(
        _ files: [Observation], in directory: Int64
    ) throws -> (changed: [(observation: Observation, effect: ObservationEffect)], missing: [[UInt8]]) {
        var changed: [(observation: Observation, effect: ObservationEffect)] = []
        var missing: [[UInt8]] = []
        var rest = files[...]
        try database.each(
            "SELECT name, size, mtime, state FROM assets WHERE directory = ? ORDER BY name",
            binding: [.integer(directory)]
        ) { row in
            let state = Asset.State(rawValue: row.integer(3)) ?? .seen
            if let first = rest.first, row.blob(0, equals: first.name) {
                rest = rest.dropFirst()
                let known = KnownFile(
                    size: row.integer(1), modifiedAt: FileTime(nanoseconds: row.integer(2)), state: state)
                let effect = ObservationEffect(of: first, known: known)
                if effect != .none { changed.append((first, effect)) }
                return
            }
            let name = row.blob(0)
            while let first = rest.first, first.name.lexicographicallyPrecedes(name) {
                changed.append((first, .seen))
                rest = rest.dropFirst()
            }
            if let first = rest.first, first.name == name {
                rest = rest.dropFirst()
                let known = KnownFile(
                    size: row.integer(1), modifiedAt: FileTime(nanoseconds: row.integer(2)), state: state)
                let effect = ObservationEffect(of: first, known: known)
                if effect != .none { changed.append((first, effect)) }
            } else if state != .gone && state != .remoteOnly {
                missing.append(name)
            }
        }
        return (changed + rest.map { ($0, .seen) }, missing)
    }

    /// Writes down what was ignored and why a listing failed or lacks facts, where that has changed.
    private func note(_ look: DirectoryObservation, in directory: Int64) throws {
        let trouble = look.trouble
        let isNews = try database.exists(
            "SELECT 1 FROM directories WHERE id = ? AND (ignored != ? OR failure IS NOT ? OR rules IS NOT ?)",
            .integer(directory), .integer(Int64(look.ignored)), Value(trouble), Value(look.encodedRules)
        )
        guard isNews else { return }
        try write(
            "UPDATE directories SET ignored = ?, failure = ?, rules = ? WHERE id = ?",
            .integer(Int64(look.ignored)), Value(trouble), Value(look.encodedRules), .integer(directory))
    }

    /// Writes a file down as `seen`, whatever its state was.
    private func see(
        _ file: Observation, in directory: Int64, isBack: Bool, origin: Asset.Rank.Origin, at now: Date
    ) throws {
        let place = Asset.Place(directory: directory, name: file.name)
        let moment = FileTime(now).nanoseconds
        for walk in walks { walk.time?.note(moment) }
        try dropBlocked(of: place)
        if isBack {
            try outdateDuplicates(ofReturned: place)
            try markLastCopies(ofReturned: place)
        }
        // A date that was read holds until the new content is read.
        try write(
            """
            INSERT INTO assets (directory, name, size, mtime, state, rank, found, taken, dated, ratio, kind)
            VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (directory, name) DO UPDATE SET size = excluded.size, mtime = excluded.mtime,
                state = \(asset: .seen), taken = CASE WHEN dated THEN taken ELSE excluded.taken END,
                rank = min(rank, excluded.rank), found = excluded.found, code = NULL, message = NULL,
                brake = CASE WHEN state IN \(assets: [.stored, .remoteOnly, .held]) OR brake = \(brake: .suspect)
                    THEN \(brake: .suspect) END
            """,
            binding: [
                .integer(directory), .blob(file.name), .integer(file.size), .integer(file.modifiedAt.nanoseconds),
                .integer(Asset.Rank(origin, size: file.size).rawValue), .integer(moment),
            ] + Schema.values(of: TimelineFace(unread: file.name, modifiedAt: file.modifiedAt)))
    }

    /// Writes down that these files are not there any more; returns how many.
    ///
    /// - Parameter walk: The time of the walk that did not meet them: a file that was found meanwhile is there.
    @discardableResult package func miss(_ places: [Asset.Place], by walk: WalkTime? = nil) throws -> Int {
        let missing = try places.filter { try miss($0, unlessFoundBy: walk?.bounds ?? WalkTime.never) }
        try undateBySidecars(at: missing)
        return missing.count
    }

    /// Writes down that no file is at `path`, unless another look found one since `walk` began; returns 1 or 0.
    package func miss(at path: FilePath, root: Int64, by walk: WalkTime? = nil) throws -> Int {
        guard let directory = try existingDirectory(path.parent, in: root) else { return 0 }
        let place = Asset.Place(directory: directory, name: path.name)
        freshChanges.remove(place)
        guard let known = try known(place), known.state != .gone, known.state != .remoteOnly else { return 0 }
        return try miss([place], by: walk)
    }

    /// Writes down that a file is gone: with a receipt its object stays, without one nothing is left at the destination.
    ///
    /// Returns `false`, and leaves it, where another look has found it within `bounds`.
    private func miss(_ place: Asset.Place, unlessFoundBy bounds: [Value]) throws -> Bool {
        try rememberCancelled(place, unlessFoundBy: bounds)
        try write(
            """
            UPDATE assets SET state = CASE WHEN EXISTS (SELECT 1 FROM receipts r
                    WHERE r.directory = assets.directory AND r.name = assets.name AND r.role = 'original'
                        AND r.destination = (SELECT value FROM facts WHERE name = '\(Self.destinationFact)'))
                THEN ?3 ELSE ?4 END, thumbnails = CASE WHEN thumbnails IN \(pictures: .owed) THEN \(picture: .unwanted) ELSE thumbnails END
            WHERE directory = ?1 AND name = ?2 AND NOT (found BETWEEN ?5 AND ?6)
            """,
            binding: [
                .integer(place.directory), .blob(place.name), .integer(Asset.State.remoteOnly.rawValue),
                .integer(Asset.State.gone.rawValue),
            ] + bounds)
        guard database.changes > 0 else { return false }
        try markLastCopies(ofDeleted: place)
        try dropBlocked(of: place)
        return true
    }

    /// Merges an observation of one file; `nil` says that it is not there.
    ///
    /// Nothing comes into a root that was forgotten.
    package func merge(
        _ observation: Observation?, at path: FilePath, root: Int64, origin: Asset.Rank.Origin, now: Date
    ) throws -> ScanChanges {
        var changes = ScanChanges()
        guard try knows(root: root) else { return changes }
        guard let observation else {
            changes.missing = try miss(at: path, root: root)
            return changes
        }
        changes.files = 1
        let place = Asset.Place(directory: try directory(path.parent, in: root), name: path.name)
        if observation.isSettled { freshChanges.remove(place) }
        let effect = ObservationEffect(of: observation, known: try known(place))
        guard observation.isSettled, effect != .none else { return changes }
        try see(observation, in: place.directory, isBack: effect == .returned, origin: origin, at: now)
        changes.seen = 1
        return changes
    }

    private func known(_ place: Asset.Place) throws -> KnownFile? {
        try database.first(
            "SELECT size, mtime, state FROM assets WHERE directory = ? AND name = ?",
            .integer(place.directory), .blob(place.name)
        ) {
            KnownFile(
                size: $0.integer(0), modifiedAt: FileTime(nanoseconds: $0.integer(1)),
                state: Asset.State(rawValue: $0.integer(2)) ?? .seen)
        }
    }

    /// Writes down as gone all files in directories that a complete walk below `top` did not visit.
    ///
    /// Returns how many files those are. Below a directory that could not be listed nothing is concluded.
    ///
    /// - Parameters:
    ///   - failed: Those that this walk could not list; another walk may have listed them meanwhile.
    ///   - walk: The time of that walk: a file that was found meanwhile is there.
    package func missDirectories(
        of root: Int64, below top: FilePath, notIn visited: Set<FilePath>, failed: Set<FilePath> = [],
        by walk: WalkTime? = nil
    ) throws -> Int {
        let known = try database.rows(
            "SELECT id, path, failure IS NOT NULL FROM directories WHERE root = ?", .integer(root)
        ) { (id: $0.integer(0), path: FilePath(bytes: $0.blob(1)), isUnlisted: $0.flag(2)) }
        let unlisted = failed.union(known.filter { $0.isUnlisted && visited.contains($0.path) }.map(\.path))
        var missing = 0
        for directory in known where !visited.contains(directory.path) {
            guard top.isEmpty || directory.path == top || directory.path.relative(to: top) != nil,
                !unlisted.contains(where: { $0.isEmpty || directory.path.relative(to: $0) != nil })
            else { continue }
            missing += try missAll(in: directory.id, by: walk)
        }
        return missing
    }

    private func missAll(in directory: Int64, by walk: WalkTime?) throws -> Int {
        let names = try database.rows(
            """
            SELECT name FROM assets WHERE directory = ? AND state NOT IN \(assets: [.gone, .remoteOnly])
                AND NOT (found BETWEEN ? AND ?)
            """, binding: [.integer(directory)] + (walk?.bounds ?? WalkTime.never)
        ) { $0.blob(0) }
        try miss(names.map { Asset.Place(directory: directory, name: $0) })
        // If another walk found a file here meanwhile, the notes are that walk's, and stay.
        let isNoted = try database.exists(
            """
            SELECT 1 FROM directories WHERE id = ?1 AND (ignored != 0 OR failure IS NOT NULL)
                AND NOT EXISTS (SELECT 1 FROM assets WHERE directory = ?1 AND found BETWEEN ?2 AND ?3)
            """, binding: [.integer(directory)] + (walk?.bounds ?? WalkTime.never))
        if isNoted {
            try write(
                "UPDATE directories SET ignored = 0, failure = NULL, rules = NULL WHERE id = ?", .integer(directory))
        }
        return names.count
    }
}
