package import FoundationEssentials

/// Says what happens; a value that is handed to whoever has something to say.
package struct Log: Sendable {
    /// What is above this level is not even put together.
    package let level: LogLevel
    private let write: @Sendable (Line) -> Void

    /// A log that hands its lines to `write`, which may be called on any thread.
    package init(level: LogLevel, write: @escaping @Sendable (Line) -> Void) {
        self.level = level
        self.write = write
    }

    /// A log that nobody reads.
    package static let silent = Log(level: .error) { _ in }

    /// One thing that happened.
    package struct Line: Hashable, Sendable {
        package let at: Date
        package let level: LogLevel
        /// One sentence without the details.
        package let message: String
        /// Named values, in order, such as `("path", "Pictures/a.jpg")`.
        package let details: [Detail]

        package init(at: Date, level: LogLevel, message: String, details: [Detail] = []) {
            self.at = at
            self.level = level
            self.message = message
            self.details = details
        }
    }

    /// A named value of a line.
    package struct Detail: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension Log {
    /// Something is wrong and needs somebody.
    package func error(_ message: @autoclosure () -> String, _ details: KeyValuePairs<String, String> = [:]) {
        say(.error, message, details)
    }

    /// Something is wrong and goes on by itself.
    package func warning(_ message: @autoclosure () -> String, _ details: KeyValuePairs<String, String> = [:]) {
        say(.warning, message, details)
    }

    /// What a user would tell another.
    package func info(_ message: @autoclosure () -> String, _ details: KeyValuePairs<String, String> = [:]) {
        say(.info, message, details)
    }

    /// Decisions, one a file.
    package func debug(_ message: @autoclosure () -> String, _ details: KeyValuePairs<String, String> = [:]) {
        say(.debug, message, details)
    }

    /// Every request and event.
    package func trace(_ message: @autoclosure () -> String, _ details: KeyValuePairs<String, String> = [:]) {
        say(.trace, message, details)
    }

    private func say(_ level: LogLevel, _ message: () -> String, _ details: KeyValuePairs<String, String>) {
        guard level <= self.level else { return }
        let details = details.map { Detail($0.key, $0.value) }
        write(Line(at: Date(), level: level, message: message(), details: details))
    }
}

/// How much the log says; each level includes those before it.
package enum LogLevel: String, CaseIterable, Hashable, Sendable, Comparable {
    case error, warning, info, debug, trace

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
