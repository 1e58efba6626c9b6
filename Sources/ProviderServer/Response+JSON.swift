import FoundationEssentials
import Serving
import Supabase

extension Response {
    /// An answer with a JSON body.
    static func json(_ value: JSONValue, status: Int = 200) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"], body: .bytes(Array(value.compact.utf8)))
    }
}

extension JSONValue {
    /// The document without blanks and with sorted names; `null` if it cannot be encoded.
    var compact: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            return "null"
        }
    }

    /// A date in ISO 8601, or null.
    static func moment(_ date: Date?) -> JSONValue {
        date.map { .string($0.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))) } ?? .null
    }

    /// Text, or null.
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// A whole number.
    static func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }

    /// Whole seconds since 1970, or null.
    static func seconds(_ date: Date?) -> JSONValue {
        date.map { .integer(Int64($0.timeIntervalSince1970)) } ?? .null
    }

    /// An object with the members of both; `more` decides a member that both have.
    func with(_ more: JSONValue) -> JSONValue {
        guard case .object(let mine) = self, case .object(let others) = more else { return self }
        return .object(mine.merging(others) { $1 })
    }
}
