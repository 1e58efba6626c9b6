import Catalog
import Database
import FoundationEssentials
import MediaModel
import Queue
import Records
import Roots
import Tables
import Text

/// Assets of one kind of content.
struct KindCount: Hashable, Sendable {
    /// The kind that these assets have in common.
    let kind: MediaKind
    /// Assets that are to be stored.
    fileprivate(set) var total = 0
    /// How many of them are stored.
    fileprivate(set) var stored = 0
    /// Bytes of all of them, stored or not.
    fileprivate(set) var bytes: Int64 = 0

    fileprivate init(kind: MediaKind) { self.kind = kind }
}

/// Assets of one root.
struct RootCount: Hashable, Sendable {
    /// Assets that are to be stored.
    fileprivate(set) var total = 0
    /// How many of them are stored.
    fileprivate(set) var stored = 0
    /// How many of them are on their way to storage, or held by the brake.
    fileprivate(set) var waiting = 0
    /// Bytes of all of them, stored or not.
    fileprivate(set) var bytes: Int64 = 0
}

extension Library {
    /// The sums of every root, which together make `counts`.
    func rootCounts(of counts: AssetCounts) throws -> [(root: KnownRoot, count: RootCount)] {
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

    /// What is left out, by rule, the most frequent first; `counts` are those of now.
    func leftOut(of counts: AssetCounts) throws -> [Report.LeftOut] {
        var rules: [String: Int] = [:]
        // A library that was not opened for writing since version 4 has only the sum over all rules.
        if try queries.first(Schema.rulesQuery, read: { _ in true }) != nil {
            let counted = try queries.rows(
                "SELECT rules, count(*) FROM directories WHERE rules IS NOT NULL GROUP BY rules"
            ) { (DirectoryObservation.rules(encoded: $0.text(0)), Int($0.integer(1))) }
            for (encoded, directories) in counted {
                for (rule, count) in encoded { rules[rule, default: 0] += count * directories }
            }
        }
        for part in counts.parts where part.state == .ignored {
            let isNoMedia = part.cause.isEmpty || part.cause == Asset.noMedia
            rules[isNoMedia ? "no media" : part.cause, default: 0] += part.count
        }
        return rules.map { Report.LeftOut(rule: $0.key, count: $0.value) }.sorted {
            ($1.count, $0.rule) < ($0.count, $1.rule)
        }
    }

    /// The minute in which the longest waiting asset was found.
    func oldestWaiting() throws -> Date? {
        try queries.first("SELECT minute FROM waiting_sums WHERE count > 0 ORDER BY minute LIMIT 1") {
            Date(timeIntervalSince1970: Double($0.integer(0) * Schema.minute))
        }
    }
}

extension AssetCounts {
    /// Assets by kind of content, where the content is known; the most frequent first.
    var kinds: [KindCount] {
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
