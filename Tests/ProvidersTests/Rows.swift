import FoundationEssentials
import Supabase
import Testing
import Transfer

/// The JSON of `text`.
func json(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
}

/// The moment that `text`, such as `2026-11-20T10:00:00Z`, names.
func moment(_ text: String) throws -> Date {
    try Date.ISO8601FormatStyle().parse(text)
}

extension Data {
    /// The bytes as text.
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension HTTPBody {
    /// The bytes of a body in memory as text.
    var text: String? {
        if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
}
