package import FoundationEssentials

/// The program's log, a value that every part that writes lines gets.
package struct Log: Sendable {
    /// The most detailed level that is written; messages beyond it are not even composed.
    let level: LogLevel
    private let write: @Sendable (Line) -> Void

    /// A log that passes its lines to `write`, which may be called on any thread.
    package init(level: LogLevel, write: @escaping @Sendable (Line) -> Void) {
        self.level = level
        self.write = write
    }

    /// A log that discards its lines.
    package static let silent = Log(level: .error) { _ in }

    /// One line of the log.
    package struct Line: Hashable, Sendable {
        /// When the line was written, by the computer's clock.
        package let at: Date
        /// How severe or detailed the line is.
        package let level: LogLevel
        /// One sentence without the details.
        package let message: String
        /// Named values, in order, such as `("path", "Pictures/a.jpg")`.
        package let details: [Detail]

        /// A line whose `message` is one sentence without the details.
        package init(at: Date, level: LogLevel, message: String, details: [Detail] = []) {
            self.at = at
            self.level = level
            self.message = message
            self.details = details
        }
    }

    /// A named value of a line.
    package struct Detail: Hashable, Sendable {
        /// The detail's key, such as `path`.
        package let name: String
        /// The value as text; the writer makes it safe for its output.
        package let value: String

        /// A detail as the caller passes it to a log method.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension Log {
    /// A log that passes its lines to `also` as well.
    package func copied(to also: LogTail) -> Log {
        Log(level: level) { line in
            write(line)
            also.add(line)
        }
    }

    /// Logs a failure that needs the user.
    package func error(_ message: @autoclosure () -> String, _ details: KeyValuePairs<String, String> = [:]) {
        say(.error, message, details)
    }

    /// Logs a problem that the program handles itself.
    package func warning(_ message: @autoclosure () -> String, _ details: KeyValuePairs<String, String> = [:]) {
        say(.warning, message, details)
    }

    /// Logs an event that matters to the user.
    package func info(_ message: @autoclosure () -> String, _ details: KeyValuePairs<String, String> = [:]) {
        say(.info, message, details)
    }

    /// Logs a decision about one file.
    package func debug(_ message: @autoclosure () -> String, _ details: KeyValuePairs<String, String> = [:]) {
        say(.debug, message, details)
    }

    /// Logs a request or an event in detail.
    package func trace(_ message: @autoclosure () -> String, _ details: KeyValuePairs<String, String> = [:]) {
        say(.trace, message, details)
    }

    private func say(_ level: LogLevel, _ message: () -> String, _ details: KeyValuePairs<String, String>) {
        guard level <= self.level else { return }
        let details = details.map { Detail($0.key, $0.value) }
        write(Line(at: Date(), level: level, message: message(), details: details))
    }
}

/// How much is logged; each level includes those before it.
package enum LogLevel: String, CaseIterable, Hashable, Sendable, Comparable {
    case error, warning, info, debug, trace

    /// Orders by detail: `error` is the lowest, `trace` the highest.
    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        guard let leftRank = allCases.firstIndex(of: left), let rightRank = allCases.firstIndex(of: right) else {
            return false
        }
        return leftRank < rightRank
    }
}

/// How a line of the log is written.
package enum LogFormat: String, CaseIterable, Hashable, Sendable {
    case text, json
}
