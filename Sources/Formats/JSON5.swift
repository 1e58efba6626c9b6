import FoundationEssentials

/// Documents in JSON5: JSON with comments, trailing commas, unquoted keys and single quotes.
package enum JSON5 {
    /// The value that the text describes; a name that occurs twice in one table is refused.
    ///
    /// Throws a `DecodingError`; `fault(in:expecting:)` says where a text is wrong.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return try decoder.decode(type, from: Data(try decodable(bytes)))
    }

    /// The text in a form that is safe for Foundation's decoder; throws if there is none.
    private static func decodable(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        var scanner = JSON5Scanner(Array(text.unicodeScalars))
        let fault = scanner.firstFault()
        if scanner.repetition != nil { throw refusal("a name stands twice") }
        // Foundation's decoder ends the process at a number such as `0x0x1` (Swift 6.3.1).
        if fault != nil, text.contains("0x") || text.contains("0X") { throw refusal("no number") }
        return scanner.plain.map { Array($0.utf8) } ?? bytes
    }

    private static func refusal(_ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: reason))
    }

    /// What is wrong with a text that cannot be decoded, as a clause, with a line number if one can be determined.
    ///
    /// - Parameter expected: What an empty file should hold, such as `{rules: []}`.
    package static func fault(in bytes: [UInt8], expecting expected: String) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { return "is not UTF-8 text" }
        guard !text.unicodeScalars.allSatisfy(JSON5Scanner.isSpace) else { return "is empty, expected \(expected)" }
        var scanner = JSON5Scanner(Array(text.unicodeScalars))
        if let fault = scanner.firstFault() { return "is not valid JSON5, line \(fault.line): \(fault.reason)" }
        guard let twice = scanner.repetition else { return "is not valid JSON5" }
        let lines = twice.first == twice.again ? "line \(twice.first)" : "lines \(twice.first) and \(twice.again)"
        return "has \(twice.path) twice, in \(lines); keep one"
    }

    /// Where the value at a dotted path such as `profiles.default.roots[0]` begins, or else what surrounds it.
    package static func place(of path: String, in bytes: [UInt8]) -> (line: Int, column: Int)? {
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
