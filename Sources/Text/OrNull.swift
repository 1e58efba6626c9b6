/// An optional that encodes as `null` instead of being left out, so that every key is always present.
///
/// It takes any value and conforms as that does: constraints of the type itself would be looked up at run time for each
/// kind of value, which was 2 % of a report's time.
@propertyWrapper package struct OrNull<Value> {
    /// The optional itself.
    package var wrappedValue: Value?

    /// The value that is encoded, or `nil` for `null`.
    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

extension OrNull: Equatable where Value: Equatable {}
extension OrNull: Hashable where Value: Hashable {}
extension OrNull: Sendable where Value: Sendable {}

extension OrNull: Codable where Value: Codable {
    /// Reads the value or `null`; the key itself must be present.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    /// Writes `null` for `nil`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
