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

    /// Whether the text has such a number as `0x0x1`, at which Foundation's decoder ends the process (Swift 6.3.1).
    static func isFatal(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self), text.contains("0x") || text.contains("0X") else {
            return false
        }
        var scanner = JSON5Scanner(Array(text.unicodeScalars))
        return scanner.firstFault() != nil
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
