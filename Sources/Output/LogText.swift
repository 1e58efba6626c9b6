import Cleansing
import FoundationEssentials
import Gallery
import Text

/// Formats lines of the log.
struct LogText: Sendable {
    let format: LogFormat
    let paint: Paint
    let cleanser: Cleanser
    /// Whether systemd's journal reads it, which records times itself and reads the priority from the line's start.
    var isForJournal = false

    /// One line without a newline.
    ///
    /// Text is for people: the time of day in UTC, the level where it is not `info`, the message and
    /// its details. JSON has `at`, `level`, `message` and the details under `details`.
    func line(_ line: Log.Line) -> String {
        let message = cleanser.text(line.message)
        let details = line.details.map { Log.Detail($0.name, cleanser.text($0.value)) }
        let priority = isForJournal ? "<\(line.level.priority)>" : ""
        switch format {
        case .text: return priority + text(line, message, details)
        case .json: return priority + json(line, message, details)
        }
    }

    private func text(_ line: Log.Line, _ message: String, _ details: [Log.Detail]) -> String {
        let clock =
            isForJournal ? "" : paint.dim(String(ISO8601.text(line.at, digits: 0).dropFirst(11).prefix(8))) + " "
        let label: String
        switch line.level {
        case .error: label = paint.bad("error: ")
        case .warning: label = paint.waiting("warning: ")
        case .info: label = ""
        case .debug, .trace: label = paint.dim("\(line.level.rawValue): ")
        }
        let rest = details.map { " \($0.name)=\(Self.value($0.value))" }.joined()
        return clock + label + message + paint.dim(rest)
    }

    /// The value unquoted if that is unambiguous, else in quotes.
    private static func value(_ text: String) -> String {
        let isPlain = !text.isEmpty && !text.contains { $0.isWhitespace || $0 == "\"" || $0 == "=" }
        return isPlain ? text : JSONText.quoted(text)
    }

    private func json(_ line: Log.Line, _ message: String, _ details: [Log.Detail]) -> String {
        var members = [
            ("at", JSONText.quoted(ISO8601.text(line.at))), ("level", JSONText.quoted(line.level.rawValue)),
            ("message", JSONText.quoted(message)),
        ]
        if !details.isEmpty {
            let values = details.map { "\(JSONText.quoted($0.name)):\(JSONText.quoted($0.value))" }
            members.append(("details", "{\(values.joined(separator: ","))}"))
        }
        return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }
}

extension LogLevel {
    /// The number in syslog's terms: 3 is an error, 7 is for debugging.
    fileprivate var priority: Int {
        switch self {
        case .error: 3
        case .warning: 4
        case .info: 6
        case .debug, .trace: 7
        }
    }
}
