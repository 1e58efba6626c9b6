import ObjectStore

/// A JSON body or query, read by the rules of the reference server's schemas.
///
/// Texts, integers and flags are coerced as its validator does; any other value is refused in its
/// words, such as `body/limit must be >= 1`.
struct Fields {
    private let object: JSON
    /// `body`, `querystring` or a path below them.
    private let place: String

    /// The members of `body`, which must be an object and must have the `required` ones.
    init(_ body: JSON?, at place: String = "body", required: [String] = []) throws(ProtocolRefusal) {
        guard let body, body.isObject else { throw .schema("\(place) must be object") }
        for name in required where body[name] == nil {
            throw .schema("\(place) must have required property '\(name)'")
        }
        object = body
        self.place = place
    }

    var isEmpty: Bool { object == .object([]) }
    func has(_ name: String) -> Bool { object[name] != nil }

    func text(_ name: String) throws(ProtocolRefusal) -> String? {
        switch object[name] {
        case nil: nil
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): "\(number)"
        case .flag(let flag): String(flag)
        case .null: ""
        default: throw refused(name, "must be string")
        }
    }

    func requiredText(_ name: String) throws(ProtocolRefusal) -> String { try text(name) ?? "" }

    func integer(_ name: String, atLeast least: Int64? = nil) throws(ProtocolRefusal) -> Int64? {
        let number: Int64
        switch object[name] {
        case nil: return nil
        case .integer(let value): number = value
        case .number(let value) where value == value.rounded() && abs(value) < 9e15: number = Int64(value)
        case .text(let text):
            guard let value = Int64(text) else { throw refused(name, "must be integer") }
            number = value
        case .flag(let flag): number = flag ? 1 : 0
        case .null: number = 0
        default: throw refused(name, "must be integer")
        }
        if let least, number < least { throw refused(name, "must be >= \(least)") }
        return number
    }

    func flag(_ name: String) throws(ProtocolRefusal) -> Bool? {
        switch object[name] {
        case nil: nil
        case .flag(let flag): flag
        case "true", 1: true
        case "false", 0, .null: false
        default: throw refused(name, "must be boolean")
        }
    }

    func choice(_ name: String, of allowed: [String]) throws(ProtocolRefusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard allowed.contains(text) else { throw refused(name, "must be equal to one of the allowed values") }
        return text
    }

    func texts(_ name: String, atLeast least: Int = 0, atMost most: Int = .max) throws(ProtocolRefusal) -> [String]? {
        guard let value = object[name] else { return nil }
        guard case .list(let items) = value else { throw refused(name, "must be array") }
        if items.count < least { throw refused(name, "must NOT have fewer than \(least) items") }
        if items.count > most { throw refused(name, "must NOT have more than \(most) items") }
        var texts: [String] = []
        for (index, item) in items.enumerated() {
            let fields = try Fields([String(index): item], at: "\(place)/\(name)")
            texts.append(try fields.requiredText(String(index)))
        }
        return texts
    }

    /// The members of an object member, or `nil` without one.
    func fields(_ name: String, required: [String] = []) throws(ProtocolRefusal) -> Fields? {
        guard let value = object[name] else { return nil }
        return try Fields(value, at: "\(place)/\(name)", required: required)
    }

    /// Any member, without coercion.
    subscript(name: String) -> JSON? { object[name] }

    func refused(_ name: String, _ what: String) -> ProtocolRefusal { .schema("\(place)/\(name) \(what)") }
}
