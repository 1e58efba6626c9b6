import FoundationEssentials

/// A JSON document whose objects keep their order.
package enum JSON: Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([Member])

    /// A name and its value in an object.
    package struct Member: Hashable, Sendable {
        /// The name, unescaped.
        package let name: String
        let value: JSON

        /// A member of an object.
        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }
}

extension JSON {
    /// Parses `bytes`, sorting members of objects by name; `nil` where they are not JSON.
    package init?(parsing bytes: [UInt8]) {
        guard let parsed = try? JSONDecoder().decode(JSON.self, from: Data(bytes)) else { return nil }
        self = parsed
    }

    /// The value of a member of an object.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text, where it is one.
    package var string: String? { if case .text(let text) = self { text } else { nil } }
    /// Whether it is an object.
    package var isObject: Bool { if case .object = self { true } else { false } }

    /// A text or a number, or null for `nil`.
    package static func optional(_ text: String?) -> JSON { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int64?) -> JSON { number.map { .integer($0) } ?? .null }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    /// An object with these members in this order.
    package init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(members.map { Member(name: $0.0, value: $0.1) })
    }
    /// A list of these items.
    package init(arrayLiteral items: JSON...) { self = .list(items) }
    /// A text.
    package init(stringLiteral text: String) { self = .text(text) }
    /// A whole number.
    package init(integerLiteral number: Int64) { self = .integer(number) }
    /// `true` or `false`.
    package init(booleanLiteral flag: Bool) { self = .flag(flag) }
}

extension JSON: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads any JSON; members of objects are sorted by name.
    package init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: Name.self) {
            let names = keyed.allKeys.sorted { $0.stringValue < $1.stringValue }
            self = .object(
                try names.map { Member(name: $0.stringValue, value: try keyed.decode(JSON.self, forKey: $0)) })
        } else if var items = try? decoder.unkeyedContainer() {
            var list: [JSON] = []
            while !items.isAtEnd { list.append(try items.decode(JSON.self)) }
            self = .list(list)
        } else {
            self = try JSON(single: decoder.singleValueContainer())
        }
    }

    private init(single value: any SingleValueDecodingContainer) throws {
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try value.decode(String.self))
        }
    }
}

// MARK: Writing

extension JSON {
    /// The document without blanks, its texts escaped as ECMAScript's `JSON.stringify` does.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// The document as text, as `bytes` has it.
    package var rendered: String { String(decoding: bytes, as: UTF8.self) }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .flag(let flag): bytes += (flag ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        case .number(let number): bytes += (number.isFinite ? "\(number)" : "null").utf8
        case .text(let text): Self.write(text, to: &bytes)
        case .list(let items):
            Self.write(items, between: "[", "]", to: &bytes) { item, bytes in item.write(to: &bytes) }
        case .object(let members):
            Self.write(members, between: "{", "}", to: &bytes) { member, bytes in
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
        }
    }

    private static func write<T>(
        _ items: [T], between open: Unicode.Scalar, _ close: Unicode.Scalar, to bytes: inout [UInt8],
        each: (T, inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            each(item, &bytes)
        }
        bytes.append(UInt8(ascii: close))
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case ..<0x20:
                let digits = String(byte, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
