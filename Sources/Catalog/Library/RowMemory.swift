import Platform
import Queue
import Records

/// Facts about rows that save queries; replaced by an empty one whenever SQLite rolls back.
///
/// After a failed disk write, SQLite rolls back all writes since the last commit, and later gives the same row numbers
/// to other rows.
final class RowMemory {
    /// A directory below a root.
    struct DirectoryPath: Hashable {
        let root: Int64
        let path: FilePath
    }

    /// What is taken at one destination; `nil` for what has to be counted anew.
    struct KnownOccupancy {
        var stored: Int64?
        var leftovers: Leftovers?
    }

    /// Directory rows looked up lately.
    private(set) var directories: [DirectoryPath: Int64] = [:]
    private(set) var paths: [Int64: DirectoryPath] = [:]
    /// The names of all roots; `nil` until they are read.
    var roots: [Int64: String]?
    /// Rows of cameras.
    var cameras: [String: Int64] = [:]
    /// What is taken at each destination, as far as it is known.
    var occupancies: [String: KnownOccupancy] = [:]
    /// Whether an object may be marked as the last copy; `nil` where that was not asked yet.
    var mayHoldLastCopies: Bool?
    /// Whether storage may hold files without receipts; `nil` until it is read.
    var mayLackReceipts: Bool?
    /// Whether `temp.away` holds what `Library.absences` says.
    var knowsAbsences = false
    /// Writes since the last commit.
    var pending = 0

    /// Notes a directory's row in both maps, which are emptied when they grow large.
    func remember(_ place: DirectoryPath, as id: Int64) {
        if paths.count >= 4_096 {
            paths.removeAll(keepingCapacity: true)
            directories.removeAll(keepingCapacity: true)
        }
        paths[id] = place
        directories[place] = id
    }

    /// Forgets the rows of all roots and directories, because some of them were deleted.
    func forgetPlaces() {
        paths.removeAll()
        directories.removeAll()
        (roots, knowsAbsences) = (nil, false)
        forgetOccupancies()
    }

    /// Forgets what is taken at all destinations, because a receipt went or got another key.
    func forgetOccupancies() { occupancies = [:] }

    /// Forgets the leftovers at all destinations, because an attempt changes, or when an object was proven.
    func forgetLeftovers() {
        for destination in occupancies.keys { occupancies[destination]?.leftovers = nil }
    }
}
