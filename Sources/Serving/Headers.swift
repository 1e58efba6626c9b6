/// Header lines of a message in order; names are compared without case.
package struct Headers: Hashable, Sendable {
    /// One line of a header.
    package struct Line: Hashable, Sendable {
        /// The name as it was written.
        package let name: String
        /// The value without surrounding blanks.
        package let value: String
    }

    /// All lines in order; a name may occur more than once.
    package private(set) var lines: [Line] = []

    /// A header without lines.
    package init() {}

    /// The value of the first line called `name`; setting replaces all such lines, `nil` removes them.
    package subscript(name: String) -> String? {
        get { lines.first { Self.isSame($0.name, name) }?.value }
        set {
            lines.removeAll { Self.isSame($0.name, name) }
            if let newValue { lines.append(Line(name: name, value: newValue)) }
        }
    }

    /// Adds a line at the end, even if the name occurs already.
    package mutating func append(_ name: String, _ value: String) {
        lines.append(Line(name: name, value: value))
    }

    /// Whether two names are equal apart from the case of ASCII letters.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { $0 == $1 || lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// Keeps the literal's order; a name that occurs twice becomes two lines.
    package init(dictionaryLiteral lines: (String, String)...) {
        self.lines = lines.map { Line(name: $0.0, value: $0.1) }
    }
}
