import Platform

/// An eTag without quotes and the mark of a weak one, for comparing.
struct ETag: Hashable, Sendable {
    let text: String

    init?(_ text: String?) {
        guard var rest = text.map({ $0[...] }) else { return nil }
        if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
        self.text = rest.filter { $0 != "\"" }
        // An empty eTag would be equal for all objects.
        if self.text.isEmpty { return nil }
    }
}

/// An eTag that is the MD5 of the content; one of an upload in parts is not.
package struct MD5Tag: Hashable, Sendable {
    let hexadecimal: String

    /// Reads it from a server's answer; `nil` where the eTag is no MD5.
    package init?(_ eTag: String?) {
        guard let text = ETag(eTag)?.text, text.utf8.count == 32, [UInt8](hexadecimal: text) != nil else { return nil }
        hexadecimal = text.lowercased()
    }
}
