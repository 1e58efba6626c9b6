import Formats

/// The first bytes of a file, read without ever running past their end.
struct HeaderBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }
    var isEmpty: Bool { bytes.isEmpty }

    /// The same text in UTF-8, if these bytes are text in UTF-16.
    var inUTF8: HeaderBytes { HeaderBytes(bytes.inUTF8) }
    /// Whether they may be source text, which contains no zeros; true for no bytes at all.
    var isText: Bool { !bytes.inUTF8.contains(0) }

    /// Whether they are text whose first visible character is `start`.
    func isText(_ start: Character) -> Bool {
        let first = inUTF8.text(at: 0, count: 64).first { !$0.isWhitespace && $0 != "\u{FEFF}" }
        return isText && first == start
    }

    subscript(offset: Int) -> UInt8? {
        bytes.indices.contains(offset) ? bytes[offset] : nil
    }

    func has(_ magic: [UInt8], at offset: Int = 0) -> Bool {
        offset >= 0 && offset <= bytes.count && bytes[offset...].starts(with: magic)
    }

    func has(_ magic: String, at offset: Int = 0) -> Bool {
        has(Array(magic.utf8), at: offset)
    }

    /// The four characters at `offset`, or `nil` past the end; bytes above 127 read as Latin-1.
    func fourCharacters(at offset: Int) -> String? {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        return String(String.UnicodeScalarView(bytes[offset..<offset + 4].map { Unicode.Scalar($0) }))
    }

    /// An unsigned number of `width` bytes, or `nil` past the end.
    func number(at offset: Int, width: Int, littleEndian: Bool) -> Int? {
        guard offset >= 0, width <= 4, offset <= bytes.count - width else { return nil }
        let digits = bytes[offset..<offset + width]
        return (littleEndian ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
    }

    /// The text at `offset` up to a NUL, `count` bytes, or the end.
    func text(at offset: Int, count: Int) -> String {
        guard offset >= 0, count >= 0, offset < bytes.count else { return "" }
        let end = offset + min(count, bytes.count - offset)
        return String(decoding: bytes[offset..<end].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Whether `magic` occurs in the first `limit` bytes.
    func contains(_ magic: [UInt8], within limit: Int) -> Bool {
        let last = min(limit, bytes.count) - magic.count
        guard last >= 0 else { return false }
        return (0...last).contains { has(magic, at: $0) }
    }
}
