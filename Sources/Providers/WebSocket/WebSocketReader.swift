/// Turns the bytes of a connection into messages, however they were split on the way.
///
/// Must not be fed after a fault. Memory stays below the message limit plus the bytes of one `feed`.
package struct WebSocketReader: Sendable {
    /// A complete message or control frame.
    package enum Event: Hashable, Sendable {
        case text(String)
        case binary([UInt8])
        /// Must be answered with a pong of the same payload.
        case ping([UInt8])
        case pong([UInt8])
        /// The other side's close frame; `code` is `nil` where it gave none.
        case close(code: UInt16?, reason: String)
    }

    /// Bytes of one message at most.
    let limit: Int
    private let expectsMasks: Bool
    private var pending: [UInt8] = []
    /// The message whose fragments are coming in.
    private var open: WebSocketFrame?

    /// A reader of what a server sends, or of what a client sends where `expectsMasks`.
    package init(limit: Int = 1 << 20, expectsMasks: Bool = false) {
        self.limit = limit
        self.expectsMasks = expectsMasks
    }

    /// Takes the next bytes; returns the messages and control frames that they complete, in order.
    package mutating func feed(_ bytes: some Sequence<UInt8>) throws(WebSocketFault) -> [Event] {
        pending += bytes
        var events: [Event] = []
        var rest = pending[...]
        while let frame = try takeFrame(from: &rest) {
            if let event = try take(frame) { events.append(event) }
        }
        pending = Array(rest)
        return events
    }
}

extension WebSocketReader {
    /// The first whole frame; `nil` leaves everything for later.
    private func takeFrame(from bytes: inout ArraySlice<UInt8>) throws(WebSocketFault) -> WebSocketFrame? {
        guard let first = bytes.first, let second = bytes.dropFirst().first else { return nil }
        guard first & 0x70 == 0 else { throw .reservedBits }
        guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0f) else { throw .unknownOpcode(first & 0x0f) }
        let isMasked = second & 0x80 != 0
        guard isMasked == expectsMasks else { throw .wrongMasking }
        let isFinal = first & 0x80 != 0
        if opcode.isControl, !isFinal || second & 0x7f > 125 { throw .badControlFrame }
        var rest = bytes.dropFirst(2)
        guard let length = try Self.takeLength(second & 0x7f, from: &rest) else { return nil }
        guard opcode.isControl || length + (open?.payload.count ?? 0) <= limit else { throw .tooLarge(limit: limit) }
        let key = rest.prefix(isMasked ? 4 : 0)
        rest = rest.dropFirst(key.count)
        guard key.count == (isMasked ? 4 : 0), rest.count >= length else { return nil }
        let payload = rest.prefix(length)
        bytes = rest.dropFirst(length)
        return WebSocketFrame(
            opcode, isMasked ? WebSocketFrame.masked(payload, with: key) : Array(payload), isFinal: isFinal)
    }

    /// The payload's length in one of its three forms, the shortest that holds it; `nil` while bytes are missing.
    private static func takeLength(_ short: UInt8, from bytes: inout ArraySlice<UInt8>) throws(WebSocketFault) -> Int? {
        guard short > 125 else { return Int(short) }
        let count = short == 126 ? 2 : 8
        guard bytes.count >= count else { return nil }
        let length = bytes.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length > (count == 2 ? 125 : 0xffff), length < 1 << 62 else { throw .badLength }
        bytes = bytes.dropFirst(count)
        return Int(length)
    }

    /// What a frame completes; `nil` for a fragment.
    private mutating func take(_ frame: WebSocketFrame) throws(WebSocketFault) -> Event? {
        switch frame.opcode {
        case .ping: return .ping(frame.payload)
        case .pong: return .pong(frame.payload)
        case .close: return try Self.goodbye(frame.payload)
        case .continuation:
            guard var message = open else { throw .outOfOrder }
            open = nil
            message.payload += frame.payload
            message.isFinal = frame.isFinal
            return try finish(message)
        case .text, .binary:
            guard open == nil else { throw .outOfOrder }
            return try finish(frame)
        }
    }

    private mutating func finish(_ message: WebSocketFrame) throws(WebSocketFault) -> Event? {
        guard message.isFinal else {
            open = message
            return nil
        }
        guard message.opcode == .text else { return .binary(message.payload) }
        return .text(try Self.text(message.payload[...]))
    }

    private static func goodbye(_ payload: [UInt8]) throws(WebSocketFault) -> Event {
        guard !payload.isEmpty else { return .close(code: nil, reason: "") }
        guard payload.count >= 2 else { throw .badClose }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: return .close(code: code, reason: try text(payload.dropFirst(2)))
        default: throw .badClose
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(WebSocketFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text
    }
}
