/// A path as the file system knows it: bytes without NUL, equal only byte for byte.
///
/// Never normalised and never forced into Unicode; three names that differ in normal form
/// or encoding are three files.
package struct FilePath: Hashable, Sendable {
    /// The bytes, without a trailing NUL.
    package let bytes: [UInt8]

    /// A path of exactly these bytes; they end at the first NUL, as the kernel would read them.
    package init(bytes: [UInt8]) {
        self.bytes = bytes.firstIndex(of: 0).map { Array(bytes[..<$0]) } ?? bytes
    }

    /// The UTF-8 bytes of `text`.
    package init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }
}

extension FilePath {
    /// The path as text, or `nil` where the bytes are not UTF-8.
    package var string: String? { String(validating: bytes, as: UTF8.self) }

    /// The path for people: bytes that are not UTF-8 appear as U+FFFD.
    package var display: String { String(decoding: bytes, as: UTF8.self) }

    package var isEmpty: Bool { bytes.isEmpty }
    package var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

    /// The names between slashes, empty ones left out.
    package var components: [[UInt8]] {
        bytes.split(separator: UInt8(ascii: "/")).map(Array.init)
    }

    /// The bytes after the last slash, or all of them; empty for a path that ends in a slash.
    package var name: [UInt8] {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes }
        return Array(bytes[(slash + 1)...])
    }

    /// Everything before the last slash; empty when there is none, `/` for a child of the root.
    package var parent: FilePath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(bytes: []) }
        return FilePath(bytes: slash == 0 ? [UInt8(ascii: "/")] : Array(bytes[..<slash]))
    }

    /// The bytes of the name from its last dot on, dot included; empty without one or for `.name`.
    package var fileExtension: [UInt8] {
        let name = name
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return [] }
        return Array(name[dot...])
    }

    /// This path followed by `name`, with one slash between them where both are non-empty.
    package func appending(_ name: [UInt8]) -> FilePath {
        guard !bytes.isEmpty else { return FilePath(bytes: name) }
        guard !name.isEmpty else { return self }
        return FilePath(bytes: bytes.last == UInt8(ascii: "/") ? bytes + name : bytes + [UInt8(ascii: "/")] + name)
    }

    package func appending(_ path: FilePath) -> FilePath { appending(path.bytes) }
    package func appending(_ name: String) -> FilePath { appending(Array(name.utf8)) }

    /// What follows `ancestor` and its slash, or `nil` when this path is not below it.
    package func relative(to ancestor: FilePath) -> FilePath? {
        let prefix = ancestor.bytes.last == UInt8(ascii: "/") ? ancestor.bytes : ancestor.bytes + [UInt8(ascii: "/")]
        guard bytes.count > prefix.count, bytes.starts(with: prefix) else { return nil }
        return FilePath(bytes: Array(bytes[prefix.count...]))
    }
}

extension FilePath: Comparable {
    /// Byte order.
    package static func < (left: FilePath, right: FilePath) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension FilePath: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral text: String) { self.init(text) }
    package var description: String { display }
}
