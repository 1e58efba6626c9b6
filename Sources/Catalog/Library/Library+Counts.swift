import Database
import Platform
package import Queue
package import Records
import Roots
import Tables

/// How many assets are in which state, and their bytes.
package struct AssetCounts: Hashable, Sendable {
    /// Assets by state; a state without assets may be left out.
    package var number: [Asset.State: Int] = [:]
    /// Bytes of those assets, by state.
    package var bytes: [Asset.State: Int64] = [:]
    /// Files and directories that the rules left out of the last walk.
    package var leftOut = 0
    /// Objects of the destination by what proves them.
    package var proofs: [Receipt.Proof: Int] = [:]
    /// Objects whose files were gone when other files got their names.
    package var ofFormerFiles = 0
    /// What `number` and `bytes` are the sums of.
    package fileprivate(set) var parts: [AssetSum] = []

    /// Counts of an empty library.
    package init() {}

    /// How many assets are in any of `states`.
    package subscript(_ states: Asset.State...) -> Int { states.reduce(0) { $0 + number[$1, default: 0] } }

    /// Bytes of the assets in any of `states`.
    package func bytes(_ states: Asset.State...) -> Int64 { states.reduce(0) { $0 + bytes[$1, default: 0] } }

    /// Assets that are to be stored: each is stored, waiting, failed or unreadable.
    package var total: Int { stored + waiting + failed + unreadable }
    /// Assets whose receipt exists.
    package var stored: Int { self[.stored] }
    /// Assets on their way to storage, including those that the brake holds.
    package var waiting: Int { self[.seen, .identifying, .queued, .held] }
    /// Assets whose item failed.
    package var failed: Int { self[.failed] }
    /// Assets that could not be opened or read.
    package var unreadable: Int { self[.unreadable] }
    /// Stored files that rules left out of the last walk, and that are here all the same.
    package var leftOutStored: Int { absent { $0 == Schema.ruledCause } }
    /// Objects whose files are gone.
    package var remoteOnly: Int { absent { $0 != Schema.ruledCause } + ofFormerFiles }

    /// Stored files that the walks do not meet, for one of the causes that are `wanted`: each is in exactly one part.
    private func absent(_ wanted: (String) -> Bool) -> Int {
        parts.reduce(0) { $0 + ($1.state == .remoteOnly && wanted($1.cause) ? $1.count : 0) }
    }

    /// Bytes of everything that is to be stored.
    package var bytesToStore: Int64 { bytes(.seen, .identifying, .queued, .stored, .failed, .unreadable, .held) }
    /// Files that turned out to be no media, and everything that the rules left out of the last walk.
    package var ignored: Int { self[.ignored] + leftOut }
}

/// Assets that are alike in all that a status tells apart.
package struct AssetSum: Hashable, Sendable {
    /// Their state.
    package let state: Asset.State
    /// The row of the root.
    package let root: Int64
    /// The kind that the library keeps beside each asset, or one of the schema's two for those without.
    package let kind: Int64
    /// The code of the failure, or why it is ignored; empty in other states.
    package let cause: String
    /// Assets.
    package let count: Int
    /// Bytes of all of them.
    package let bytes: Int64
}

extension Library {
    /// Counts of every state, as the library's sums have them.
    package func counts() throws -> AssetCounts {
        var counts = AssetCounts()
        counts.parts = try assetSums()
        for part in counts.parts {
            counts.number[part.state, default: 0] += part.count
            counts.bytes[part.state, default: 0] += part.bytes
        }
        if let destination = try fact(Self.destinationFact) { counts.proofs = try proofs(of: destination) }
        counts.ofFormerFiles = try formerFileCount()
        counts.leftOut =
            try database.first("SELECT sum(ignored) FROM directories") { Int($0.integer(0)) } ?? 0
        return counts
    }

    /// Objects of former files whose names other files have now, unless an asset that is only in storage counts them.
    private func formerFileCount() throws -> Int {
        try database.first(
            """
            SELECT count(*) FROM marks m CROSS JOIN receipts r ON \(Self.concerns)
                JOIN assets a ON a.directory = r.directory AND a.name = r.name
            WHERE m.mark = \(mark: .lastCopy) AND a.sha256 IS NOT r.sha256 AND (a.state NOT IN \(assets: .absent)
                    OR EXISTS (SELECT 1 FROM receipts e WHERE e.directory = a.directory AND e.name = a.name
                        AND e.role = 'original' AND e.sha256 = a.sha256))
                AND NOT EXISTS (SELECT 1 FROM assets g WHERE g.sha256 = r.sha256 AND g.state = \(asset: .remoteOnly)
                    AND NOT EXISTS (SELECT 1 FROM receipts o WHERE o.directory = g.directory AND o.name = g.name
                        AND o.role = 'original' AND o.sha256 != g.sha256 AND NOT EXISTS (SELECT 1 FROM assets h
                            WHERE h.sha256 = o.sha256 AND h.state NOT IN \(assets: .absent))))
            """
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Whether any file below a root was there at the last look.
    package func holdsFiles(below root: Int64) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM directories d JOIN assets a ON a.directory = d.id
            WHERE d.root = ? AND a.state NOT IN \(assets: .absent) LIMIT 1
            """, .integer(root)
        )
    }

    /// Directories that could not be listed at the last walk, or hold what could not be looked at, with the reason.
    package func unlistedDirectories() throws -> [(path: String, reason: String, isAway: Bool)] {
        let rows = try database.rows(
            "SELECT r.path, d.path, d.failure FROM directories d JOIN roots r ON r.id = d.root WHERE failure IS NOT NULL"
        ) { (FilePath(bytes: $0.blob(0)), FilePath(bytes: $0.blob(1)), $0.text(2)) }
        return rows.map { root, path, reason in
            let place = root.appending(path)
            return (place.display, reason, reason == DirectoryObservation.trouble(.diskAway(place)))
        }
    }

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
}
