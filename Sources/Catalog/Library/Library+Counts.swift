import Database
package import FoundationEssentials
package import MediaModel
package import Platform
package import Queue
package import Records
import Roots
import Tables
import Text

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
    var parts: [AssetSum] = []

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

/// How many files and directories a rule left out of the last walk.
package struct LeftOutCount: Hashable, Sendable {
    /// The reason in the words of `IgnoreRules`, such as `hidden`, or `no media`.
    package let rule: String
    /// Files and directories.
    package let count: Int
}

extension Library {
    /// The reason for leaving out a file that no rule names.
    package static let noMedia = "neither its bytes nor its name say media"

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

    /// What is left out, by rule, the most frequent first; `counts` are those of now.
    package func leftOut(of counts: AssetCounts) throws -> [LeftOutCount] {
        var rules: [String: Int] = [:]
        // A library that was not opened for writing since version 4 has only the sum over all rules.
        if try database.schemaVersion >= 4 {
            try database.each("SELECT rules, count(*) FROM directories WHERE rules IS NOT NULL GROUP BY rules") { row in
                for (rule, count) in DirectoryObservation.rules(encoded: row.text(0)) {
                    rules[rule, default: 0] += count * Int(row.integer(1))
                }
            }
        }
        for part in counts.parts where part.state == .ignored {
            let isNoMedia = part.cause.isEmpty || part.cause == Self.noMedia
            rules[isNoMedia ? "no media" : part.cause, default: 0] += part.count
        }
        return rules.map { LeftOutCount(rule: $0.key, count: $0.value) }.sorted {
            ($1.count, $0.rule) < ($0.count, $1.rule)
        }
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

    /// The minute in which the longest waiting asset was found.
    package func oldestWaiting() throws -> Date? {
        try database.first("SELECT minute FROM waiting_sums WHERE count > 0 ORDER BY minute LIMIT 1") {
            Date(timeIntervalSince1970: Double($0.integer(0) * Schema.minute))
        }
    }

    /// A cause for which assets failed or could not be read.
    package struct Problem: Hashable, Sendable {
        /// The name of the root that one of them lies below.
        package let root: String
        /// The path of the same one, below its root.
        package let path: FilePath
        /// What kind of failure it is.
        package let code: FailureCode
        /// The sentence that came with that one.
        package let message: String
        /// How many assets it stopped.
        package let count: Int
    }

    /// Why assets failed or could not be read, in the order of the codes; `counts` are those of now.
    package func problems(of counts: AssetCounts) throws -> [Problem] {
        var stopped: [String: Int] = [:]
        for part in counts.parts where [Asset.State].failures.contains(part.state) {
            stopped[part.cause, default: 0] += part.count
        }
        return try stopped.sorted { $0.key < $1.key }.compactMap { code, count in
            let first = try database.first(
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

    /// One of the newest receipts of originals.
    package struct Recent: Hashable, Sendable {
        /// The name of the root its file lies below.
        package let root: String
        /// The path below that root.
        package let path: FilePath
        /// Of the content, 64 lowercase hex digits.
        package let sha256: String
        /// Bytes.
        package let size: Int64
        /// When the server was last asked about the object.
        package let at: Date
        /// The content's type; empty where it is not known.
        package let type: MediaType
        /// Seconds of a video.
        package let duration: Double?
    }

    /// The newest receipts of originals, newest first.
    package func recent(limit: Int) throws -> [Recent] {
        let rows = try database.rows(
            """
            SELECT r.directory, r.name, r.sha256, r.size, r.verified, c.type, json_extract(c.facts, '$.duration')
            FROM receipts r LEFT JOIN contents c ON c.sha256 = r.sha256 WHERE r.role = 'original'
            ORDER BY r.verified DESC LIMIT \(limit)
            """
        ) { row in
            (
                place: Asset.Place(directory: row.integer(0), name: row.blob(1)), sha256: row.blob(2).hexadecimal,
                size: row.integer(3), at: FileTime(nanoseconds: row.integer(4)).date,
                type: row.text(5), duration: row.realOrNil(6)
            )
        }
        return try rows.compactMap { row in
            try location(of: row.place).map {
                Recent(
                    root: $0.root, path: $0.path, sha256: row.sha256, size: row.size, at: row.at,
                    type: MediaType(kept: row.type, size: row.size, fileExtension: $0.path.fileExtension),
                    duration: row.duration)
            }
        }
    }
}
