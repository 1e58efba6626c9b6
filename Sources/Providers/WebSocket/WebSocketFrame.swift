/// One frame of a WebSocket (RFC 6455, section 5.2), without reserved bits.
package struct WebSocketFrame: Hashable, Sendable {
    /// What the payload is.
    package enum Opcode: UInt8, Hashable, Sendable {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xa

        /// Whether it may stand between the fragments of a message, and carries at most 125 bytes.
        var isControl: Bool { rawValue >= 0x8 }
    }

    /// How the payload is to be read; `continuation` in every fragment after the first.
    var opcode: Opcode
    /// The bytes without masking; at most 125 for a control frame, which `encoded` does not check.
    package var payload: [UInt8]
    /// Whether the message ends here.
    var isFinal: Bool

    /// A frame of its own, or a fragment where `isFinal` is false.
    package init(_ opcode: Opcode, _ payload: [UInt8] = [], isFinal: Bool = true) {
        self.opcode = opcode
        self.payload = payload
        self.isFinal = isFinal
    }

    /// A close frame whose reason is cut to what a control frame holds.
    package static func close(_ code: UInt16, _ reason: String = "") -> WebSocketFrame {
        var words = reason
        while words.utf8.count > 123 { words.removeLast() }
        return WebSocketFrame(.close, [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + words.utf8)
    }
}

extension WebSocketFrame {
    /// The frame's bytes; a client masks each frame with a fresh random `mask`, a server never does.
    package func encoded(mask: UInt32?) -> [UInt8] {
        var bytes = [opcode.rawValue | (isFinal ? 0x80 : 0)]
        let flag: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ...125: bytes.append(flag | UInt8(payload.count))
        case ...0xffff: bytes += [flag | 126] + Self.bytes(of: UInt64(payload.count), count: 2)
        default: bytes += [flag | 127] + Self.bytes(of: UInt64(payload.count), count: 8)
        }
        guard let mask else { return bytes + payload }
        let key = Self.bytes(of: UInt64(mask), count: 4)
        return bytes + key + Self.masked(payload[...], with: key[...])
    }

    /// Each byte with the key's byte at its place modulo four; masking twice gives the payload back.
    static func masked(_ payload: ArraySlice<UInt8>, with key: ArraySlice<UInt8>) -> [UInt8] {
        let key = Array(key)
        return payload.enumerated().map { place, byte in byte ^ key[place & 3] }
    }

    /// `number` in network byte order.
    private static func bytes(of number: UInt64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }
}
