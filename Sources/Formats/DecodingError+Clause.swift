extension DecodingError {
    /// What is wrong with the document, as a clause for people, such as `"size" is missing`.
    ///
    /// The clause names keys and places only, because values may be secrets.
    package var clause: String {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.place(context.codingPath + [key])) is missing"
        case .valueNotFound(_, let context): "\(Self.place(context.codingPath)) has no value"
        case .typeMismatch(let type, let context):
            "\(Self.place(context.codingPath)) is not \(Self.names[ObjectIdentifier(type)] ?? "of the kind expected")"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is not JSON" : "\(Self.place(context.codingPath)) cannot be read"
        @unknown default: "it cannot be read"
        }
    }

    /// The place, such as `"files[2].size"`; `it` for the whole document.
    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "it" }
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return "\"\(text)\""
    }

    private static let names: [ObjectIdentifier: String] = [
        ObjectIdentifier(String.self): "a text", ObjectIdentifier(Int.self): "a whole number",
        ObjectIdentifier(Int64.self): "a whole number", ObjectIdentifier(Double.self): "a number",
        ObjectIdentifier(Bool.self): "true or false", ObjectIdentifier([String: Any].self): "an object",
        ObjectIdentifier([Any].self): "a list",
    ]

    /// The clause of `error` if it is a decoding error, else its own description.
    package static func clause(_ error: any Error) -> String {
        (error as? DecodingError)?.clause ?? "\(error)"
    }
}
