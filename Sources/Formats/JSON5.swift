import FoundationEssentials

/// Documents in JSON5: JSON with comments, trailing commas, unquoted keys and single quotes.
package enum JSON5 {
    /// The value that the text describes.
    ///
    /// Throws a `DecodingError`; `fault(in:expecting:)` says where a text is wrong.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        guard !isFatal(bytes) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no number"))
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return try decoder.decode(type, from: Data(bytes))
    }

    /// Whether the text has such a number as `0x0x1`, at which Foundation's decoder ends the process (Swift 6.3.1).
    private static func isFatal(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self), text.contains("0x") || text.contains("0X") else {
            return false
        }
        var scanner = JSON5Scanner(Array(text.unicodeScalars))
        return scanner.firstFault() != nil
    }

    /// What is wrong with a text that cannot be decoded, as a clause with a line number where one can be determined.
    ///
    /// - Parameter expected: What an empty file should hold, such as `{rules: []}`.
    package static func fault(in bytes: [UInt8], expecting expected: String) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { return "is not UTF-8 text" }
        guard text.contains(where: { !$0.isWhitespace }) else { return "is empty, expected \(expected)" }
        var scanner = JSON5Scanner(Array(text.unicodeScalars))
        guard let fault = scanner.firstFault() else { return "is not valid JSON5" }
        return "is not valid JSON5, line \(fault.line): \(fault.reason)"
    }

    /// Where the value at a dotted path begins, such as `profiles.default.roots[0]`, or else what surrounds it.
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
