import Cleansing
import Configuration
package import FoundationEssentials
package import Providers
import Text

/// A CSV file of links (RFC 4180): a link a row, or columns `url` and `expires` under headings.
package struct RescueList: Hashable, Sendable {
    /// The links in the order of the rows, repeated ones included.
    package let links: [RescueLink]
    /// A clause for each row whose link or time cannot be read, and each whose link is not followed.
    package let faults: [String]

    /// Reads the text of the file; `expires` applies to rows that name no time of their own.
    ///
    /// - Parameters:
    ///   - now: What a time like `2h` is counted from.
    ///   - refusal: Why a link must not be followed; `nil` where it may be.
    package init(
        _ text: String, expires: Date? = nil, now: Date = Date(), refusal: (String) -> LinkRefusal? = { _ in nil }
    ) {
        var rows = Self.rows(of: text)
        let headings = rows.first.flatMap(Headings.init)
        if headings != nil { rows.removeFirst() }
        let place = headings ?? Headings(url: 0, expires: nil)
        var links: [RescueLink] = []
        var faults: [String] = []
        for row in rows where !row.fields.allSatisfy(\.isEmpty) {
            guard row.isClosed else {
                faults.append("line \(row.line): a quotation mark is not closed")
                continue
            }
            let link = row.fields.indices.contains(place.url) ? row.fields[place.url] : ""
            guard link.contains("://") else {
                faults.append("line \(row.line): \(JSONText.quoted(link)) is no link")
                continue
            }
            if let refusal = refusal(link) {
                faults.append("line \(row.line): \(refusal.clause)")
                continue
            }
            let own = place.expires.flatMap { row.fields.indices.contains($0) ? row.fields[$0] : nil } ?? ""
            let time = Self.time(own, from: now)
            guard own.isEmpty || time != nil else {
                faults.append("line \(row.line): \(JSONText.quoted(own)) is no time like 2026-11-22T10:00:00Z or 2h")
                continue
            }
            links.append(RescueLink(link, expires: time ?? expires))
        }
        self.links = links
        self.faults = faults
    }
}

extension RescueList {
    /// A date, or a time from now on; a bare number may mean anything.
    private static func time(_ text: String, from now: Date) -> Date? {
        if let time = ISO8601.time(text) { return time.date }
        guard !text.allSatisfy(\.isNumber), let left = Quantity.duration(text) else { return nil }
        return now + left.seconds
    }

    /// Which columns hold what, where the first row names them.
    private struct Headings {
        let url: Int
        let expires: Int?

        init(url: Int, expires: Int?) {
            self.url = url
            self.expires = expires
        }

        init?(_ row: Row) {
            let names = row.fields.map { $0.lowercased() }
            guard let url = names.firstIndex(where: ["url", "link", "video_url", "href"].contains) else { return nil }
            self.init(
                url: url, expires: names.firstIndex { ["expires", "expires_at", "expiresat", "deadline"].contains($0) })
        }
    }

    private struct Row: Hashable {
        /// Counted from 1.
        let line: Int
        var fields: [String] = [""]
        /// Whether a quotation mark that stands at the beginning of a field has its counterpart.
        var isClosed = true
    }

    /// Rows of fields without white space at their ends; quotes may hold commas, line ends and doubled quotes.
    ///
    /// A quotation mark within a field is one of its signs, as of inches in a title: it must not take the rows behind it.
    private static func rows(of text: String) -> [Row] {
        var rows: [Row] = []
        var row = Row(line: 1)
        var line = 1
        var isQuoted = false
        var characters = text.drop { $0 == "\u{FEFF}" }[...]
        while let character = characters.popFirst() {
            if character.isNewline { line += 1 }
            switch character {
            case "\"" where isQuoted && characters.first == "\"":
                row.fields[row.fields.count - 1].append(characters.removeFirst())
            case "\"" where isQuoted || row.fields[row.fields.count - 1].allSatisfy(\.isWhitespace): isQuoted.toggle()
            case "," where !isQuoted, ";" where !isQuoted, "\t" where !isQuoted: row.fields.append("")
            case _ where character.isNewline && !isQuoted:
                rows.append(row)
                row = Row(line: line)
            default: row.fields[row.fields.count - 1].append(character)
            }
        }
        row.isClosed = !isQuoted
        rows.append(row)
        return rows.map { row in
            var row = row
            row.fields = row.fields.map(trimmed)
            return row
        }
    }

    private static func trimmed(_ field: String) -> String {
        let start = field.drop(while: \.isWhitespace)
        let count = start.reversed().prefix(while: \.isWhitespace).count
        return String(start.dropLast(count))
    }
}
