import ObjectStore

/// The directives of an `X-Robots-Tag` header line.
enum RobotsRule {
    private static let simple: Set<Substring> = [
        "all", "noindex", "nofollow", "none", "nosnippet", "indexifembedded", "notranslate", "noimageindex",
    ]
    private static let withNumber: Set<Substring> = ["max-snippet", "max-video-preview"]
    private static let previews: Set<Substring> = ["none", "standard", "large"]

    /// Refuses a line with an unknown directive or a wrong value.
    ///
    /// A directive may be preceded by the name of a crawler and a colon.
    static func check(_ line: String) throws(ProtocolRefusal) {
        guard line.contains(where: { $0 != " " }) else {
            throw .badRobots("X-Robots-Tag header value must be a non-empty string")
        }
        for part in parts(of: line) { try check(directive: part) }
    }

    /// Splits at commas; everything after `unavailable_after:` is one part, since dates contain commas.
    private static func parts(of line: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = line[...]
        while true {
            rest = rest.trimmed
            if rest.hasPrefix("unavailable_after:") { return parts + [rest] }
            guard let comma = rest.firstIndex(of: ",") else { return parts + [rest] }
            parts.append(rest[..<comma].trimmed)
            rest = rest[rest.index(after: comma)...]
            if rest.trimmed.isEmpty { return parts }
        }
    }

    private static func check(directive: Substring) throws(ProtocolRefusal) {
        guard !directive.isEmpty else { throw .badRobots("X-Robots-Tag header contains empty rule") }
        var rest = directive
        while let colon = rest.firstIndex(of: ":") {
            let name = rest[..<colon].trimmed
            rest = rest[rest.index(after: colon)...].trimmed
            if try check(name, rest) { return }
            guard !rest.isEmpty else {
                throw .badRobots("X-Robots-Tag user agent \"\(name)\" has no rules specified")
            }
        }
        guard simple.contains(rest) else { throw .badRobots("Invalid X-Robots-Tag rule: \"\(rest)\"") }
    }

    /// Whether `name` is a directive with a value; throws where the value is wrong.
    private static func check(_ name: Substring, _ value: Substring) throws(ProtocolRefusal) -> Bool {
        guard withNumber.contains(name) || ["max-image-preview", "unavailable_after"].contains(name) else {
            return false
        }
        guard !value.isEmpty else { throw .badRobots("X-Robots-Tag rule \"\(name)\" requires a value") }
        if withNumber.contains(name), Int(value).map({ $0 < -1 }) ?? true {
            throw .badRobots("X-Robots-Tag \"\(name)\" value must be a number >= -1, got: \"\(value)\"")
        }
        if name == "max-image-preview", !previews.contains(value) {
            throw .badRobots(
                "X-Robots-Tag \"\(name)\" value must be one of: none, standard, large, got: \"\(value)\"")
        }
        return true
    }
}

extension Substring {
    /// Without blanks at both ends.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
