/// A pattern of file names: `*` and `?` within a name, `**` across directories; bytes, case counts.
struct Glob: Hashable, Sendable {
    private let pattern: [UInt8]
    /// The first and last byte of every match, where the pattern fixes them: they rule out most names.
    private let first: UInt8?
    private let last: UInt8?
    /// Whether it matches paths below the root rather than single names.
    let isPath: Bool

    init(_ pattern: String) {
        let bytes = Array(pattern.utf8)
        let start = bytes.first == UInt8(ascii: "/") ? 1 : 0
        let end = bytes.count > start && bytes.last == UInt8(ascii: "/") ? bytes.count - 1 : bytes.count
        let signs = bytes[start..<end]
        self.pattern = Array(signs)
        first = signs.first.flatMap(Self.literal)
        last = signs.last.flatMap(Self.literal)
        isPath = signs.contains(UInt8(ascii: "/")) || start == 1
    }

    private static func literal(_ byte: UInt8) -> UInt8? {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") ? nil : byte
    }

    func matches(_ text: [UInt8]) -> Bool {
        if let first, first != text.first { return false }
        if let last, last != text.last { return false }
        return Self.matches(pattern[...], text[...])
    }

    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case UInt8(ascii: "*"):
            guard rest.first == UInt8(ascii: "*") else { return matchesStar(rest, text, acrossSlash: false) }
            let after = rest.dropFirst()
            // `**/` also stands for no directory at all.
            if after.first == UInt8(ascii: "/"), matches(after.dropFirst(), text) { return true }
            return matchesStar(after, text, acrossSlash: true)
        case UInt8(ascii: "?"):
            guard let byte = text.first, byte != UInt8(ascii: "/") else { return false }
            return matches(rest, text.dropFirst())
        default:
            return text.first == first && matches(rest, text.dropFirst())
        }
    }

    private static func matchesStar(
        _ rest: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>, acrossSlash: Bool
    ) -> Bool {
        var tail = text
        while true {
            if matches(rest, tail) { return true }
            guard let byte = tail.first, acrossSlash || byte != UInt8(ascii: "/") else { return false }
            tail = tail.dropFirst()
        }
    }
}
