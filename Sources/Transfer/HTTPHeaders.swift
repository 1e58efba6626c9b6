/// Header fields in the order they are sent or arrived; names are compared without case.
package struct HTTPHeaders: Hashable, Sendable {
    /// One line of a header block.
    package struct Field: Hashable, Sendable {
        /// The name as spelled by its sender.
        package let name: String
        /// The value without blanks around it.
        package let value: String

        /// A field to be sent as it stands; a line break in it makes the request unsendable.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Every field in order; a name may occur more than once.
    package private(set) var fields: [Field]

    /// A list that keeps the order and the duplicates of `fields`.
    package init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The first value of `name`; setting replaces every field of that name, `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.name.isSameFieldName(as: name) }?.value }
        set {
            let place = fields.firstIndex { $0.name.isSameFieldName(as: name) } ?? fields.endIndex
            fields.removeAll { $0.name.isSameFieldName(as: name) }
            if let newValue { fields.insert(Field(name, newValue), at: min(place, fields.endIndex)) }
        }
    }

    /// Every value of `name`, in order.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name.isSameFieldName(as: name) }.map(\.value)
    }

    /// Adds a field at the end, even where the name occurs already.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Keeps the literal's order; a name that occurs twice becomes two fields.
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field($0.0, $0.1) })
    }
}

extension HTTPHeaders {
    /// Reads the lines of a header block; a status line discards those before it, as after `100 Continue`.
    ///
    /// Lines without a colon are left out. Bytes that are not UTF-8 become U+FFFD.
    package init(block: some Sequence<UInt8>) {
        var fields: [Field] = []
        for line in block.split(whereSeparator: { $0 == UInt8(ascii: "\n") }) {
            if line.starts(with: "HTTP/".utf8) {
                fields = []
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                fields.append(Field(line[..<colon].trimmed, line[(colon + 1)...].trimmed))
            }
        }
        self.init(fields)
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without blanks at either end, decoded as UTF-8.
    fileprivate var trimmed: String {
        let blank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
        guard let first = firstIndex(where: { !blank($0) }), let last = lastIndex(where: { !blank($0) }) else {
            return ""
        }
        return String(decoding: self[first...last], as: UTF8.self)
    }
}

extension String {
    /// Whether two field names are equal, compared as RFC 9110 section 5.1 says.
    fileprivate func isSameFieldName(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { $0.lowercased == $1.lowercased }
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}
