/// Finds the line of a JSON5 error, since the decoder only reports that there is one.
enum JSON5Fault {
    /// One sentence, with a line number where one can be determined.
    static func locate(in bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { return "is not UTF-8 text." }
        guard text.contains(where: { !$0.isWhitespace }) else { return "is empty, expected {profiles: {default: {}}}." }
        var scanner = JSON5Scanner(Array(text.unicodeScalars))
        guard let fault = scanner.firstFault() else { return "is not valid JSON5." }
        return "is not valid JSON5, line \(fault.line): \(fault.reason)."
    }

    /// Where the value at a dotted path begins, such as `profiles.default.roots[0]`, or else what surrounds it.
    static func place(of path: String, in bytes: [UInt8]) -> (line: Int, column: Int)? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var scanner = JSON5Scanner(Array(text.unicodeScalars))
        guard scanner.firstFault() == nil else { return nil }
        var path = path[...]
        while !path.isEmpty {
            if let place = scanner.places[String(path)] { return place }
            path = path[..<(path.lastIndex { $0 == "." || $0 == "[" } ?? path.startIndex)]
        }
        return nil
    }
}

/// Follows the shape of JSON5 (brackets, strings, commas, colons) to its first fault.
private struct JSON5Scanner {
    struct Fault {
        let line: Int
        let reason: String
    }

    private let text: [Unicode.Scalar]
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var path = ""
    /// Where each value begins, by its dotted path.
    private(set) var places: [String: (line: Int, column: Int)] = [:]

    init(_ text: [Unicode.Scalar]) { self.text = text }

    mutating func firstFault() -> Fault? {
        do throws(FaultFound) {
            try value()
            if let next = try peek() { throw fault("\"\(next)\" after the end") }
            return nil
        } catch {
            return error.fault
        }
    }

    private struct FaultFound: Error { let fault: Fault }

    private func fault(_ reason: String, line: Int? = nil) -> FaultFound {
        FaultFound(fault: Fault(line: line ?? self.line, reason: reason))
    }

    private mutating func value() throws(FaultFound) {
        let next = try peek()
        places[path] = (line, position - lineStart + 1)
        switch next {
        case nil: throw fault("a value is missing at the end")
        case "{": try members(until: "}") { (scanner) throws(FaultFound) in try scanner.member() }
        case "[":
            var index = 0
            try members(until: "]") { (scanner) throws(FaultFound) in
                try scanner.value(at: "[\(index)]")
                index += 1
            }
        case "\"", "'": try string()
        case let next?: try word("a value is missing before \"\(next)\"")
        }
    }

    private mutating func value(at step: String) throws(FaultFound) {
        let outer = path
        path += step
        try value()
        path = outer
    }

    private mutating func member() throws(FaultFound) {
        let first = try peek()
        let start = position
        switch first {
        case "\"", "'": try string()
        case let next?: try word("a name is missing before \"\(next)\"")
        case nil: break
        }
        let name = String(String.UnicodeScalarView(text[start..<position])).filter { $0 != "\"" && $0 != "'" }
        guard try peek() == ":" else { throw fault("a \":\" is missing after a name") }
        advance()
        try value(at: path.isEmpty ? name : "." + name)
    }

    /// Elements with commas between them; a trailing comma is allowed.
    private mutating func members(
        until close: Unicode.Scalar, element: (inout JSON5Scanner) throws(FaultFound) -> Void
    ) throws(FaultFound) {
        let opened = (bracket: text[position], line: line)
        advance()
        while true {
            guard let next = try peek() else {
                throw fault("\"\(opened.bracket)\" is never closed", line: opened.line)
            }
            if next == close { return advance() }
            try element(&self)
            let end = line
            switch try peek() {
            case ",": advance()
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
            if text[position] == "\n" { break }
            if text[position] == "\\" { advance() }
            if position < text.count { advance() }
        }
        guard position < text.count, text[position] == quote else {
            throw fault("a quotation mark is missing", line: start)
        }
        advance()
    }

    /// A number, a constant or an unquoted name.
    private mutating func word(_ missing: String) throws(FaultFound) {
        let start = position
        while position < text.count, !"{}[]:,\"'/ \t\r\n".unicodeScalars.contains(text[position]) { advance() }
        if position == start { throw fault(missing) }
    }

    /// The next scalar that is neither white space nor comment.
    private mutating func peek() throws(FaultFound) -> Unicode.Scalar? {
        while position < text.count {
            if text[position].properties.isWhitespace || text[position] == "\u{FEFF}" {
                advance()
            } else if starts(with: "//") {
                while position < text.count, text[position] != "\n" { advance() }
            } else if starts(with: "/*") {
                let start = line
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
        if text[position - 1] == "\n" { (line, lineStart) = (line + 1, position) }
    }
}
