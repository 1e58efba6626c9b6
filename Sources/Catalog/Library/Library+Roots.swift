import Database
package import Platform
import Queue
import Records
package import Roots
import Tables

extension Library {
    /// All roots, in the order in which they were added.
    package func roots() throws -> [KnownRoot] {
        try database.rows("SELECT id, name, path FROM roots ORDER BY id") {
            KnownRoot(id: $0.integer(0), name: $0.text(1), path: FilePath(bytes: $0.blob(2)))
        }
    }

    /// The root that `path` is or lies in, added when there is none, and the part of `path` below it.
    ///
    /// A new root is called `name`, or like its directory; a taken name gets `-2`, `-3`, ….
    /// Throws `OverlappingRoot` when a known root lies below `path`.
    package func root(at path: FilePath, name: String? = nil) throws -> (root: KnownRoot, below: FilePath) {
        let known = try roots()
        if let root = known.first(where: { $0.path == path }) { return (root, FilePath(bytes: [])) }
        for root in known {
            if let below = path.relative(to: root.path) { return (root, below) }
        }
        if let overlap = OverlappingRoot(path, among: known) { throw overlap }
        return (try addRoot(at: path, name: name), FilePath(bytes: []))
    }

    /// Adds a root at `path` durably, whatever other roots are or were there.
    package func addRoot(at path: FilePath, name: String? = nil) throws -> KnownRoot {
        let new = KnownRoot(new: path, name: name, beside: try roots())
        let root = KnownRoot(id: try unusedRootID(), name: new.name, path: path)
        try write(
            "INSERT INTO roots (id, name, path) VALUES (?, ?, ?)", .integer(root.id), .text(root.name),
            .blob(path.bytes))
        try commit()
        memory.roots = nil
        return root
    }

    /// An identifier that no root has or had: a walk of a forgotten root may still go on, and must not meet another's.
    private func unusedRootID() throws -> Int64 {
        let known = try roots().map(\.id).max() ?? 0
        return max(known, try highestForgottenRootID()) + 1
    }

    private func highestForgottenRootID() throws -> Int64 { try fact(Self.forgottenRootFact).flatMap(Int64.init) ?? 0 }

    private static let forgottenRootFact = "roots.forgotten"
}

extension Library {
    /// Spells the paths of roots as the settings do now: earlier versions kept `.`, `..` and doubled slashes.
    ///
    /// Durable. Otherwise the settings would name a new root, and its files would be stored again under another name.
    package func respellRoots() throws {
        let known = try roots()
        for root in known {
            let plain = root.path.plain
            guard plain != root.path, !known.contains(where: { $0.path == plain }) else { continue }
            try setPath(of: root.id, to: plain)
        }
    }

    /// Writes down durably that the directory of a root is at `path` now.
    package func setPath(of root: Int64, to path: FilePath) throws {
        try write("UPDATE roots SET path = ? WHERE id = ?", .blob(path.bytes), .integer(root))
        try commit()
        memory.roots = nil
    }
}

// MARK: - Roots that nothing asks for any more

extension Library {
    /// Writes down that nothing of a root is to be stored any more.
    ///
    /// Durable. Stored files stay stored. If the root is scanned again, its files come back like any that were away.
    ///
    /// - Parameter sending: Files that are being sent now, whose uploads go on.
    package func letGo(of root: KnownRoot, besides sending: Set<FilePath> = []) throws {
        let own = "directory IN (SELECT id FROM directories WHERE root = ?)"
        let found = try database.rows(
            """
            SELECT directory, name FROM assets WHERE \(own)
                AND state IN \(assets: [.seen, .identifying, .queued, .failed, .unreadable, .held])
            """, .integer(root.id)
        ) { Asset.Place(directory: $0.integer(0), name: $0.blob(1)) }
        let kept = Set(try sending.compactMap { try place(root: root.name, path: $0) })
        try miss(found.filter { !kept.contains($0) })
        try write(
            """
            UPDATE directories SET ignored = 0, failure = NULL, rules = NULL
                WHERE root = ? AND (ignored != 0 OR failure IS NOT NULL)
            """, .integer(root.id))
        try letGoOfPictures(of: root, own)
        try setFact(RootAbsence.fact(root), to: nil)
    }

    /// Roots that the last scan did not find; files below them may not be counted yet.
    package func absentRoots() throws -> [KnownRoot] {
        try roots().filter { try fact(RootAbsence.fact($0)) != nil }
    }

    /// Drops pictures that are not made or sent yet, because their files are not looked for; `takeUp` wants them again.
    private func letGoOfPictures(of root: KnownRoot, _ own: String) throws {
        let places = try database.rows("SELECT DISTINCT directory, name FROM blocked WHERE \(own)", .integer(root.id)) {
            Asset.Place(directory: $0.integer(0), name: $0.blob(1))
        }
        for place in places { try dropBlocked(of: place) }
        try write(
            "UPDATE assets SET thumbnails = \(picture: .made) WHERE \(own) AND thumbnails IN \(pictures: .owed)",
            .integer(root.id))
        if !places.isEmpty || database.changes > 0 { try noteUnsentPictures(of: root) }
    }

    /// Has the pictures of a root looked for again that were not sent, according to `noteUnsentPictures`.
    package func takeUp(_ root: KnownRoot) throws {
        guard try fact(Self.picturesFact(of: root)) != nil else { return }
        try doubtPictures()
        try setFact(Self.picturesFact(of: root), to: nil)
    }

    /// Writes down, with the next commit, that pictures of the root were made and are not sent.
    ///
    /// So it is while its files are only indexed, and for what waited when it was taken out of the configuration.
    package func noteUnsentPictures(of root: KnownRoot) throws {
        guard try fact(Self.picturesFact(of: root)) == nil else { return }
        try setFact(Self.picturesFact(of: root), to: "unsent")
    }

    /// Has the root's files sent that were only indexed; durable.
    package func sendIndexed(of root: KnownRoot) throws {
        let indexed = """
            state = \(asset: .indexed) AND directory IN (SELECT id FROM directories WHERE root = ?)
            """
        guard try database.exists("SELECT 1 FROM assets WHERE \(indexed)", .integer(root.id)) else { return }
        try write("UPDATE assets SET state = \(asset: .seen) WHERE \(indexed)", .integer(root.id))
        try commit()
    }

    /// The name of the fact that says that pictures of a root are not sent.
    private static func picturesFact(of root: KnownRoot) -> String { "pictures.\(root.id)" }

    /// Forgets a root durably, unless something of it is stored anywhere; whether it is forgotten.
    package func forget(_ root: KnownRoot) throws -> Bool {
        let own = "directory IN (SELECT id FROM directories WHERE root = ?1)"
        // What may lie under a key must still be settled, so the root has to stay known.
        let isNeeded = try database.exists(
            """
            SELECT 1 FROM receipts WHERE \(own) UNION ALL SELECT 1 FROM attempts WHERE \(own)
            UNION ALL SELECT 1 FROM moves WHERE \(own)
            UNION ALL SELECT 1 FROM marks WHERE \(own) UNION ALL SELECT 1 FROM blocked WHERE \(own) LIMIT 1
            """, .integer(root.id))
        guard !isNeeded else { return false }
        // Assets go first: the triggers that keep the counts look up an asset's root by its directory.
        for statement in [
            "DELETE FROM assets WHERE \(own)", "DELETE FROM changes WHERE \(own)",
            "DELETE FROM directories WHERE root = ?1", "DELETE FROM disks WHERE root = ?1",
            "DELETE FROM roots WHERE id = ?1",
        ] {
            try write(statement, .integer(root.id))
        }
        let facts = [
            "root.\(root.name)", RootAbsence.fact(root), Self.filesFact(of: root.id), Self.picturesFact(of: root),
            root.leftOutFact, root.rulesFact,
        ]
        for fact in facts { try writeFact(fact, to: nil) }
        let highest = max(root.id, try highestForgottenRootID())
        try writeFact(Self.forgottenRootFact, to: "\(highest)")
        if try !roots().contains(where: { $0.path == root.path }) { try forgetScan(of: root.path) }
        try commit()
        memory.forgetPlaces()
        return true
    }
}
