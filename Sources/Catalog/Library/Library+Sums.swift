import Database
package import FoundationEssentials
package import MediaModel
import Platform
import Queue
import Text

/// Assets of one kind of content.
package struct KindCount: Codable, Hashable, Sendable {
    /// The kind that these assets have in common.
    package let kind: MediaKind
    /// Assets that are to be stored.
    package fileprivate(set) var total = 0
    /// How many of them are stored.
    package fileprivate(set) var stored = 0
    /// Bytes of all of them, stored or not.
    package fileprivate(set) var bytes: Int64 = 0

    fileprivate init(kind: MediaKind) { self.kind = kind }
}

/// Assets of one root.
package struct RootCount: Codable, Hashable, Sendable {
    /// The row of the root.
    let root: Int64
    /// Assets that are to be stored.
    package let total: Int
    /// How many of them are stored.
    package let stored: Int
    /// Bytes of all of them, stored or not.
    package let bytes: Int64
}

/// What one hour stored.
package struct HourlySum: Codable, Hashable, Sendable {
    /// When the hour began.
    package let start: Date
    /// Bytes of originals and thumbnails.
    package let bytes: Int64
    /// Originals and thumbnails.
    package let objects: Int

    /// Seconds.
    fileprivate static let length: Int64 = 3_600
    /// The seconds of the past that are told by the hour.
    fileprivate static let month = 30 * 86_400.0
}

/// Sums over all assets that no index holds: kept for readers from the last clean end until the next change.
struct LibrarySums: Codable, Hashable {
    var kinds: [KindCount]
    var roots: [RootCount]
    /// What each hour of the last month stored.
    var hours: [HourlySum]

    /// Text that `init(encoded:)` reads.
    func encoded() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

    init(kinds: [KindCount], roots: [RootCount], hours: [HourlySum]) {
        self.kinds = kinds
        self.roots = roots
        self.hours = hours
    }

    /// What `encoded` wrote; `nil` for anything else, such as the text of a later version.
    init?(encoded text: String) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
        } catch {
            return nil
        }
    }
}

/// What a reader has counted, as far as it was asked.
struct ReaderSums {
    var counts: AssetCounts?
    var kinds: [KindCount]?
    var roots: [RootCount]?
}

extension Library {
    /// The fact that holds the sums of the last clean end, until the next change.
    static let sumsFact = "sums"

    private func keptSums() throws -> LibrarySums? { try fact(Self.sumsFact).flatMap(LibrarySums.init(encoded:)) }

    /// All sums; `counts` are those of all roots together.
    func sums(of counts: AssetCounts, at now: Date) throws -> LibrarySums {
        LibrarySums(
            kinds: try countedKinds(), roots: try countedRoots(of: counts),
            hours: try countedHours(since: now - HourlySum.month))
    }

    /// What each hour of the month before `now` stored, oldest first; hours without anything are left out.
    package func storedByHour(at now: Date) throws -> [HourlySum] {
        let first = now - HourlySum.month
        guard let kept = try keptSums() else { return try countedHours(since: first) }
        return kept.hours.filter { $0.start >= first }
    }

    private func countedHours(since date: Date) throws -> [HourlySum] {
        let hour = HourlySum.length
        return try database.rows(
            """
            SELECT verified / \(hour * 1_000_000_000) AS hour, sum(size), count(*) FROM receipts
            WHERE verified >= ? GROUP BY hour ORDER BY hour
            """, .integer(FileTime(date).nanoseconds)
        ) {
            HourlySum(
                start: Date(timeIntervalSince1970: Double($0.integer(0) * hour)), bytes: $0.integer(1),
                objects: Int($0.integer(2)))
        }
    }

    /// The sums of every root, which together make `all`.
    package func rootCounts(of all: AssetCounts) throws -> [(root: KnownRoot, count: RootCount)] {
        let counts = try keptSums()?.roots ?? oncePerChange(\.roots) { try countedRoots(of: all) }
        return try roots().map { root in
            (root, counts.first { $0.root == root.id } ?? RootCount(root: root.id, total: 0, stored: 0, bytes: 0))
        }
    }

    private func countedRoots(of all: AssetCounts) throws -> [RootCount] {
        let known = try roots()
        // A single root has all of them.
        if known.count == 1 {
            return known.map {
                RootCount(root: $0.id, total: all.total, stored: all.stored, bytes: all.bytesToStore)
            }
        }
        return try database.rows(
            """
            SELECT d.root, count(*), sum(a.state = \(asset: .stored)), sum(a.size) FROM assets a JOIN directories d
            ON d.id = a.directory WHERE a.state IN \(assets: .toStore) GROUP BY d.root
            """
        ) {
            RootCount(
                root: $0.integer(0), total: Int($0.integer(1)), stored: Int($0.integer(2)), bytes: $0.integer(3))
        }
    }

    /// Assets by kind of content, where the content is known; the most frequent first.
    package func kinds() throws -> [KindCount] {
        try keptSums()?.kinds ?? oncePerChange(\.kinds) { try countedKinds() }
    }

    private func countedKinds() throws -> [KindCount] {
        var kinds: [MediaKind: KindCount] = [:]
        var hasOthers = true
        // A library that was not opened for writing since version 6 has no kind beside each asset.
        let hasKinds = try database.schemaVersion >= 6
        if hasKinds {
            hasOthers = false
            try database.each(Self.sums(of: "a.kind", "WHERE a.sha256 IS NOT NULL")) { row in
                guard row.integer(0) != 0, let kind = TimelineKind(rawValue: row.integer(0)) else {
                    hasOthers = true
                    return
                }
                kinds[kind.media, default: KindCount(kind: kind.media)].add(row)
            }
        }
        // Looking the content of each asset up costs ten times as much, and only few have no kind.
        if hasOthers {
            let unknown = hasKinds ? "a.kind = 0" : "a.sha256 IS NOT NULL"
            let contents = "JOIN contents c ON c.sha256 = a.sha256 WHERE \(unknown)"
            // Of a movie's container, only its facts tell that it holds sound alone.
            let type = "CASE json_extract(c.facts, '$.kind') WHEN 'audio' THEN 'audio/mp4' ELSE c.type END"
            try database.each(Self.sums(of: type, contents)) { row in
                let kind = MediaType(rawValue: row.text(0)).kind
                kinds[kind, default: KindCount(kind: kind)].add(row)
            }
        }
        return kinds.values.sorted { ($1.total, $0.kind.rawValue) < ($0.total, $1.kind.rawValue) }
    }

    /// The plus keeps SQLite from looking up almost every asset by an index of states: 0.24 s of a million, not 0.72.
    private static func sums(of group: String, _ selection: String) -> String {
        """
        SELECT \(group), count(*), sum(a.state = \(asset: .stored)), sum(a.size) FROM assets a \(selection)
        AND +a.state IN \(assets: .toStore) GROUP BY 1
        """
    }
}

extension KindCount {
    /// Adds a row of `sums`.
    fileprivate mutating func add(_ row: Row) {
        total += Int(row.integer(1))
        stored += Int(row.integer(2))
        bytes += row.integer(3)
    }
}

extension TimelineKind {
    /// The kind of content that assets of this kind have.
    fileprivate var media: MediaKind { self == .video ? .video : .photo }
}
