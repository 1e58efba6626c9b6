import Providers
import Testing

@Suite struct WebSocketReaderTests {
    typealias Event = WebSocketReader.Event

    static let hello: [UInt8] = [0x48, 0x65, 0x6c, 0x6c, 0x6f]
    static let maskedHello: [UInt8] = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]

    /// The examples of RFC 6455, section 5.7.
    @Test func theExamplesOfTheStandardAreRead() throws {
        var server = WebSocketReader()
        #expect(try server.feed([0x81, 0x05] + Self.hello) == [.text("Hello")])
        #expect(try server.feed([0x01, 0x03, 0x48, 0x65, 0x6c]) == [])
        #expect(try server.feed([0x80, 0x02, 0x6c, 0x6f]) == [.text("Hello")])
        #expect(try server.feed([0x89, 0x05] + Self.hello) == [.ping(Self.hello)])
        let short = Array(repeating: UInt8(7), count: 256)
        #expect(try server.feed([0x82, 0x7e, 0x01, 0x00] + short) == [.binary(short)])
        let long = Array(repeating: UInt8(7), count: 65_536)
        #expect(try server.feed([0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0] + long) == [.binary(long)])
        var client = WebSocketReader(expectsMasks: true)
        #expect(try client.feed(Self.maskedHello) == [.text("Hello")])
        #expect(
            try client.feed([0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]) == [.pong(Self.hello)])
    }

    @Test func theExamplesOfTheStandardAreWritten() {
        let text = WebSocketFrame(.text, Self.hello)
        #expect(text.encoded(mask: nil) == [0x81, 0x05] + Self.hello)
        #expect(text.encoded(mask: 0x37fa_213d) == Self.maskedHello)
        #expect(WebSocketFrame(.text, [0x48], isFinal: false).encoded(mask: nil) == [0x01, 0x01, 0x48])
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536])
    func everyLengthComesBack(count: Int) throws {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31) }
        for mask in [nil, 0x0102_0304] as [UInt32?] {
            var reader = WebSocketReader(expectsMasks: mask != nil)
            #expect(try reader.feed(WebSocketFrame(.binary, payload).encoded(mask: mask)) == [.binary(payload)])
        }
    }

    @Test func whereTheBytesAreCutChangesNothing() throws {
        let bytes: [UInt8] =
            WebSocketFrame(.text, Array("ä".utf8.prefix(1)), isFinal: false).encoded(mask: nil)
            + WebSocketFrame(.ping, [1]).encoded(mask: nil)
            + WebSocketFrame(.continuation, Array("ä".utf8.suffix(1)), isFinal: false).encoded(mask: nil)
            + WebSocketFrame(.continuation).encoded(mask: nil)
            + WebSocketFrame(.binary, Array(repeating: 9, count: 200)).encoded(mask: nil)
            + WebSocketFrame.close(1000, "bye").encoded(mask: nil)
        let expected: [Event] = [
            .ping([1]), .text("ä"), .binary(Array(repeating: 9, count: 200)), .close(code: 1000, reason: "bye"),
        ]
        for size in [1, 2, 3, 7, 100, bytes.count] {
            var reader = WebSocketReader()
            var events: [Event] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                events += try reader.feed(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(events == expected)
        }
    }

    @Test(
        arguments: [
            ([0xc1, 0x00], WebSocketFault.reservedBits), ([0x83, 0x00], .unknownOpcode(3)),
            ([0x8b, 0x00], .unknownOpcode(11)),
            (maskedHello, .wrongMasking), ([0x09, 0x00], .badControlFrame),
            ([0x89, 0x7e, 0x00, 0x7e], .badControlFrame),
            ([0x82, 0x7e, 0x00, 0x7d], .badLength), ([0x82, 0x7f, 0, 0, 0, 0, 0, 0, 0xff, 0xff], .badLength),
            ([0x82, 0x7f, 0x80, 0, 0, 0, 0, 0, 0, 0], .badLength), ([0x80, 0x00], .outOfOrder),
            ([0x01, 0x00, 0x81, 0x00], .outOfOrder), ([0x81, 0x01, 0xff], .notUTF8),
            ([0x81, 0x02, 0xc0, 0x80], .notUTF8),
            ([0x88, 0x01, 0x03], .badClose), ([0x88, 0x02, 0x03, 0xed], .badClose),
            ([0x88, 0x02, 0x00, 0x00], .badClose),
            ([0x88, 0x03, 0x03, 0xe8, 0xff], .notUTF8),
        ] as [([UInt8], WebSocketFault)])
    func aBreachOfTheProtocolIsNamed(bytes: [UInt8], fault: WebSocketFault) {
        var reader = WebSocketReader()
        #expect(throws: fault) { try reader.feed(bytes) }
    }

    @Test func theLimitHoldsForFramesAndForTheirSum() throws {
        var whole = WebSocketReader(limit: 200)
        #expect(try whole.feed(WebSocketFrame(.binary, Array(repeating: 1, count: 200)).encoded(mask: nil)).count == 1)
        // The head alone is enough to refuse, before any payload arrives.
        #expect(throws: WebSocketFault.tooLarge(limit: 200)) { try whole.feed([0x82, 0x7e, 0x00, 0xc9]) }
        var parts = WebSocketReader(limit: 200)
        let half = WebSocketFrame(.binary, Array(repeating: 1, count: 150), isFinal: false)
        #expect(try parts.feed(half.encoded(mask: nil)) == [])
        #expect(try parts.feed(WebSocketFrame(.ping, Array(repeating: 1, count: 125)).encoded(mask: nil)).count == 1)
        #expect(throws: WebSocketFault.tooLarge(limit: 200)) { try parts.feed([0x80, 51]) }
    }

    @Test func aGoodbyeMaySayNothing() throws {
        var reader = WebSocketReader()
        #expect(try reader.feed([0x88, 0x00]) == [.close(code: nil, reason: "")])
    }

    @Test func aLongGoodbyeIsCutBetweenCharacters() throws {
        let frame = WebSocketFrame.close(1001, String(repeating: "ä", count: 100))
        #expect(frame.payload.count == 124)
        var reader = WebSocketReader()
        #expect(
            try reader.feed(frame.encoded(mask: nil)) == [.close(code: 1001, reason: String(repeating: "ä", count: 61))]
        )
    }
}
