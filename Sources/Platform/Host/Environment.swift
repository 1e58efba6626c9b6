import Glibc

/// The environment variables this process was started with.
package enum Environment {
    /// The value of `name`, or `nil` when it is not set.
    package static subscript(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The variables that children inherit: all except those by which systemd talks to this process alone.
    static var handedOn: [String: String] {
        all.filter { !own.contains($0.key) }
    }

    /// A child that used them would speak to systemd in place of this process (sd_notify(3), sd_watchdog_enabled(3)).
    private static let own: Set<String> = ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "MAINPID"]

    /// All variables; if a name occurs twice, its first value.
    package static var all: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let words = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if words.count == 2, variables[String(words[0])] == nil { variables[String(words[0])] = String(words[1]) }
            entry += 1
        }
        return variables
    }
}
