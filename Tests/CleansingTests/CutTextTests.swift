import Cleansing
import Testing

/// Text that was cut short at any byte, or put together from pieces, shows no piece of a secret.
@Suite struct CutTextTests {
    private static let secret = "Vq8-tZ3xP0rLw_7kYc5NbE2u"
    private static let cleanser = Cleanser(hiding: [secret])

    /// The secret as it is, percent-encoded, and with every character escaped as in JSON.
    private static let spellings = [
        secret, secret.utf8.map { "%" + String($0, radix: 16) }.joined(),
        secret.utf8.map { "\\u00" + String($0, radix: 16) }.joined(),
    ]

    /// Eight characters of the secret in a row, at each place, in its spelling.
    private static func pieces(_ spelling: String, width: Int) -> Set<ArraySlice<UInt8>> {
        let bytes = Array(spelling.utf8)
        return Set(stride(from: 0, through: bytes.count - 8 * width, by: width).map { bytes[$0..<$0 + 8 * width] })
    }

    @Test(arguments: [0, 1, 2])
    func whereverItIsCut(spelling: Int) {
        let text = Self.spellings[spelling]
        let width = text.utf8.count / Self.secret.utf8.count
        let pieces = Self.pieces(text, width: width)
        for count in stride(from: 0, through: text.utf8.count, by: width == 6 ? 5 : 1) {
            let (head, tail) = (String(text.prefix(count)), String(text.dropFirst(count)))
            for cut in ["key \(head)", "\(tail) end", "\(tail)\(head)", "\(head) \(tail)"] {
                let shown = Array(Self.cleanser.text(cut).utf8)
                let tells = shown.indices.dropLast(8 * width - 1).contains {
                    pieces.contains(shown[$0..<$0 + 8 * width])
                }
                #expect(!tells, "\(cut)")
            }
        }
    }

    /// Escapes that end too early, or are none, are text.
    @Test(arguments: [
        "%", "%4", "%zz", "\\", "\\u", "\\u00", "\\u00zz", "\\x41", "%%", "\\\\", "100 %", "a\\/b", "%00",
    ])
    func brokenEscapesStay(text: String) {
        #expect(Self.cleanser.text(text) == text)
        #expect(Self.cleanser.text(text + Self.secret) == text + "…" || text.hasSuffix("\\"))
        #expect(!Self.cleanser.text(text + Self.secret).contains(Self.secret.prefix(8)))
    }

    /// However long a text is, what is shown of it is short, and says that it was cut.
    @Test(arguments: [1_999, 2_000, 2_001, 65_537])
    func aLongTextIsCut(count: Int) {
        let shown = Self.cleanser.text(String(repeating: "a", count: count))
        #expect(shown.count == min(count, 2_000))
        #expect(shown.hasSuffix("…") == (count > 2_000))
        // A secret at the end of a page is not looked for, and not shown.
        #expect(!Self.cleanser.text(String(repeating: "é", count: count) + Self.secret).contains("Vq8"))
    }

    @Test(arguments: [0, 1, 2, 3])
    func aLimitHoldsForTheMarkToo(limit: Int) {
        #expect(Self.cleanser.text("abcdef", limit: limit).count <= max(1, limit))
    }
}
