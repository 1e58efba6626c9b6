import Cleansing
import Configuration
package import FoundationEssentials
package import Providers
import Text

/// A CSV file of links (RFC 4180): links alone, or columns `url` and `expires` under headings.
///
/// Without headings, commas and semicolons belong to a link, as in many links; the next link begins with its scheme.
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
        var links: [RescueLink] = []
        var faults: [String] = []
        for row in rows where !row.texts.allSatisfy(\.isEmpty) {
            guard row.isClosed else {
                faults.append("line \(row.line): a quotation mark is not closed")
                continue
            }
            for entry in headings.map({ [$0.entry(in: row)] }) ?? row.links.map({ Entry($0) }) {
                let time = Self.time(entry.expires, from: now)
                if let fault = Self.fault(of: entry, time, refusal) {
                    faults.append("line \(row.line): \(fault)")
                } else {
                    links.append(RescueLink(entry.link, expires: time ?? expires))
                }
            }
        }
        self.links = links
        self.faults = faults
    }
}

extension RescueList {
    /// A link, escaped as browsers do, and the text of its time, which may be empty.
    private struct Entry {
        let link: String
        let expires: String

        init(_ text: String, expires: String = "") {
            link = text.contains("://") ? WebAddress.escaped(text) : text
            self.expires = expires
        }
    }

    /// Why an entry cannot be used; `nil` where it can.
    private static func fault(of entry: Entry, _ time: Date?, _ refusal: (String) -> LinkRefusal?) -> String? {
        guard entry.link.contains("://") else { return "\(JSONText.quoted(entry.link)) is no link" }
        if let refusal = refusal(entry.link) { return refusal.clause }
        guard entry.expires.isEmpty || time != nil else {
            return "\(JSONText.quoted(entry.expires)) is no time like 2026-11-22T10:00:00Z or 2h"
        }
        return nil
    }

    /// A date, or a duration from now on; a bare number is neither, because it may mean anything.
    private static func time(_ text: String, from now: Date) -> Date? {
        if let time = ISO8601.time(text) { return time.date }
        guard !text.allSatisfy(\.isNumber), let left = Quantity.duration(text) else { return nil }
        return now + left.seconds
    }

    /// Which columns hold the link and the time, if the first row names them.
    private struct Headings {
        let url: Int
        let expires: Int?

        init?(_ row: Row) {
            let names = row.texts.map { $0.lowercased() }
            guard let url = names.firstIndex(where: ["url", "link", "video_url", "href"].contains) else { return nil }
            self.url = url
            expires = names.firstIndex { ["expires", "expires_at", "expiresat", "deadline"].contains($0) }
        }

        func entry(in row: Row) -> Entry {
            let texts = row.texts
            func text(_ column: Int?) -> String {
                column.flatMap { texts.indices.contains($0) ? texts[$0] : nil } ?? ""
            }
            return Entry(text(url), expires: text(expires))
        }
    }

    private struct Field: Hashable {
        /// The separator before it; `nil` for the first field.
        let separator: Character?
        var text = ""
        var isQuoted = false
    }

    private struct Row: Hashable {
        /// Counted from 1.
        let line: Int
        var fields = [Field(separator: nil)]
        /// Whether every quotation mark at the beginning of a field has its counterpart.
        var isClosed = true

        /// The fields without white space at their ends.
        var texts: [String] { fields.map { RescueList.trimmed($0.text) } }

        /// The links of a row without headings: a separator belongs to a link unless white space or quotes end it.
        var links: [String] {
            var links: [String] = []
            var isOpen = false
            for field in fields {
                let text = RescueList.trimmed(field.text)
                if links.isEmpty || ["http://", "https://"].contains(where: text.lowercased().hasPrefix) {
                    links.append(text)
                    isOpen = !field.isQuoted
                } else {
                    isOpen =
                        isOpen && !field.isQuoted && field.separator != "\t" && field.text.first?.isWhitespace != true
                        && !text.contains(where: \.isWhitespace)
                    if isOpen, let separator = field.separator { links[links.count - 1] += String(separator) + text }
                }
                isOpen = isOpen && field.text.last?.isWhitespace != true
            }
            return links.map { link in
                let count = link.reversed().prefix { $0 == "," || $0 == ";" }.count
                return String(link.dropLast(count))
            }
        }
    }

    /// Rows of fields; quotes may hold commas, line ends and doubled quotes.
    ///
    /// A quotation mark within a field is text, such as inches in a title, and must not swallow the rows after it.
    private static func rows(of text: String) -> [Row] {
        var rows: [Row] = []
        var row = Row(line: 1)
        var line = 1
        var isQuoted = false
        var characters = text.drop { $0 == "\u{FEFF}" }[...]
        while let character = characters.popFirst() {
            if character.isNewline { line += 1 }
            let last = row.fields.count - 1
            switch character {
            case "\"" where isQuoted && characters.first == "\"":
                row.fields[last].text.append(characters.removeFirst())
            case "\"" where isQuoted || row.fields[last].text.allSatisfy(\.isWhitespace):
                isQuoted.toggle()
                row.fields[last].isQuoted = true
            case "," where !isQuoted, ";" where !isQuoted, "\t" where !isQuoted:
                row.fields.append(Field(separator: character))
            case _ where character.isNewline && !isQuoted:
                rows.append(row)
                row = Row(line: line)
            default: row.fields[last].text.append(character)
            }
        }
        row.isClosed = !isQuoted
        rows.append(row)
        return rows
    }

    private static func trimmed(_ field: String) -> String {
        let start = field.drop(while: \.isWhitespace)
        let count = start.reversed().prefix(while: \.isWhitespace).count
        return String(start.dropLast(count))
    }
}
