import FoundationEssentials

/// The position after a page, which clients return unchanged to get the next one.
///
/// Base64 of lines `l:<last name>`, `o:<order>`, `c:<column>`, `a:<last time>`; empty ones are left out.
package struct ListingCursor: Hashable {
    /// The name of the last entry.
    package var last: String
    /// `asc` or `desc`.
    package var order: String?
    /// The column that the list is sorted by, as `ListingOrder.Column` spells it.
    package var column: String?
    /// The time of the last entry, where the list is sorted by a time.
    package var time: String?

    /// A position after the entry `last`.
    package init(last: String, order: String? = nil, column: String? = nil, time: String? = nil) {
        self.last = last
        self.order = order
        self.column = column
        self.time = time
    }

    /// Decodes `encoded`; a missing order means `asc`.
    package init(encoded: String) throws(ProtocolRefusal) {
        guard let data = Data(base64Encoded: encoded), let text = String(validating: data, as: UTF8.self) else {
            throw .badCursor
        }
        self.init(last: "", order: "asc")
        for line in text.split(separator: "\n") {
            let value = String(line.dropFirst(2))
            switch line.prefix(2) {
            case "l:": last = value
            case "o:" where ["asc", "desc"].contains(value): order = value
            case "c:" where ListingOrder.Column(rawValue: value) != nil: column = value
            case "a:" where ServerTime.milliseconds(iso8601: value) != nil: time = value
            default: throw .badCursor
            }
        }
        guard !last.isEmpty else { throw .badCursor }
    }

    /// The cursor as clients get it.
    package var encoded: String {
        let lines = [("l", last), ("o", order), ("c", column), ("a", time)].compactMap { name, value in
            value.map { "\(name):\($0)" }
        }
        return Data(lines.joined(separator: "\n").utf8).base64EncodedString()
    }
}
