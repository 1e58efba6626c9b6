import Text

/// Lines of the log, as the page shows them.
struct LogDocument: Encodable {
    let schema = "gallery-sync/log/1"
    let lines: [Line]

    struct Line: Encodable {
        let number: Int
        let at: String
        let level: String
        let message: String
        /// Names and values, in order.
        let details: [[String]]
    }

    init(_ entries: [LogTail.Entry]) {
        lines = entries.map { entry in
            Line(
                number: entry.number, at: ISO8601.text(entry.line.at, digits: 0), level: entry.line.level.rawValue,
                message: entry.line.message, details: entry.line.details.map { [$0.name, $0.value] })
        }
    }
}
