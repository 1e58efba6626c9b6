import Catalog
import Database
package import Platform
import Tables

/// How many assets of the timeline each folder and each camera has.
package struct TimelineSurvey: Sendable {
    /// A directory below a root.
    package struct Folder: Hashable, Sendable {
        /// The row of the root.
        let root: Int64
        /// Below the root; empty for the root itself.
        package let path: FilePath

        /// The folder at `path` of a root.
        package init(root: Int64, path: FilePath) {
            (self.root, self.path) = (root, path)
        }
    }

    /// Assets of a directory that one camera took.
    struct Tally {
        let directory: Int64
        let camera: Int64?
        let count: Int
    }

    private let cameraNames: [Int64: String]
    private let directories: [Int64: Folder]
    /// Assets of each camera, by its name.
    package private(set) var cameras: [String: Int] = [:]
    /// Assets of each folder, with those of the folders below it.
    package private(set) var counts: [Folder: Int] = [:]
    /// The folders directly below each folder, those that have assets.
    private var children: [Folder: Set<Folder>] = [:]

    init(cameras: [Int64: String], folders: [Int64: Folder]) {
        (cameraNames, directories) = (cameras, folders)
    }

    mutating func add(_ tallies: [Tally]) {
        for tally in tallies {
            if let name = tally.camera.flatMap({ cameraNames[$0] }) { cameras[name, default: 0] += tally.count }
            guard var folder = directories[tally.directory] else { continue }
            counts[folder, default: 0] += tally.count
            while !folder.path.isEmpty {
                let parent = Folder(root: folder.root, path: folder.path.parent)
                children[parent, default: []].insert(folder)
                counts[parent, default: 0] += tally.count
                folder = parent
            }
        }
    }

    /// The folders directly below `folder`, in the order of their names.
    package func folders(below folder: Folder) -> [Folder] {
        (children[folder] ?? []).sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    /// Whether there are folders below `folder`.
    package func isParent(_ folder: Folder) -> Bool { children[folder]?.isEmpty == false }
}

extension Library {
    /// Rows that one query for folders returns at most.
    private static let folderLimit = 8_192

    /// The names of cameras, by their rows.
    func cameraNames() throws -> [Int64: String] {
        let rows = try queries.rows("SELECT id, name FROM cameras") { ($0.integer(0), $0.text(1)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// The row of a camera that is known.
    func cameraRow(named name: String) throws -> Int64? {
        try queries.first("SELECT id FROM cameras WHERE name = ?", .text(name)) { $0.integer(0) }
    }

    /// All directories, by their rows.
    func folders() throws -> [Int64: TimelineSurvey.Folder] {
        var folders: [Int64: TimelineSurvey.Folder] = [:]
        var last = Int64.min
        while true {
            let rows = try queries.rows(
                "SELECT id, root, path FROM directories WHERE id > ? ORDER BY id LIMIT \(Self.folderLimit)",
                .integer(last)
            ) { ($0.integer(0), TimelineSurvey.Folder(root: $0.integer(1), path: FilePath(bytes: $0.blob(2)))) }
            for (id, folder) in rows { folders[id] = folder }
            guard let end = rows.last, rows.count == Self.folderLimit else { return folders }
            last = end.0
        }
    }

    /// How many assets of a month each directory and camera has.
    func tallies(in month: TimelineSpan) throws -> [TimelineSurvey.Tally] {
        let bounds = MonthSlice(month: month.name, skip: 0, count: month.count).bounds
        return try queries.rows(
            """
            SELECT directory, camera, count(*) FROM assets INDEXED BY assets_timeline
            WHERE \(Schema.isShown) AND taken >= ? AND taken < ? GROUP BY 1, 2
            """, .integer(bounds.lowerBound), .integer(bounds.upperBound)
        ) {
            TimelineSurvey.Tally(directory: $0.integer(0), camera: $0.integerOrNil(1), count: Int($0.integer(2)))
        }
    }
}
