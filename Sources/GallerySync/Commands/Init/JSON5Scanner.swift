/// Finds the members of tables in JSON5 text that is known to be valid, with their places.
struct JSON5Scanner {
    private let bytes: [UInt8]
    private var place = 0
    private var comments = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A table from its opening to its closing brace.
    struct Table {
        let open: Int
        var close: Int
        var members: [Member] = []
    }

    /// A name and its value.
    struct Member {
        let name: String
        let start: Int
        let value: Range<Int>
        /// The comma after the value; `nil` where there is none.
        let comma: Int?
        /// The value itself where it is a table.
        var inner: [Table]

        var table: Table? { inner.first }
    }

    /// The table that begins next; `nil` where something else does.
    mutating func table() -> Table? {
        skipSpace()
        guard current == UInt8(ascii: "{") else { return nil }
        var table = Table(open: place, close: place)
        place += 1
        while true {
            skipSpace()
            guard let byte = current else { return nil }
            if byte == UInt8(ascii: "}") { break }
            guard let member = member() else { return nil }
            table.members.append(member)
        }
        table.close = place
        place += 1
        return table
    }

    /// Whether there are comments up to here, or in the white space that follows.
    mutating func findsComments() -> Bool {
        skipSpace()
        return comments > 0
    }

    private mutating func member() -> Member? {
        let start = place
        guard let name = name() else { return nil }
        skipSpace()
        guard current == UInt8(ascii: ":") else { return nil }
        place += 1
        skipSpace()
        let valueStart = place
        let inner = value()
        guard place > valueStart else { return nil }
        let value = valueStart..<place
        skipSpace()
        guard current == UInt8(ascii: ",") else {
            return Member(name: name, start: start, value: value, comma: nil, inner: inner)
        }
        place += 1
        return Member(name: name, start: start, value: value, comma: place - 1, inner: inner)
    }

    /// A name with or without quotes; `nil` for one with escapes, which is not expected here.
    private mutating func name() -> String? {
        let start = place
        if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") {
            skipString()
            let text = bytes[start + 1..<max(start + 1, place - 1)]
            return text.contains(UInt8(ascii: "\\")) ? nil : String(decoding: text, as: UTF8.self)
        }
        while let byte = current, byte > 0x20, !":/{}[],".utf8.contains(byte) { place += 1 }
        return place > start ? String(decoding: bytes[start..<place], as: UTF8.self) : nil
    }

    /// Passes a value; the table where it is one.
    private mutating func value() -> [Table] {
        switch current {
        case UInt8(ascii: "{"): return table().map { [$0] } ?? []
        case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString()
        case UInt8(ascii: "["): skipList()
        default: while let byte = current, byte > 0x20, !"/{}[],".utf8.contains(byte) { place += 1 }
        }
        return []
    }

    private mutating func skipList() {
        place += 1
        while let byte = current, byte != UInt8(ascii: "]") {
            let before = place
            skipSpace()
            if current == UInt8(ascii: ",") { place += 1 } else if current != UInt8(ascii: "]") { _ = value() }
            if place == before { return }
        }
        place += 1
    }

    private mutating func skipString() {
        let quote = current
        place += 1
        while let byte = current, byte != quote { place += byte == UInt8(ascii: "\\") ? 2 : 1 }
        place += 1
    }

    /// Passes white space and comments.
    private mutating func skipSpace() {
        while let byte = current {
            if byte <= 0x20 {
                place += 1
            } else if bytes[place...].starts(with: "//".utf8) {
                comments += 1
                while let byte = current, byte != UInt8(ascii: "\n") { place += 1 }
            } else if bytes[place...].starts(with: "/*".utf8) {
                comments += 1
                place += 2
                while current != nil, !bytes[place...].starts(with: "*/".utf8) { place += 1 }
                place = min(place + 2, bytes.count)
            } else {
                return
            }
        }
    }

    private var current: UInt8? { place < bytes.count ? bytes[place] : nil }
}
