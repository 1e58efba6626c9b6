import Catalog
import Database
import Formats
import Platform
import Queue
package import Records
import Tables

/// A day or a month of the timeline.
package struct TimelineSpan: Hashable, Sendable {
    /// As `2024-06-30` or `2024-06`.
    package let name: String
    /// Assets in it.
    package let count: Int
}

extension [TimelineSpan] {
    /// The months of these days, in their order.
    package var months: [TimelineSpan] {
        var months: [TimelineSpan] = []
        for day in self {
            let name = String(day.name.dropLast(3))
            let before = months.last?.name == name ? months.removeLast().count : 0
            months.append(TimelineSpan(name: name, count: before + day.count))
        }
        return months
    }
}

/// How many assets of one standing and kind are below a root.
package struct TimelineCount: Hashable, Sendable {
    /// How the timeline shows them.
    package let standing: Standing
    /// The row of the root.
    package let root: Int64
    /// Their kind.
    package let kind: TimelineKind
    /// Assets.
    package let count: Int
}

/// A part of one month: `count` assets from the `skip`th on, the newest first.
struct MonthSlice: Hashable, Sendable {
    let month: String
    let skip: Int
    let count: Int

    /// The slices of `months` that are `count` assets from `offset` on, each of at most `limit`.
    static func slices(of months: [TimelineSpan], from offset: Int, count: Int, limit: Int) -> [MonthSlice] {
        var (slices, before, left): ([MonthSlice], Int, Int) = ([], 0, count)
        for month in months where left > 0 {
            defer { before += month.count }
            var skip = max(0, offset - before)
            while skip < month.count, left > 0 {
                let part = min(left, limit, month.count - skip)
                slices.append(MonthSlice(month: month.name, skip: skip, count: part))
                (skip, left) = (skip + part, left - part)
            }
        }
        return slices
    }

    /// Seconds since 1970 of the month's start and of the next month's.
    var bounds: Range<Int64> {
        let parts = month.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 2, let first = CivilDay(year: parts[0], month: parts[1], day: 1).number else {
            return 0..<0
        }
        let next = CivilDay(year: parts[0] + parts[1] / 12, month: parts[1] % 12 + 1, day: 1).number ?? first
        return Int64(first) * 86_400..<Int64(next) * 86_400
    }
}

extension Library {
    /// The days with assets of `filter`, the newest first; ignores its text.
    func days(_ filter: TimelineFilter) throws -> [TimelineSpan] {
        let (condition, values) = filter.countsCondition
        return try queries.rows(
            """
            SELECT day, sum(count) AS total FROM timeline WHERE true \(condition) GROUP BY day
            HAVING total > 0 ORDER BY day DESC
            """, binding: values
        ) { TimelineSpan(name: $0.text(0), count: Int($0.integer(1))) }
    }

    /// The days of a month with assets of `filter`, found by looking at each asset.
    func days(_ filter: TimelineFilter, in month: TimelineSpan) throws -> [TimelineSpan] {
        let bounds = MonthSlice(month: month.name, skip: 0, count: month.count).bounds
        let (condition, values) = filter.assetsCondition
        return try queries.rows(
            """
            SELECT \(Schema.day("a")) AS day, count(*) FROM assets a INDEXED BY assets_timeline
            WHERE \(Self.inMonth) \(condition) GROUP BY day ORDER BY day DESC
            """, binding: [.integer(bounds.lowerBound), .integer(bounds.upperBound)] + values
        ) { TimelineSpan(name: $0.text(0), count: Int($0.integer(1))) }
    }

    private static let inMonth = "\(Schema.isShown) AND a.taken >= ? AND a.taken < ?"

    /// The ratios of a slice, a byte each.
    func ratios(_ filter: TimelineFilter, _ slice: MonthSlice) throws -> [UInt8] {
        try rows("a.ratio", filter, slice) { UInt8(clamping: $0.integer(0)) }
    }

    /// The places of a slice.
    func places(_ filter: TimelineFilter, _ slice: MonthSlice) throws -> [Asset.Place] {
        try rows("a.directory, a.name", filter, slice) { Asset.Place(at: 0, of: $0) }
    }

    private func rows<Value>(
        _ columns: String, _ filter: TimelineFilter, _ slice: MonthSlice, _ read: (Row) -> Value
    ) throws -> [Value] {
        let (condition, values) = filter.assetsCondition
        let bounds = slice.bounds
        return try queries.rows(
            """
            SELECT \(columns) FROM assets a INDEXED BY assets_timeline WHERE \(Self.inMonth) \(condition)
            ORDER BY a.taken DESC, a.directory, a.name LIMIT ? OFFSET ?
            """,
            binding: [.integer(bounds.lowerBound), .integer(bounds.upperBound)] + values
                + [.integer(Int64(slice.count)), .integer(Int64(slice.skip))], read: read)
    }

    /// How many assets the timeline shows, for each combination that a filter without text can ask for.
    func timelineCounts(in days: ClosedRange<Int>?) throws -> [TimelineCount] {
        var filter = TimelineFilter()
        filter.days = days
        let (condition, values) = filter.countsCondition
        return try queries.rows(
            """
            SELECT standing, root, kind, sum(count) AS total FROM timeline WHERE true \(condition)
            GROUP BY 1, 2, 3 HAVING total > 0
            """, binding: values
        ) { row in
            TimelineCount(
                standing: Standing(rawValue: row.integer(0)) ?? .waiting, root: row.integer(1),
                kind: TimelineKind(rawValue: row.integer(2)) ?? .other, count: Int(row.integer(3)))
        }
    }

    /// A text that changes whenever an offset of `filter` may mean another asset.
    func timelineRevision(_ filter: TimelineFilter) throws -> String {
        let numbers = try queries.rows("SELECT number FROM timeline_changes ORDER BY what") { $0.integer(0) }
        guard numbers.count == 2 else { return "0" }
        return filter.standing == nil ? "\(numbers[0])" : "\(numbers[0]).\(numbers[1])"
    }
}
