import Formats
import Testing

@Suite struct UTF16TextTests {
    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x61, 0, 0xAC, 0x20], "a€"), ([0xFE, 0xFF, 0, 0x61, 0x20, 0xAC], "a€"),
            ([0xFF, 0xFE, 0x61], ""), ([0xFE, 0xFF], ""), ([0xFF, 0xFE, 0, 0xD8, 0x61, 0], "\u{FFFD}a"),
            ([0x61, 0], "a\0"), ([], ""), ([0xEF, 0xBB, 0xBF, 0x61], "\u{FEFF}a"),
        ] as [([UInt8], String)])
    func aByteOrderMarkTellsTheOrder(bytes: [UInt8], text: String) {
        #expect(bytes.inUTF8 == Array(text.utf8))
    }
}
