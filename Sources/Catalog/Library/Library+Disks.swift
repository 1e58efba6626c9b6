import Database
import FoundationEssentials
package import Platform
import Queue
package import Roots
import Tables

// Which directories roots are, and which disks are mounted below them.
extension Library {
    /// What is remembered of the root's own directory, under the empty path, and of disks mounted below it.
    package func disks(of root: Int64) throws -> [FilePath: DirectoryIdentity] {
        let rows = try database.rows("SELECT path, identity FROM disks WHERE root = ?", .integer(root)) {
            (FilePath(bytes: $0.blob(0)), Data($0.text(1).utf8))
        }
        let decoder = JSONDecoder()
        // An identity that cannot be decoded any more is learned again.
        let known = rows.compactMap { path, json in
            (try? decoder.decode(DirectoryIdentity.self, from: json)).map { (path, $0) }
        }
        return Dictionary(known) { $1 }
    }

    /// Remembers durably what lies at `path` below the root, or forgets it with `nil`.
    package func remember(_ identity: DirectoryIdentity?, of root: Int64, at path: FilePath) throws {
        if let identity {
            let json = String(decoding: try JSONEncoder().encode(identity), as: UTF8.self)
            try write(
                "INSERT OR REPLACE INTO disks (root, path, identity) VALUES (?, ?, ?)", .integer(root),
                .blob(path.bytes), .text(json))
        } else {
            try write("DELETE FROM disks WHERE root = ? AND path = ?", .integer(root), .blob(path.bytes))
        }
        try commit()
    }

    /// Whether any file was ever seen below a root, even if it is gone now, and forgotten.
    package func knowsFiles(below root: Int64) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM facts WHERE name = '\(Self.filesFact)' || ?1
            UNION ALL SELECT 1 FROM directories d JOIN assets a ON a.directory = d.id WHERE d.root = ?1 LIMIT 1
            """, .integer(root)
        )
    }

    /// Notes with the next commit what is left of the file at `place`, whose asset was forgotten: that its root has had a
    /// file, and that it dates no other one.
    func noteForgotten(at place: Asset.Place) throws {
        try write(
            """
            INSERT OR IGNORE INTO facts (name, value)
            SELECT '\(Self.filesFact)' || root, 'seen' FROM directories WHERE id = ?
            """, .integer(place.directory))
        try undateBySidecars(at: [place])
    }

    /// The names of the facts that say that a root has had files begin so; its number follows.
    private static let filesFact = "files of root "

    /// The name of the fact that says that a root has had files.
    static func filesFact(of root: Int64) -> String { "\(filesFact)\(root)" }

    /// Whether any file in or below the directory `path` was there at the last look.
    package func holdsFiles(inOrBelow path: FilePath, of root: Int64) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM directories d JOIN assets a ON a.directory = d.id
            WHERE d.root = ?1 AND \(Self.isInOrBelow) AND a.state NOT IN \(assets: .absent) LIMIT 1
            """, .integer(root), .blob(path.bytes), .blob(path.bytes + [0x2F]), .blob(path.bytes + [0x30])
        )
    }

    /// A condition: a directory's path is `?2`, or begins with `?3` (`?2` and a slash) and is before `?4`.
    static let isInOrBelow = "(d.path = ?2 OR length(?2) = 0 OR d.path >= ?3 AND d.path < ?4)"

    /// A file that was there at the last look.
    package struct Witness: Hashable, Sendable {
        /// The path below the root.
        package let path: FilePath
        /// Bytes.
        package let size: Int64
        /// When its content last changed, as that look showed it.
        package let modifiedAt: FileTime
    }

    /// Some of the files that were there at the last look, to recognise a disk that has no name.
    package func witnesses(of root: Int64, limit: Int = 64) throws -> [Witness] {
        try database.rows(
            """
            SELECT d.path, a.name, a.size, a.mtime FROM directories d JOIN assets a ON a.directory = d.id
            WHERE d.root = ? AND a.state NOT IN \(assets: .absent) LIMIT \(limit)
            """, .integer(root)
        ) {
            Witness(
                path: FilePath(bytes: $0.blob(0)).appending($0.blob(1)), size: $0.integer(2),
                modifiedAt: FileTime(nanoseconds: $0.integer(3)))
        }
    }
}

// Files on disks that are away are not read until the disks are back.
extension Library {
    /// Excludes all files in and below the directory `path` from reading until `endAbsence`.
    package func beginAbsence(of root: Int64, below path: FilePath) {
        absences[root, default: []].insert(path)
        absencesChanged()
    }

    /// Lets the files below the root be read again.
    package func endAbsence(of root: Int64) {
        guard absences.removeValue(forKey: root) != nil else { return }
        absencesChanged()
    }

    private func absencesChanged() {
        memory.knowsAbsences = false
        noteChange()
    }

    /// A condition on rows of `assets`: they do not lie on a disk that is away.
    func isPresent() throws -> String {
        guard !absences.isEmpty else { return "" }
        if !memory.knowsAbsences { try tabulateAbsences() }
        return "AND directory NOT IN (SELECT directory FROM temp.away)"
    }

    /// Makes the table `away` of the directories that are known now.
    private func tabulateAbsences() throws {
        try database.execute(
            "CREATE TEMP TABLE IF NOT EXISTS away (directory INTEGER PRIMARY KEY); DELETE FROM temp.away")
        for (root, paths) in absences {
            for path in paths {
                try database.run(
                    """
                    INSERT OR IGNORE INTO temp.away
                    SELECT d.id FROM directories d WHERE d.root = ?1 AND \(Self.isInOrBelow)
                    """, .integer(root), .blob(path.bytes), .blob(path.bytes + [0x2F]), .blob(path.bytes + [0x30]))
            }
        }
        memory.knowsAbsences = true
    }
}

extension Library {
    /// Notes that a stage found a disk of `root` away that the last scan had seen.
    package func noteAbsence(of root: Root, _ error: SystemError) throws {
        let place = error.path ?? root.known.path
        let below = place.relative(to: root.known.path) ?? FilePath(bytes: [])
        if root.sight.absence == nil {
            let absence = RootAbsence("\(place.display) went away, or another disk is there now")
            root.sight.absence = absence
            try setFact(RootAbsence.fact(root.known), to: absence.reason)
        }
        beginAbsence(of: root.known.id, below: below)
    }
}
