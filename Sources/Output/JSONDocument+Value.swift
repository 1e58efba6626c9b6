import FoundationEssentials
package import Supabase
package import Text

extension JSONDocument {
    /// The document as a part of another one.
    package static func value(_ document: some Encodable) throws -> JSONValue { try value(of: line(document)) }

    /// A document that is already encoded, as a part of another one.
    package static func value(of json: [UInt8]) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(json))
    }
}
