package import Supabase

/// One kind of JSON document that a command writes.
package struct DocumentForm: Sendable {
    /// As in its key `schema`, after `gallery-sync/`, such as `status/1`.
    package let name: String
    /// What it says, without a full stop.
    package let summary: String
    /// Whether a command writes many of them, one a line.
    package let isLine: Bool
    /// Its keys besides `schema`.
    let members: [JSONMember]
    /// Whether the document states its schema; items of the queue do not, because they are written as they are on disk.
    let hasSchemaKey: Bool

    /// A form by its name, such as `status/1`, its summary and its keys.
    package init(
        _ name: String, _ summary: String, isLine: Bool = false, hasSchemaKey: Bool = true, _ members: [JSONMember]
    ) {
        self.name = name
        self.summary = summary
        self.isLine = isLine
        self.members = members
        self.hasSchemaKey = hasSchemaKey
    }

    /// The name without its version, as `help json` takes it.
    package var title: String { name.split(separator: "/").first.map(String.init) ?? name }

    /// Its shape, for documents that hold it.
    package var shape: JSONShape {
        let meaning = "The name and version of this document"
        let key = JSONMember.always("schema", .constant("gallery-sync/" + name), meaning)
        return .object((hasSchemaKey ? [key] : []) + members)
    }

    /// Bytes near the beginning of every schema that this program writes.
    package static let mark = Array(Self.identity.utf8)

    private static let identity = "urn:gallery-sync:"

    /// The whole JSON Schema.
    package var schema: [String: JSONValue] {
        var schema = shape.schema
        schema["$schema"] = .string("https://json-schema.org/draft/2020-12/schema")
        schema["$id"] = .string(Self.identity + name.replacing("/", with: ":"))
        schema["title"] = .string(summary)
        return schema
    }
}
