/// An optional that encodes as `null` instead of being left out, so that every key is always present.
@propertyWrapper package struct OrNull<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The optional itself.
    package var wrappedValue: Value?

    /// The value that is encoded, or `nil` for `null`.
    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

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
