import Database
package import FoundationEssentials
package import MediaModel
package import Platform
package import Queue
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
    /// Bytes of everything that is to be stored.
    package var bytesToStore: Int64 { bytes(.seen, .identifying, .queued, .stored, .failed, .unreadable, .held) }
    /// Files that turned out to be no media, and everything that the rules left out of the last walk.
    package var ignored: Int { self[.ignored] + leftOut }
}

extension AssetCounts {
    /// Text that `init(encoded:)` reads.
    var encoded: String {
        let rows = number.keys.sorted { $0.rawValue < $1.rawValue }.map { "\($0.rawValue) \(self[$0]) \(bytes($0))" }
        let proven = Receipt.Proof.allCases.compactMap { proof in proofs[proof].map { "\(proof.rawValue) \($0)" } }
        let assets = (["\(leftOut)"] + rows).joined(separator: ",")
        return proven.isEmpty ? assets : assets + ";" + proven.joined(separator: ",")
    }

    /// What `encoded` wrote; `nil` for anything else.
    init?(encoded text: String) {
        let halves = text.split(separator: ";", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return nil }
        for entry in halves.dropFirst().first?.split(separator: ",") ?? [] {
            let words = entry.split(separator: " ")
            guard words.count == 2, let proof = Receipt.Proof(rawValue: String(words[0])), let count = Int(words[1])
            else { return nil }
            proofs[proof] = count
        }
        let rows = halves[0].split(separator: ",").map { $0.split(separator: " ").compactMap { Int64($0) } }
        guard let first = rows.first, first.count == 1 else { return nil }
        leftOut = Int(first[0])
        for row in rows.dropFirst() {
            guard row.count == 3, let state = Asset.State(rawValue: row[0]) else { return nil }
            number[state] = Int(row[1])
            bytes[state] = row[2]
        }
    }
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

    /// The fact that holds the counts of the last clean end, until the next change.
    static let countsFact = "counts"

    /// Counts of every state: those saved at the last clean end, else counted in one pass over an index.
    package func counts() throws -> AssetCounts {
        if let kept = try fact(Self.countsFact), let counts = AssetCounts(encoded: kept) { return counts }
        return try oncePerChange(\.counts) { try counted() }
    }

    private func counted() throws -> AssetCounts {
        var counts = AssetCounts()
        try database.each("SELECT state, count(*), sum(size) FROM assets GROUP BY state") { row in
            guard let state = Asset.State(rawValue: row.integer(0)) else { return }
            counts.number[state] = Int(row.integer(1))
            counts.bytes[state] = row.integer(2)
        }
        if let destination = try fact(Self.destinationFact) {
            let proofs = try database.rows(
                "SELECT proof, count(*) FROM receipts WHERE destination = ? GROUP BY proof", .text(destination)
            ) { (Receipt.Proof(rawValue: $0.text(0)) ?? .size, Int($0.integer(1))) }
            counts.proofs = Dictionary(proofs, uniquingKeysWith: +)
        }
        counts.leftOut =
            try database.first("SELECT sum(ignored) FROM directories") { Int($0.integer(0)) } ?? 0
        return counts
    }

    /// What is left out, by rule, the most frequent first.
    package func leftOut() throws -> [LeftOutCount] {
        var counts: [String: Int] = [:]
        // A library that was not opened for writing since version 4 has only the sum over all rules.
        if try database.schemaVersion >= 4 {
            try database.each("SELECT rules, count(*) FROM directories WHERE rules IS NOT NULL GROUP BY rules") { row in
                for (rule, count) in DirectoryObservation.rules(encoded: row.text(0)) {
                    counts[rule, default: 0] += count * Int(row.integer(1))
                }
            }
        }
        try database.each(
            """
            SELECT message, count(*) FROM assets WHERE state = \(asset: .ignored) GROUP BY message
            """
        ) { row in
            let reason = row.textOrNil(0) ?? Self.noMedia
            counts[reason == Self.noMedia ? "no media" : reason, default: 0] += Int(row.integer(1))
        }
        return counts.map { LeftOutCount(rule: $0.key, count: $0.value) }.sorted {
            ($1.count, $0.rule) < ($0.count, $1.rule)
        }
    }

    /// Whether any file below a root was there at the last look.
    package func holdsFiles(below root: Int64) throws -> Bool {
        try database.first(
            """
            SELECT 1 FROM directories d JOIN assets a ON a.directory = d.id
            WHERE d.root = ? AND a.state NOT IN \(assets: .absent) LIMIT 1
            """, .integer(root)
        ) { _ in true } ?? false
    }

    /// When the longest waiting asset was found.
    package func oldestWaiting() throws -> Date? {
        try database.first(
            """
            SELECT min(found) FROM assets WHERE state IN \(assets: [.seen, .identifying, .queued, .held])
            """
        ) { $0.integerOrNil(0) }
        .flatMap { $0 }.map { FileTime(nanoseconds: $0).date }
    }

    /// At most `limit` assets that failed or could not be read, with the reason.
    package func problems(limit: Int) throws -> [Problem] {
        let rows = try database.rows(
            """
            SELECT directory, name, state, code, message FROM assets WHERE state IN \(assets: [.failed, .unreadable]) LIMIT \(limit)
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
                code: FailureCode(code ?? "unknown"), message: message.map(Self.cleansed) ?? "no reason was kept")
        }
    }

    /// One asset that needs the user's attention.
    package struct Problem: Hashable, Sendable {
        /// The name of the root it lies below.
        package let root: String
        /// The path below that root.
        package let path: FilePath
        /// Either `failed` or `unreadable`.
        package let state: Asset.State
        /// What kind of failure it is.
        package let code: FailureCode
        /// The sentence that came with it.
        package let message: String
    }

    /// Directories that could not be listed at the last walk, with the reason.
    package func unlistedDirectories() throws -> [(path: String, reason: String)] {
        let rows = try database.rows(
            "SELECT r.path, d.path, d.failure FROM directories d JOIN roots r ON r.id = d.root WHERE failure IS NOT NULL"
        ) { (FilePath(bytes: $0.blob(0)), FilePath(bytes: $0.blob(1)), $0.text(2)) }
        return rows.map { root, path, reason in (root.appending(path).display, reason) }
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
                type: MediaType(rawValue: row.text(5)), duration: row.realOrNil(6)
            )
        }
        return try rows.compactMap { row in
            try location(of: row.place).map {
                Recent(
                    root: $0.root, path: $0.path, sha256: row.sha256, size: row.size, at: row.at, type: row.type,
                    duration: row.duration)
            }
        }
    }
}
