import Catalog
import Database
package import Platform
package import Records

/// Which assets of the timeline are wanted; everything that is set must hold.
package struct TimelineFilter: Hashable, Sendable {
    /// Only those of this standing.
    package var standing: Standing?
    /// Only those below the root with this row.
    package var root: Int64?
    /// Only those of this kind.
    package var kind: TimelineKind?
    /// Only those whose name contains this; case does not matter.
    package var text: String?
    /// Only those in this folder of `root`, or below it.
    package var folder: FilePath?
    /// Only those of the camera with this row.
    package var camera: Int64?
    /// Only those taken in these days, counted from 1970-01-01.
    package var days: ClosedRange<Int>?

    /// Every asset that the timeline shows.
    package init() {}
}

extension TimelineFilter {
    /// Whether its days are found only by looking at assets: the timeline's counts know no names, folders or cameras.
    var isSearch: Bool { text?.isEmpty == false || folder != nil || camera != nil }

    /// A condition on the counts of the timeline, which know no names, folders and cameras.
    var countsCondition: (sql: String, values: [Value]) {
        let terms: [(String, Int64?)] = [("standing", standing?.rawValue), ("root", root), ("kind", kind?.rawValue)]
        let set = terms.compactMap { column, value in value.map { (column, $0) } }
        let dates = days.map { days in
            [Value.integer(Int64(days.lowerBound) * 86_400), .integer(Int64(days.upperBound) * 86_400)]
        }
        let between = dates == nil ? "" : " AND day BETWEEN date(?, 'unixepoch') AND date(?, 'unixepoch')"
        return (
            set.map { "AND \($0.0) = ?" }.joined(separator: " ") + between, set.map { .integer($0.1) } + (dates ?? [])
        )
    }

    /// A condition on rows of `assets a`; for a root it looks up the directory of each asset.
    var assetsCondition: (sql: String, values: [Value]) {
        var (sql, values): (String, [Value]) = ("", [])
        for (column, value) in [("standing", standing?.rawValue), ("kind", kind?.rawValue), ("camera", camera)] {
            guard let value else { continue }
            sql += " AND a.\(column) = ?"
            values.append(.integer(value))
        }
        if let days {
            sql += " AND a.taken >= ? AND a.taken < ?"
            values += [.integer(Int64(days.lowerBound) * 86_400), .integer(Int64(days.upperBound + 1) * 86_400)]
        }
        // A condition on the root's own folder would exclude nothing.
        if let root, let folder, !folder.isEmpty {
            // The directories below a folder are a range of the index by path, because "0" follows "/".
            sql += """
                 AND a.directory IN (SELECT id FROM directories WHERE root = ? AND path = ?
                    UNION ALL SELECT id FROM directories WHERE root = ? AND path > ? AND path < ?)
                """
            values += [
                .integer(root), .blob(folder.bytes), .integer(root), .blob(folder.bytes + [UInt8(ascii: "/")]),
                .blob(folder.bytes + [UInt8(ascii: "0")]),
            ]
        } else if let root {
            sql += " AND (SELECT root FROM directories d WHERE d.id = a.directory) = ?"
            values.append(.integer(root))
        }
        if let text, !text.isEmpty {
            let forms = Self.forms(of: text)
            let tests = forms.map { _ in "CAST(a.name AS TEXT) LIKE ? ESCAPE '\\'" }
            sql += " AND (\(tests.joined(separator: " OR ")))"
            values += forms.map { .text($0) }
        }
        return (sql, values)
    }

    /// The patterns for `LIKE`: SQLite ignores case for ASCII only, so other letters need a pattern for each case.
    private static func forms(of text: String) -> [String] {
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        let spellings = isPlain ? [text] : [text, text.lowercased(), text.uppercased()]
        return Set(spellings).sorted().map { spelling in
            // By scalars: a `%` with a combining accent is another `Character`, but for SQLite a `%`.
            let marked = spelling.unicodeScalars.map { "\\%_".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }
                .joined()
            return "%\(marked)%"
        }
    }
}
