import Database
package import Platform
import Queue

extension Library {
    /// Something odd about existing assets, such as a name that disagrees with the bytes.
    package struct Oddity: Hashable, Sendable {
        /// What is odd, in words for the user.
        package let note: String
        /// How many assets it is true of.
        package let count: Int
        /// The root of one of them.
        package let root: String
        /// The path of the same one, below its root.
        package let path: FilePath

        /// The note with an example, for the user.
        package var sentence: String {
            let example = "\(root)/\(path.display)"
            return count == 1 ? "\(note): \(example)" : "\(note): \(count) files, such as \(example)"
        }
    }

    /// What is odd, the most frequent first, and how many different oddities there are.
    package func oddities(limit: Int) throws -> (first: [Oddity], count: Int) {
        let rows = try database.rows(
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
}
