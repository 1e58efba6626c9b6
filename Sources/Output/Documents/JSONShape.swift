import Supabase

/// The shape of a part of a JSON document, which is written as JSON Schema.
package indirect enum JSONShape: Sendable {
    case text, moment, whole, number, truth
    /// One of these words.
    case word([String])
    /// Always this text.
    case constant(String)
    case list(JSONShape)
    case object([JSONMember])
    /// An object whose keys are data.
    case map(JSONShape)
    /// That, or `null`.
    case orNull(JSONShape)
    /// One of several shapes.
    case either([JSONShape])
    /// Any value.
    case anything
}

/// One key of an object.
package struct JSONMember: Sendable {
    /// The key.
    package let name: String
    /// The shape of its value.
    package let shape: JSONShape
    /// One sentence or clause without a full stop.
    package let meaning: String
    /// Whether it may be missing.
    let isOptional: Bool

    /// A key that is always there.
    package static func always(_ name: String, _ shape: JSONShape, _ meaning: String) -> JSONMember {
        JSONMember(name: name, shape: shape, meaning: meaning, isOptional: false)
    }

    /// A key that is left out where there is nothing to say.
    package static func sometimes(_ name: String, _ shape: JSONShape, _ meaning: String) -> JSONMember {
        JSONMember(name: name, shape: shape, meaning: meaning, isOptional: true)
    }
}

extension JSONShape {
    /// The shape in the words of JSON Schema, draft 2020-12.
    ///
    /// Objects take further keys: a later version may add some under the same schema.
    var schema: [String: JSONValue] {
        switch self {
        case .text: ["type": .string("string")]
        case .moment: ["type": .string("string"), "format": .string("date-time")]
        case .whole: ["type": .string("integer")]
        case .number: ["type": .string("number")]
        case .truth: ["type": .string("boolean")]
        case .word(let words): ["enum": .array(words.map(JSONValue.string))]
        case .constant(let text): ["const": .string(text)]
        case .list(let entry): ["type": .string("array"), "items": .object(entry.schema)]
        case .object(let members): Self.schema(of: members)
        case .map(let value): ["type": .string("object"), "additionalProperties": .object(value.schema)]
        case .orNull(let shape): Self.schema(ofEither: [shape.schema, ["type": .string("null")]])
        case .either(let shapes): Self.schema(ofEither: shapes.map(\.schema))
        case .anything: [:]
        }
    }

    private static func schema(ofEither schemas: [[String: JSONValue]]) -> [String: JSONValue] {
        ["anyOf": .array(schemas.map(JSONValue.object))]
    }

    private static func schema(of members: [JSONMember]) -> [String: JSONValue] {
        let properties = members.map { member in
            (
                member.name,
                JSONValue.object(member.shape.schema.merging(["description": .string(member.meaning)]) { $1 })
            )
        }
        return [
            "type": .string("object"), "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
            "required": .array(members.filter { !$0.isOptional }.map { .string($0.name) }),
        ]
    }
}
