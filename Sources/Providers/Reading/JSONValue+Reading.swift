import FoundationEssentials
package import Supabase

/// Lenient reading: a value counts whichever JSON type the provider chose for it (contract, section 6, rule 7).
extension JSONValue {
    /// A member of an object; `nil` where it is missing or null.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self, let value = members[key], value != .null else { return nil }
        return value
    }

    /// The members of an array; null and anything else have none.
    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// Text that is not empty, also where it came as a number.
    var text: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        default: nil
        }
    }

    /// A finite number, also where it came as text.
    var decimal: Double? {
        let value: Double? =
            switch self {
            case .integer(let value): Double(value)
            case .number(let value): value
            case .string(let text): Double(text)
            default: nil
            }
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The nearest whole number, also where it came as text.
    var whole: Int? {
        decimal.flatMap { Int(exactly: $0.rounded()) }
    }

    /// True or false, also where it came as text.
    var flag: Bool? {
        switch self {
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }

    /// A moment in ISO 8601, or in seconds or milliseconds since 1970; before 1970 means "none", as Go's zero date does.
    ///
    /// A date that no calendar has also means "none".
    var moment: Date? {
        if case .string(let text) = self, let date = try? Date.ISO8601FormatStyle().parse(text) {
            return date.timeIntervalSince1970 >= 0 ? date : nil
        }
        guard let seconds = decimal, seconds > 0, seconds < 1e14 else { return nil }
        // Seconds of this size lie in the year 5138.
        return Date(timeIntervalSince1970: seconds < 1e11 ? seconds : seconds / 1_000)
    }

    /// Whether `whole` contains every member of this object with an equal value; numbers are compared by value.
    func isPart(of whole: JSONValue) -> Bool {
        switch (self, whole) {
        case (.object(let mine), .object(let others)):
            mine.allSatisfy { name, value in others[name].map { value.isPart(of: $0) } ?? (value == .null) }
        case (.array(let mine), .array(let others)):
            mine.count == others.count && zip(mine, others).allSatisfy { $0.isPart(of: $1) }
        case (.integer, .number), (.number, .integer): decimal == whole.decimal
        default: self == whole
        }
    }
}
