/// Which names buckets and objects may have (contract, section 3).
package enum Names {
    private static let keyMarks = Set("_/!-.*'() &$@=;:+,?".utf8)
    private static let longestBucketName = 100
    /// The most bytes of a path segment, as on the reference server's file system.
    private static let longestSegment = 255

    /// Whether `key` is legal as an object's key.
    package static func isKey(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.allSatisfy { isLetterOrDigit($0) || keyMarks.contains($0) }
    }

    /// Whether `name` is legal as a bucket's name.
    package static func isBucket(_ name: String) -> Bool {
        isKey(name) && name.utf8.count <= longestBucketName && !name.contains("/") && name.first != " "
            && name.last != " " && !name.hasSuffix("--table-s3")
    }

    /// Whether `key` has a `.` or `..` segment, which the reference server refuses when it stores.
    package static func hasDotSegment(_ key: String) -> Bool {
        key.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == "." || $0 == ".." }
    }

    /// Whether a segment of `key` is longer than the reference server's file system allows.
    package static func hasLongSegment(_ key: String) -> Bool {
        key.split(separator: "/").contains { $0.utf8.count > longestSegment }
    }

    /// Whether `key` is Studio's marker of an empty folder, which must be empty and may have any type.
    package static func isFolderMarker(_ key: String) -> Bool { key.hasSuffix(".emptyFolderPlaceholder") }

    /// Whether a bucket may be restricted to `type`: `type/subtype`, at most with a charset, or `type/*`.
    package static func isTypeRule(_ type: String) -> Bool {
        let parts = type.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 2, isTypeWord(words[0]) else { return false }
        if words[1] == "*" { return parts.count == 1 }
        return isTypeWord(words[1])
    }

    /// Whether `type` satisfies `rule`, compared with case and parameters.
    static func satisfies(_ type: String, rule: String) -> Bool {
        rule == type || rule.hasSuffix("/*") && type.hasPrefix(rule.dropLast())
    }

    private static func isTypeWord(_ word: Substring) -> Bool {
        !word.isEmpty && word.utf8.allSatisfy { isLetterOrDigit($0) || "-+.".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
