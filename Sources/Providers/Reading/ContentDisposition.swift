import Cleansing
import Formats

/// The header that names a file, such as `attachment; filename="clip.mp4"` (RFC 6266).
package enum ContentDisposition {
    /// The file's name without folders, cleansed; `nil` where the header tells none.
    package static func fileName(in header: String?) -> String? {
        guard let header else { return nil }
        let parameters = Dictionary(parts(of: header).dropFirst().compactMap(parameter)) { first, _ in first }
        let name = parameters["filename*"].flatMap(extended) ?? parameters["filename"] ?? ""
        // Splits by scalars: a slash with a combining accent is another `Character`, but for the file system a slash.
        let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map { String($0) } ?? ""
        let clean = Cleanser().text(last, limit: 200)
        return clean.allSatisfy { $0 == "." || $0.isWhitespace } ? nil : clean
    }

    /// The parts between semicolons outside of quotes.
    private static func parts(of header: String) -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        return header.split { character in
            defer { isEscaped = character == "\\" && isQuoted && !isEscaped }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            return character == ";" && !isQuoted
        }
    }

    private static func parameter(_ part: Substring) -> (String, String)? {
        guard let equals = part.firstIndex(of: "=") else { return nil }
        let name = part[..<equals].trimmed.lowercased()
        let value = part[part.index(after: equals)...].trimmed
        guard value.count > 1, value.first == "\"", value.last == "\"" else { return (name, String(value)) }
        let inside = String(value.dropFirst().dropLast())
        return (name, inside.replacing("\\\"", with: "\""))
    }

    /// The text of `UTF-8''a%20b` (RFC 8187); `nil` in another encoding.
    private static func extended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return PercentEncoding.decoded(parts[2]).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start.dropLast(start.reversed().prefix(while: \.isWhitespace).count)
    }
}
