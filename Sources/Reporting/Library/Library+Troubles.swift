import Catalog
import Database
import Platform
import Queue
import Records
import Tables

// Files that a report names because they are not stored, or because something is odd about them.
extension Library {
    /// A cause for which assets failed or could not be read.
    struct Problem: Hashable, Sendable {
        /// The name of the root that one of them lies below.
        let root: String
        /// The path of the same one, below its root.
        let path: FilePath
        /// What kind of failure it is.
        let code: FailureCode
        /// The sentence that came with that one.
        let message: String
        /// How many assets it stopped.
        let count: Int
    }

    /// Why assets failed or could not be read, in the order of the codes; `counts` are those of now.
    func problems(of counts: AssetCounts) throws -> [Problem] {
        var stopped: [String: Int] = [:]
        for part in counts.parts where [Asset.State].failures.contains(part.state) {
            stopped[part.cause, default: 0] += part.count
        }
        return try stopped.sorted { $0.key < $1.key }.compactMap { code, count in
            let first = try queries.first(
                """
                SELECT directory, name, message FROM assets
                WHERE state IN \(assets: .failures) AND \(Schema.code("")) = ? LIMIT 1
                """, .text(code)
            ) { (Asset.Place(at: 0, of: $0), $0.textOrNil(2)) }
            guard let (place, message) = first, let location = try location(of: place) else { return nil }
            return Problem(
                root: location.root, path: location.path, code: FailureCode(code),
                message: message.map(Self.cleansed) ?? "no reason was kept", count: count)
        }
    }

    /// Something odd about existing assets, such as a name that disagrees with the bytes.
    struct Oddity: Hashable, Sendable {
        /// What is odd, in words for the user.
        let note: String
        /// How many assets it is true of.
        let count: Int
        /// The root of one of them.
        let root: String
        /// The path of the same one, below its root.
        let path: FilePath

        /// The note with an example, for the user.
        var sentence: String {
            let example = "\(root)/\(path.display)"
            return count == 1 ? "\(note): \(example)" : "\(note): \(count) files, such as \(example)"
        }
    }

    /// What is odd, the most frequent first, and how many different oddities there are.
    func oddities(limit: Int) throws -> (first: [Oddity], count: Int) {
        let rows = try queries.rows(
            """
            SELECT note, count(*), directory, min(name), count(*) OVER () FROM assets
            WHERE note IS NOT NULL AND state NOT IN (\(Asset.State.gone.rawValue), \(Asset.State.remoteOnly.rawValue))
            GROUP BY note ORDER BY count(*) DESC, note LIMIT \(limit)
            """
        ) { ($0.text(0), $0.integer(1), Asset.Place(directory: $0.integer(2), name: $0.blob(3)), $0.integer(4)) }
        let first = try rows.compactMap { note, count, place, _ in
            try location(of: place).map { Oddity(note: note, count: Int(count), root: $0.root, path: $0.path) }
        }
        return (first, Int(rows.first?.3 ?? 0))
    }

    /// The first files that the brake holds, as `<root>/<path>`.
    func heldFiles(limit: Int) throws -> [String] {
        let places = try queries.rows(
            "SELECT directory, name FROM assets WHERE state = \(asset: .held) LIMIT \(limit)"
        ) { Asset.Place(at: 0, of: $0) }
        return try places.compactMap { try location(of: $0) }.map { "\($0.root)/\($0.path.display)" }.sorted()
    }

    /// The first files kept in the library for one cause, with their roots' names; thumbnails do not count.
    func blockedFiles(_ reason: Item.Blocked, code: FailureCode?, limit: Int) throws -> [String] {
        guard hasBlocked else { return [] }
        let rows = try queries.rows(
            """
            SELECT item FROM blocked WHERE here AND role = 'original' AND reason = ? AND code IS ?
            ORDER BY id LIMIT \(limit)
            """, .text(reason.rawValue), Value(code?.text)
        ) { $0.blob(0) }
        return try rows.map { try Item(line: $0) }.map { "\($0.root)/\($0.path)" }
    }

    /// Why most of the stored files whose pictures are owed have none; `nil` where no try to make them has failed.
    func pictureTrouble() throws -> String? {
        try queries.first(
            """
            SELECT note FROM assets WHERE thumbnails IN \(pictures: .owed) AND state = \(asset: .stored)
                AND substr(note, 1, \(Asset.noThumbnail("").count)) = '\(Asset.noThumbnail(""))'
            GROUP BY note ORDER BY count(*) DESC, note LIMIT 1
            """
        ) { $0.text(0) }
    }
}
