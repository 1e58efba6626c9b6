/// Secrets as the set of all pieces of eight bytes in them and in their encodings.
///
/// Pieces are hidden too, because an answer that was cut short may contain only a piece of a key.
struct SecretFragments: Sendable {
    private var pieces: Set<UInt64> = []
    /// Secrets that are shorter than a piece.
    private var short: [String] = []

    private static let length = 8
    /// Shorter texts are not treated as secrets, because they would be found everywhere by chance.
    private static let least = 4

    init(_ secrets: [String]) {
        for secret in secrets where secret.utf8.count >= Self.least {
            let core = TokenShapes.withoutPublicStart(secret)
            guard core.utf8.count >= Self.length else {
                short.append(secret)
                continue
            }
            add(Array(core.utf8))
            for shift in 0..<3 { add(base64: Array(core.utf8), after: shift) }
        }
        short.sort { $0.utf8.count > $1.utf8.count }
    }

    private mutating func add(_ bytes: some Sequence<UInt8>) {
        var piece: UInt64 = 0
        var count = 0
        for byte in bytes {
            piece = piece << 8 | UInt64(byte)
            count += 1
            if count >= Self.length { pieces.insert(piece) }
        }
    }

    /// Adds the base64 characters of `bytes` in both alphabets, as they are at some place in a longer text.
    ///
    /// - Parameter shift: The number of bytes before `bytes`, because it decides how they fall into characters.
    private mutating func add(base64 bytes: [UInt8], after shift: Int) {
        let sextets = Base64Sextets(Array(repeating: 0, count: shift) + bytes)
        let known = sextets.values.dropFirst((shift * 8 + 5) / 6)
        add(known.map { Base64Sextets.plain[Int($0)] })
        add(known.map { Base64Sextets.forURLs[Int($0)] })
    }

    /// `text` with `…` in place of every secret and every piece of one.
    func hidden(in text: String) -> String {
        var text = text
        for secret in short where text.contains(secret) {
            text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: Cleanser.mark)
        }
        guard !pieces.isEmpty, text.utf8.count >= Self.length else { return text }
        let bytes = Array(text.utf8)
        let spans = spans(in: UnescapedText(bytes))
        guard !spans.isEmpty else { return text }
        var shown: [UInt8] = []
        var end = 0
        for span in spans {
            shown += bytes[end..<span.lowerBound] + Array(Cleanser.mark.utf8)
            end = span.upperBound
        }
        return String(decoding: shown + bytes[end...], as: UTF8.self)
    }

    /// The ranges of secrets in the original text, in order and without overlap.
    private func spans(in text: UnescapedText) -> [Range<Int>] {
        var spans: [Range<Int>] = []
        var piece: UInt64 = 0
        for (index, byte) in text.bytes.enumerated() {
            piece = piece << 8 | UInt64(byte)
            guard index + 1 >= Self.length, pieces.contains(piece) else { continue }
            let span = text.starts[index + 1 - Self.length]..<text.starts[index + 1]
            if let last = spans.last, last.upperBound >= span.lowerBound {
                spans[spans.count - 1] = last.lowerBound..<span.upperBound
            } else {
                spans.append(span)
            }
        }
        return spans
    }
}

/// The whole groups of six bits in a sequence of bytes (RFC 4648 section 4).
private struct Base64Sextets {
    var values: [UInt8] = []

    init(_ bytes: [UInt8]) {
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                values.append(UInt8(bits >> UInt32(count) & 0x3F))
            }
        }
    }

    static let plain = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    static let forURLs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}

/// Text with percent-encoding and JSON's escapes decoded, and the original place of each byte.
struct UnescapedText {
    private(set) var bytes: [UInt8] = []
    /// Where each byte begins in the original text, and at the end the length of that text.
    private(set) var starts: [Int] = []

    init(_ escaped: [UInt8]) {
        var index = 0
        while index < escaped.count {
            let (byte, length) = Self.byte(escaped[index...])
            bytes.append(byte)
            starts.append(index)
            index += length
        }
        starts.append(escaped.count)
    }

    /// The first decoded byte of `text`, and how many bytes of `text` it takes up.
    private static func byte(_ text: ArraySlice<UInt8>) -> (UInt8, Int) {
        let first = text[text.startIndex]
        let rest = text.dropFirst()
        if first == UInt8(ascii: "%"), let byte = value(rest.prefix(2), digits: 2) { return (UInt8(byte), 3) }
        guard first == UInt8(ascii: "\\"), let mark = rest.first else { return (first, 1) }
        if mark == UInt8(ascii: "/") { return (mark, 2) }
        if mark == UInt8(ascii: "u"), let code = value(rest.dropFirst().prefix(4), digits: 4), code < 0x80 {
            return (UInt8(code), 6)
        }
        return (first, 1)
    }

    private static func value(_ digits: ArraySlice<UInt8>, digits count: Int) -> Int? {
        guard digits.count == count else { return nil }
        var value = 0
        for digit in digits {
            guard let number = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
            value = value << 4 | number
        }
        return value
    }
}
