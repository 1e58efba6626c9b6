import Cleansing
import Configuration
import Gallery
package import Platform

/// The words after a command's name, sorted into options and arguments.
package struct ParsedWords: Hashable, Sendable {
    /// Values by name without dashes, in the order written; a switch adds an empty value each time.
    var options: [String: [[UInt8]]] = [:]
    /// The bytes as they were given: a path need not be UTF-8.
    package var arguments: [[UInt8]] = []
    /// The directory for a leading `~` in an option's path; `nil` if no home is known.
    var home: FilePath?
}

extension ParsedWords {
    /// The arguments as paths.
    package var paths: [FilePath] { arguments.map(FilePath.init(bytes:)) }

    /// Whether the option was written.
    package func isOn(_ name: String) -> Bool { options[name] != nil }

    /// How often a switch was written.
    func count(_ name: String) -> Int { options[name]?.count ?? 0 }

    /// The last value of an option, as a path.
    ///
    /// A shell does not expand the `~` in `--to=~/back`. In an argument it does, so a `~` there is part of a name.
    package func path(_ name: String) -> FilePath? {
        guard let path = options[name]?.last.map(FilePath.init(bytes:)) else { return nil }
        return home.map(path.expanded) ?? path
    }

    /// The last value of an option as text; throws where it is not UTF-8.
    package func text(_ name: String) throws(UsageError) -> String? {
        guard let value = options[name]?.last else { return nil }
        guard let text = String(validating: value, as: UTF8.self) else {
            throw UsageError(notText: name)
        }
        return text
    }

    /// The last value of an option, parsed by `read`.
    ///
    /// - Parameter expectation: Follows "expected" in the error.
    package func value<Value>(
        _ name: String, _ expectation: String, _ read: (String) -> Value?
    ) throws(UsageError) -> Value? {
        guard let text = try text(name) else { return nil }
        return try Self.understand(text, of: name, expectation, read)
    }

    /// All values of a repeatable option.
    package func values<Value>(
        _ name: String, _ expectation: String, _ read: (String) -> Value?
    ) throws(UsageError) -> [Value] {
        var values: [Value] = []
        for bytes in options[name] ?? [] {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw UsageError(notText: name) }
            values.append(try Self.understand(text, of: name, expectation, read))
        }
        return values
    }

    private static func understand<Value>(
        _ text: String, of name: String, _ expectation: String, _ read: (String) -> Value?
    ) throws(UsageError) -> Value {
        if let value = read(text) { return value }
        throw UsageError(message: "--\(name) \(JSONText.quoted(text)): expected \(expectation).")
    }

    /// Throws if one of `names` was written, which mean something only together with `other`.
    package func only(_ names: String..., with other: String, if isThere: Bool) throws(UsageError) {
        guard !isThere, let name = names.first(where: isOn) else { return }
        throw UsageError(message: "--\(name) needs \(other).")
    }

    /// Throws where more than one of `names` was written.
    package func atMostOne(of names: String...) throws(UsageError) {
        let written = names.filter(isOn)
        guard written.count > 1 else { return }
        throw UsageError(message: "--\(written[0]) and --\(written[1]) exclude each other.")
    }
}
