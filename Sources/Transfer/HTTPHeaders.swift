/// Header fields in the order they stand on the wire; names compare without case.
package struct HTTPHeaders: Hashable, Sendable {
    /// One line of a header block.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var fields: [Field]

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

    /// Adds a field behind the others, whatever names are there already.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field($0.0, $0.1) })
    }
}

extension HTTPHeaders {
    /// Reads the lines of a header block; a status line starts anew, as after `100 Continue`.
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
    /// The bytes without blanks at either end, as text.
    fileprivate var trimmed: String {
        let blank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
        guard let first = firstIndex(where: { !blank($0) }), let last = lastIndex(where: { !blank($0) }) else {
            return ""
        }
        return String(decoding: self[first...last], as: UTF8.self)
    }
}

extension String {
    /// Whether two field names are one, as RFC 9110 section 5.1 compares them.
    fileprivate func isSameFieldName(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { $0.lowercased == $1.lowercased }
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}
