import FoundationEssentials
import Supabase

/// Reads fields of a provider's answer; a missing, null or misshapen one is `nil` and affects no other field.
extension KeyedDecodingContainer {
    func value(_ key: Key) -> JSONValue? {
        try? decodeIfPresent(JSONValue.self, forKey: key)
    }

    func text(_ key: Key) -> String? { value(key)?.text }

    func decimal(_ key: Key) -> Double? { value(key)?.decimal }

    func whole(_ key: Key) -> Int? { value(key)?.whole }

    func moment(_ key: Key) -> Date? { value(key)?.moment }

    /// A nested answer.
    func part<Part: Decodable>(_ type: Part.Type, _ key: Key) -> Part? {
        try? decodeIfPresent(type, forKey: key)
    }

    /// A list without the elements that cannot be decoded as `type`; null is the empty list.
    func list<Element: Decodable>(of type: Element.Type, _ key: Key) -> [Element] {
        part([Lenient<Element>].self, key)?.compactMap(\.value) ?? []
    }
}

/// An element whose value is `nil` where it cannot be decoded.
private struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        value = try? Value(from: decoder)
    }
}
