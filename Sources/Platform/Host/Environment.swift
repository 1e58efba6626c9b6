import Glibc

/// The environment variables this process was started with.
package enum Environment {
    /// The value of `name`, or `nil` when it is not set.
    package static subscript(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// All variables; where a name occurs twice, the first.
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
