/// A path as the file system knows it: bytes without NUL, equal only byte for byte.
///
/// Never normalised and never forced into Unicode; three names that differ in normal form
/// or encoding are three files.
package struct FilePath: Hashable, Sendable {
    /// The bytes, without a trailing NUL.
    package let bytes: [UInt8]

    /// A path of exactly these bytes, cut at the first NUL, as the kernel would read them.
    package init(bytes: [UInt8]) {
        self.bytes = bytes.firstIndex(of: 0).map { Array(bytes[..<$0]) } ?? bytes
    }

    /// A path of the UTF-8 bytes of `text`.
    package init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }
}

extension FilePath {
    /// The path as text, or `nil` where the bytes are not UTF-8.
    package var string: String? { String(validating: bytes, as: UTF8.self) }

    /// The path for people: bytes that are not UTF-8 appear as U+FFFD, so it may not name the file.
    package var display: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether it has no bytes, as the path of a root relative to itself.
    package var isEmpty: Bool { bytes.isEmpty }
    /// Whether it begins with a slash.
    package var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

    /// The names between slashes, without empty ones.
    package var components: [[UInt8]] {
        bytes.split(separator: UInt8(ascii: "/")).map(Array.init)
    }

    /// The bytes after the last slash, or all of them; empty for a path that ends with a slash.
    package var name: [UInt8] {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes }
        return Array(bytes[(slash + 1)...])
    }

    /// Everything before the last slash; empty where there is none, `/` for a child of `/`.
    package var parent: FilePath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(bytes: []) }
        return FilePath(bytes: slash == 0 ? [UInt8(ascii: "/")] : Array(bytes[..<slash]))
    }

    /// The name's bytes from its last dot on, dot included; empty without a dot or for `.name`.
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

    /// This path followed by a relative one, with one slash between them.
    package func appending(_ path: FilePath) -> FilePath { appending(path.bytes) }
    /// This path followed by the UTF-8 bytes of `name`, with one slash between them.
    package func appending(_ name: String) -> FilePath { appending(Array(name.utf8)) }

    /// This path with `home` for a leading `~`, as a shell reads it; a name such as `~ada` is a name.
    package func expanded(home: FilePath) -> FilePath {
        guard bytes.first == UInt8(ascii: "~"), bytes.count == 1 || bytes[1] == UInt8(ascii: "/") else { return self }
        return home.appending(Array(bytes.dropFirst(2)))
    }

    /// What follows `ancestor` and its slash; `nil` when this path is not below it.
    package func relative(to ancestor: FilePath) -> FilePath? {
        let prefix = ancestor.bytes.last == UInt8(ascii: "/") ? ancestor.bytes : ancestor.bytes + [UInt8(ascii: "/")]
        guard bytes.count > prefix.count, bytes.starts(with: prefix) else { return nil }
        return FilePath(bytes: Array(bytes[prefix.count...]))
    }
}

extension FilePath: Comparable {
    /// Compares byte by byte, without regard to components.
    package static func < (left: FilePath, right: FilePath) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension FilePath: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Lets a string literal stand for a path.
    package init(stringLiteral text: String) { self.init(text) }
    /// The same text as `display`.
    package var description: String { display }
}
