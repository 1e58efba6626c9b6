/// Follows the shape of JSON5 (brackets, strings, commas, colons) to its first fault, and remembers where values are.
package struct JSON5Scanner {
    /// What is wrong, and in which line.
    package struct Fault {
        let line: Int
        let reason: String
    }

    /// A table from its opening to its closing brace.
    package struct Table {
        /// The place of its opening brace.
        package let open: Int
        /// The place of its closing brace.
        package var close: Int
        /// The members, in the order of the text.
        package var members: [Member] = []
    }

    /// A list from its opening to its closing bracket.
    package struct List {
        /// The place of its opening bracket.
        package let open: Int
        /// The place of its closing bracket.
        package let close: Int
        /// Where its last element ends; `nil` if the list is empty, or if a comma follows.
        package let end: Int?
    }

    /// A value that holds others.
    enum Whole {
        case table(Table)
        case list(List)
    }

    /// A name and its value.
    package struct Member {
        /// The name as the decoder reads it: without quotes, and with its escapes decoded.
        package let name: String
        /// The line in which the name begins.
        let line: Int
        /// Where the name begins.
        package let start: Int
        /// The range of the value.
        package let value: Range<Int>
        /// The place of the comma after the value; `nil` if there is none.
        package var comma: Int?
        /// The one table or list that the value is; empty for other values.
        let inner: [Whole]

        /// The table that the value is; `nil` for other values.
        package var table: Table? { if case .table(let table)? = inner.first { table } else { nil } }
        /// The list that the value is; `nil` for other values.
        package var list: List? { if case .list(let list)? = inner.first { list } else { nil } }
    }

    /// A name that occurs twice in one table.
    struct Repetition {
        /// The dotted path of its value.
        let path: String
        /// The line in which the name occurs first.
        let first: Int
        /// The line in which it occurs again.
        let again: Int
    }

    /// The text; every place is an index into it.
    package let text: [Unicode.Scalar]
    /// The table that the text is; `nil` if it is another value.
    package private(set) var table: Table?
    /// Whether the text has a comment.
    package private(set) var hasComments = false
    /// The places of white space that Foundation's decoder does not accept as such.
    private var strangeSpaces: [Int] = []
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var path = ""
    private var depth = 0
    /// The deepest nesting of brackets, because each level takes stack; Foundation's decoder has a limit, too.
    private static let depthLimit = 100
    /// Where each value begins, by its dotted path.
    private(set) var places: [String: (line: Int, column: Int)] = [:]
    /// The first name that occurs twice, because the decoder would silently drop the second value.
    private(set) var repetition: Repetition?

    /// A scanner of `text`, which has read nothing before `firstFault`.
    package init(_ text: [Unicode.Scalar]) { self.text = text }

    /// Goes through the text, and returns the first thing that is wrong with its shape.
    package mutating func firstFault() -> Fault? {
        do throws(FaultFound) {
            if case .table(let whole)? = try value() { table = whole }
            if let next = try peek() { throw fault("\"\(next)\" after the end") }
            return nil
        } catch {
            return error.fault
        }
    }

    /// The text with plain white space in place of what the decoder does not accept; `nil` if nothing needs replacing.
    var plain: String? {
        guard !strangeSpaces.isEmpty else { return nil }
        var plain = text
        for place in strangeSpaces { plain[place] = Self.endsComment(text[place]) ? "\n" : " " }
        return String(String.UnicodeScalarView(plain))
    }

    private struct FaultFound: Error { let fault: Fault }

    private func fault(_ reason: String, line: Int? = nil) -> FaultFound {
        FaultFound(fault: Fault(line: line ?? self.line, reason: reason))
    }

    /// Passes a value, and returns the table or the list that it is.
    @discardableResult private mutating func value() throws(FaultFound) -> Whole? {
        let next = try peek()
        places[path] = (line, position - lineStart + 1)
        switch next {
        case nil: throw fault("a value is missing at the end")
        case "{": return .table(try wholeTable())
        case "[": return .list(try wholeList())
        case "\"", "'": try string()
        case let next?:
            if let reason = try word("a value is missing before \"\(next)\"").faultAsValue { throw fault(reason) }
        }
        return nil
    }

    private mutating func wholeTable() throws(FaultFound) -> Table {
        var table = Table(open: position, close: position)
        var lines: [String: Int] = [:]
        let commas = try elements(until: "}") { (scanner) throws(FaultFound) in
            let member = try scanner.member()
            table.members.append(member)
            if let first = lines.updateValue(member.line, forKey: member.name), scanner.repetition == nil {
                let path = scanner.path(of: member.name)
                scanner.repetition = Repetition(path: path, first: first, again: member.line)
            }
        }
        for (index, comma) in commas.enumerated() { table.members[index].comma = comma }
        table.close = position - 1
        return table
    }

    private mutating func wholeList() throws(FaultFound) -> List {
        let open = position
        var ends: [Int] = []
        let commas = try elements(until: "]") { (scanner) throws(FaultFound) in
            _ = try scanner.value(at: "[\(ends.count)]")
            ends.append(scanner.position)
        }
        return List(open: open, close: position - 1, end: commas.count < ends.count ? ends.last : nil)
    }

    private mutating func value(at step: String) throws(FaultFound) -> Whole? {
        let outer = path
        path += step
        defer { path = outer }
        return try value()
    }

    private mutating func member() throws(FaultFound) -> Member {
        let first = try peek()
        let (start, line) = (position, line)
        switch first {
        case "\"", "'": try string()
        case let next?:
            if let reason = try word("a name is missing before \"\(next)\"").faultAsName { throw fault(reason) }
        case nil: break
        }
        let name = Self.name(text[start..<position])
        guard try peek() == ":" else { throw fault("a \":\" is missing after a name") }
        advance()
        _ = try peek()
        let valueStart = position
        let whole = try value(at: path.isEmpty ? name : "." + name)
        return Member(
            name: name, line: line, start: start, value: valueStart..<position, inner: whole.map { [$0] } ?? [])
    }

    private func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// A name as the decoder reads it, so that two spellings of a name are equal.
    private static func name(_ written: ArraySlice<Unicode.Scalar>) -> String {
        let isQuoted = written.first == "\"" || written.first == "'"
        let bare = String(String.UnicodeScalarView(isQuoted ? written.dropFirst().dropLast() : written))
        guard bare.contains("\\") else { return bare }
        let quoted = isQuoted ? String(String.UnicodeScalarView(written)) : "\"\(bare)\""
        return (try? JSON5.decode(String.self, from: Array(quoted.utf8))) ?? bare
    }

    /// Passes elements with commas between them, and perhaps one after the last.
    ///
    /// Returns the places of the commas, in order.
    private mutating func elements(
        until close: Unicode.Scalar, element: (inout JSON5Scanner) throws(FaultFound) -> Void
    ) throws(FaultFound) -> [Int] {
        var commas: [Int] = []
        let opened = (bracket: text[position], line: line)
        guard depth < Self.depthLimit else { throw fault("more than \(Self.depthLimit) brackets within each other") }
        depth += 1
        defer { depth -= 1 }
        advance()
        while true {
            guard let next = try peek() else {
                throw fault("\"\(opened.bracket)\" is never closed", line: opened.line)
            }
            if next == close {
                advance()
                return commas
            }
            try element(&self)
            let end = line
            switch try peek() {
            case ",":
                commas.append(position)
                advance()
            case close, nil: continue
            case "}", "]": throw fault("\"\(opened.bracket)\" of line \(opened.line) is not closed before this")
            default: throw fault("a comma is missing", line: end)
            }
        }
    }

    private mutating func string() throws(FaultFound) {
        let (quote, start) = (text[position], line)
        advance()
        while position < text.count, text[position] != quote {
            if Self.isLineEnd(text[position]) { break }
            if text[position] == "\\" { advance() }
            // A carriage return and a line feed together are one line end.
            if starts(with: "\r\n") { advance() }
            if position < text.count { advance() }
        }
        guard position < text.count, text[position] == quote else {
            throw fault("a quotation mark is missing", line: start)
        }
        advance()
    }

    /// A number, a constant or an unquoted name.
    private mutating func word(_ missing: String) throws(FaultFound) -> JSON5Word {
        let start = position
        while position < text.count, !"{}[]:,\"'/".unicodeScalars.contains(text[position]),
            !Self.isSpace(text[position])
        { advance() }
        if position == start { throw fault(missing) }
        return JSON5Word(String(String.UnicodeScalarView(text[start..<position])))
    }

    /// The next scalar that is neither white space nor comment.
    private mutating func peek() throws(FaultFound) -> Unicode.Scalar? {
        while position < text.count {
            if Self.isSpace(text[position]) {
                if text[position].value > 0x7F { strangeSpaces.append(position) }
                advance()
            } else if starts(with: "//") {
                hasComments = true
                while position < text.count, !Self.endsComment(text[position]) { advance() }
            } else if starts(with: "/*") {
                hasComments = true
                let start = line
                // Skips both characters, because the opening star must not count as part of the closing mark.
                position += 2
                while position < text.count, !starts(with: "*/") { advance() }
                guard position < text.count else { throw fault("a comment is never closed", line: start) }
                position += 2
            } else {
                return text[position]
            }
        }
        return nil
    }

    private func starts(with sign: String) -> Bool {
        text[position...].starts(with: sign.unicodeScalars)
    }

    private mutating func advance() {
        position += 1
        guard Self.isLineEnd(text[position - 1]) else { return }
        if text[position - 1] == "\r", position < text.count, text[position] == "\n" { return }
        (line, lineStart) = (line + 1, position)
    }

    /// Whether a new line begins after the scalar, as editors count lines.
    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

    /// Whether a comment ends at the scalar (JSON5 1.0.0, 5.2 and 7: a LineTerminator).
    private static func endsComment(_ scalar: Unicode.Scalar) -> Bool {
        isLineEnd(scalar) || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    /// Whether the scalar is white space (JSON5 1.0.0, 8: WhiteSpace and LineTerminator, which include Unicode's Zs).
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\t", "\u{B}", "\u{C}", "\u{A0}", "\u{FEFF}": true
        default: endsComment(scalar) || scalar.properties.generalCategory == .spaceSeparator
        }
    }
}
