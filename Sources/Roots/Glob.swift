/// A pattern of file names: `*` and `?` within a name, `**` across directories; bytes, case counts.
struct Glob: Hashable, Sendable {
    private let pattern: [UInt8]
    /// The first and last byte of every match, if the pattern fixes them; they rule out most names quickly.
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
        return matchesAll(text)
    }

    private static let (star, slash) = (UInt8(ascii: "*"), UInt8(ascii: "/"))

    /// Follows all possible matches at once: for each character of the pattern, the positions that may be reached.
    ///
    /// So no name, however it is made, costs more than its length times the pattern's.
    private func matchesAll(_ text: [UInt8]) -> Bool {
        var reached = [Bool](repeating: false, count: text.count + 1)
        reached[0] = true
        var rest = pattern[...]
        while let sign = rest.popFirst() {
            if sign != Self.star {
                Self.pass(sign, text, &reached)
            } else if rest.first != Self.star {
                for place in text.indices where reached[place] && text[place] != Self.slash {
                    reached[place + 1] = true
                }
            } else {
                rest.removeFirst()
                let isOfWhole = rest.first == Self.slash
                if isOfWhole { rest.removeFirst() }
                Self.passDirectories(text, &reached, areWhole: isOfWhole)
            }
        }
        return reached[text.count]
    }

    /// Advances by one byte wherever it is `sign`, or is anything but a slash for `?`.
    private static func pass(_ sign: UInt8, _ text: [UInt8], _ reached: inout [Bool]) {
        for place in text.indices.reversed() {
            let isOne = sign == UInt8(ascii: "?") ? text[place] != slash : text[place] == sign
            reached[place + 1] = reached[place] && isOne
        }
        reached[0] = false
    }

    /// Advances by any number of bytes; for `**/`, by any number of whole directories, even none.
    private static func passDirectories(_ text: [UInt8], _ reached: inout [Bool], areWhole: Bool) {
        guard let first = reached.firstIndex(of: true) else { return }
        for place in text.indices[first...] where !areWhole || text[place] == slash { reached[place + 1] = true }
    }
}
