import Database
package import FoundationEssentials
package import Platform

/// How many assets are in which state, and their bytes.
package struct AssetCounts: Hashable, Sendable {
    package var number: [Asset.State: Int] = [:]
    package var bytes: [Asset.State: Int64] = [:]
    /// Files and directories that the rules left out of the last walk.
    package var leftOut = 0

    package init() {}

    package subscript(_ states: Asset.State...) -> Int { states.reduce(0) { $0 + number[$1, default: 0] } }

    package func bytes(_ states: Asset.State...) -> Int64 { states.reduce(0) { $0 + bytes[$1, default: 0] } }

    /// Assets that are to be stored: each is stored, waiting, failed or unreadable.
    package var total: Int { stored + waiting + failed + unreadable }
    package var stored: Int { self[.stored] }
    package var waiting: Int { self[.seen, .identifying, .queued] }
    package var failed: Int { self[.failed] }
    package var unreadable: Int { self[.unreadable] }
    package var ignored: Int { self[.ignored] + leftOut }
}

extension Library {
    /// Counts of every state, in one pass over an index.
    package func counts() throws -> AssetCounts {
        var counts = AssetCounts()
        try database.each("SELECT state, count(*), sum(size) FROM assets GROUP BY state") { row in
            guard let state = Asset.State(rawValue: row.integer(0)) else { return }
            counts.number[state] = Int(row.integer(1))
            counts.bytes[state] = row.integer(2)
        }
        counts.leftOut =
            try database.first("SELECT sum(ignored) FROM directories") { Int($0.integer(0)) } ?? 0
        return counts
    }

    /// Whether any file below a root was there at the last look.
    package func holdsFiles(below root: Int64) throws -> Bool {
        try database.first(
            """
            SELECT 1 FROM directories d JOIN assets a ON a.directory = d.id
            WHERE d.root = ? AND a.state NOT IN (7, 8) LIMIT 1
            """, .integer(root)
        ) { _ in true } ?? false
    }

    /// When the longest waiting asset was found.
    package func oldestWaiting() throws -> Date? {
        try database.first("SELECT min(found) FROM assets WHERE state IN (0, 1, 2)") { $0.integerOrNil(0) }
            .flatMap { $0 }.map { FileTime(nanoseconds: $0).date }
    }

    /// Assets that did not reach storage, newest first, with the reason.
    package func problems(limit: Int) throws -> [Problem] {
        let rows = try database.rows(
            """
            SELECT directory, name, state, code, message FROM assets WHERE state IN (3 + 1, 5) LIMIT \(limit)
            """
        ) { row in
            (
                Asset.Place(directory: row.integer(0), name: row.blob(1)), row.integer(2), row.textOrNil(3),
                row.textOrNil(4)
            )
        }
        return try rows.compactMap { place, state, code, message in
            guard let location = try location(of: place) else { return nil }
            return Problem(
                root: location.root, path: location.path, state: Asset.State(rawValue: state) ?? .failed,
                code: code ?? "unknown", message: message ?? "no reason was kept")
        }
    }

    /// One asset that needs somebody's attention.
    package struct Problem: Hashable, Sendable {
        package let root: String
        package let path: FilePath
        package let state: Asset.State
        package let code: String
        package let message: String
    }

    /// Directories that could not be listed at the last walk, with the reason.
    package func unlistedDirectories() throws -> [(path: String, reason: String)] {
        let rows = try database.rows(
            "SELECT r.path, d.path, d.failure FROM directories d JOIN roots r ON r.id = d.root WHERE failure IS NOT NULL"
        ) { (FilePath(bytes: $0.blob(0)), FilePath(bytes: $0.blob(1)), $0.text(2)) }
        return rows.map { root, path, reason in (root.appending(path).display, reason) }
    }

    /// The newest receipts of originals, with the path each belongs to.
    package func recent(limit: Int) throws -> [(root: String, path: FilePath, sha256: String, size: Int64, at: Date)] {
        let rows = try database.rows(
            """
            SELECT directory, name, sha256, size, verified FROM receipts WHERE role = 'original'
            ORDER BY verified DESC LIMIT \(limit)
            """
        ) {
            (
                Asset.Place(directory: $0.integer(0), name: $0.blob(1)), $0.blob(2).hexadecimal, $0.integer(3),
                FileTime(nanoseconds: $0.integer(4)).date
            )
        }
        return try rows.compactMap { place, sha256, size, at in
            try location(of: place).map { ($0.root, $0.path, sha256, size, at) }
        }
    }

    /// Bytes stored, originals and thumbnails, per span of `seconds`, oldest first.
    package func bytesOverTime(span seconds: Int64, since date: Date) throws -> [(
        start: Date, bytes: Int64, objects: Int
    )] {
        try database.rows(
            """
            SELECT verified / \(seconds * 1_000_000_000) AS span, sum(size), count(*) FROM receipts
            WHERE verified >= ? GROUP BY span ORDER BY span
            """, .integer(FileTime(date).nanoseconds)
        ) {
            (
                Date(timeIntervalSince1970: Double($0.integer(0) * seconds)), $0.integer(1), Int($0.integer(2))
            )
        }
    }
}
