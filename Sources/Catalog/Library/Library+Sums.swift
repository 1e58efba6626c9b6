import Database
package import FoundationEssentials
package import MediaModel
import Platform
import Queue
import Records
package import Roots
import Tables
import Text

/// Assets of one kind of content.
package struct KindCount: Hashable, Sendable {
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
package struct RootCount: Hashable, Sendable {
    /// Assets that are to be stored.
    package fileprivate(set) var total = 0
    /// How many of them are stored.
    package fileprivate(set) var stored = 0
    /// How many of them are on their way to storage, or held by the brake.
    package fileprivate(set) var waiting = 0
    /// Bytes of all of them, stored or not.
    package fileprivate(set) var bytes: Int64 = 0
}

/// What one hour stored.
package struct HourlySum: Hashable, Sendable {
    /// When the hour began.
    package let start: Date
    /// Bytes of originals and thumbnails.
    package let bytes: Int64
    /// Originals and thumbnails.
    package let objects: Int

    /// The seconds of the past for which each hour is reported.
    fileprivate static let month = 30 * 86_400.0
}

/// Assets that are alike in all that a status tells apart.
struct AssetSum: Hashable {
    let state: Asset.State
    /// The row of the root.
    let root: Int64
    /// The kind that the library keeps beside each asset, or one of the schema's two for those without.
    let kind: Int64
    /// The code of the failure, or why it is ignored; empty in other states.
    let cause: String
    let count: Int
    let bytes: Int64
}

extension Library {
    /// All assets, by what a status tells apart.
    func assetSums() throws -> [AssetSum] {
        try database.rows("SELECT state, root, kind, cause, count, bytes FROM asset_sums WHERE count > 0") {
            row -> AssetSum? in
            Asset.State(rawValue: row.integer(0)).map {
                AssetSum(
                    state: $0, root: row.integer(1), kind: row.integer(2), cause: row.text(3),
                    count: Int(row.integer(4)), bytes: row.integer(5))
            }
        }.compactMap(\.self)
    }

    /// Objects of a destination by what proves them.
    func proofs(of destination: String) throws -> [Receipt.Proof: Int] {
        let rows = try database.rows(
            """
            SELECT proof, sum(count) AS total FROM receipt_sums WHERE destination = ? GROUP BY proof HAVING total > 0
            """, .text(destination)
        ) { (Receipt.Proof(rawValue: $0.text(0)) ?? .size, Int($0.integer(1))) }
        return Dictionary(rows, uniquingKeysWith: +)
    }

    /// What each hour of the month before `now` stored, oldest first; hours without anything are left out.
    package func storedByHour(at now: Date) throws -> [HourlySum] {
        let first = now - HourlySum.month
        return try database.rows(
            """
            SELECT hour, sum(bytes), sum(count) AS objects FROM receipt_sums WHERE hour >= ? GROUP BY hour
            HAVING objects > 0 ORDER BY hour
            """, .integer(Int64((first.timeIntervalSince1970 / Double(Schema.hour)).rounded(.up)))
        ) {
            HourlySum(
                start: Date(timeIntervalSince1970: Double($0.integer(0) * Schema.hour)), bytes: $0.integer(1),
                objects: Int($0.integer(2)))
        }
    }

    /// The sums of every root, which together make `counts`.
    package func rootCounts(of counts: AssetCounts) throws -> [(root: KnownRoot, count: RootCount)] {
        let sums = Dictionary(grouping: counts.parts, by: \.root)
        return try roots().map { root in
            var count = RootCount()
            for part in sums[root.id] ?? [] where [Asset.State].toStore.contains(part.state) {
                count.total += part.count
                count.stored += part.state == .stored ? part.count : 0
                count.waiting += [Asset.State].waiting.contains(part.state) ? part.count : 0
                count.bytes += part.bytes
            }
            return (root, count)
        }
    }
}

extension AssetCounts {
    /// Assets by kind of content, where the content is known; the most frequent first.
    package var kinds: [KindCount] {
        var kinds: [MediaKind: KindCount] = [:]
        for part in parts where [Asset.State].toStore.contains(part.state) {
            guard let kind = part.media else { continue }
            kinds[kind, default: KindCount(kind: kind)].add(part)
        }
        return kinds.values.sorted { ($1.total, $0.kind.rawValue) < ($0.total, $1.kind.rawValue) }
    }
}

extension KindCount {
    fileprivate mutating func add(_ part: AssetSum) {
        total += part.count
        stored += part.state == .stored ? part.count : 0
        bytes += part.bytes
    }
}

extension AssetSum {
    /// The kind of content that these assets have; `nil` where they were not read.
    fileprivate var media: MediaKind? {
        switch TimelineKind(rawValue: kind) {
        case .video: .video
        // What the timeline shows and is neither picture nor video is sound.
        case .other: .audio
        case .photo, .raw, .animation: .photo
        case nil: kind == Schema.sidecarKind ? .sidecar : nil
        }
    }
}
