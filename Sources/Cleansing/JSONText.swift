/// JSON that is safe to show in a terminal.
package enum JSONText {
    /// `text` as a string literal in which everything is escaped that JSON or a terminal could misread.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.steersText: quoted += escape(of: scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// `json` with escapes in place of characters that control a terminal or reorder text.
    ///
    /// It decodes to the same values.
    ///
    /// Every encoder escapes controls below U+0020, so those that remain are white space between values.
    package static func inert(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 >= 0x7F }) else { return json }
        var inert = String.UnicodeScalarView()
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if scalar.value >= 0x7F, scalar.steersText {
                inert.append(contentsOf: escape(of: scalar).unicodeScalars)
            } else {
                inert.append(scalar)
            }
        }
        return Array(String(inert).utf8)
    }

    /// The scalar's escape, such as `\u202e`; two escapes beyond U+FFFF.
    private static func escape(of scalar: Unicode.Scalar) -> String {
        UTF16.encode(scalar).map { units in
            units.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        } ?? ""
    }
}
