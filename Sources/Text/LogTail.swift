package import Cleansing
import Synchronization

/// The last lines of a log, without secrets, for a page that shows them.
package final class LogTail: Sendable {
    /// A line and its number.
    package struct Entry: Hashable, Sendable {
        /// Counts up from 1.
        package let number: Int
        /// The line, made safe to display.
        package let line: Log.Line
    }

    /// The most lines that are kept; older ones are forgotten.
    private static let limit = 500

    private let cleanser: Cleanser
    private let entries = Mutex<(last: Int, lines: [Entry])>((0, []))

    /// A tail without lines; `cleanser` knows the secrets.
    package init(cleanser: Cleanser) {
        self.cleanser = cleanser
    }

    /// Cleanses a line and remembers it.
    package func add(_ line: Log.Line) {
        let clean = Log.Line(
            at: line.at, level: line.level, message: safe(line.message),
            details: line.details.map { Log.Detail($0.name, safe($0.value)) })
        entries.withLock { entries in
            entries.last += 1
            entries.lines.append(Entry(number: entries.last, line: clean))
            entries.lines.removeFirst(max(0, entries.lines.count - Self.limit))
        }
    }

    private func safe(_ text: String) -> String { DisplayText.safe(cleanser.text(text)) }

    /// The remembered lines after the one with this number, in order.
    package func lines(after number: Int) -> [Entry] {
        entries.withLock { entries in Array(entries.lines.drop { $0.number <= number }) }
    }
}
