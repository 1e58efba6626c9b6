/// One value as SQLite stores it.
package enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension Value {
    /// The integer, or NULL for `nil`.
    package init(_ number: (some BinaryInteger)?) {
        self = number.map { .integer(Int64($0)) } ?? .null
    }

    /// The text, or NULL for `nil`.
    package init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    /// The bytes, or NULL for `nil`.
    package init(_ bytes: [UInt8]?) {
        self = bytes.map { .blob($0) } ?? .null
    }

    /// 1 for `true`, 0 for `false`.
    package init(_ flag: Bool) {
        self = .integer(flag ? 1 : 0)
    }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    /// Lets an integer literal stand for a value.
    package init(integerLiteral number: Int64) { self = .integer(number) }
    /// Lets a string literal stand for a value.
    package init(stringLiteral text: String) { self = .text(text) }
    /// Lets `nil` stand for NULL.
    package init(nilLiteral: ()) { self = .null }
}
