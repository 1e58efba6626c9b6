/// How the other side broke the protocol; the connection must not be used any more.
package enum WebSocketFault: Error, Hashable, Sendable {
    case reservedBits
    case unknownOpcode(UInt8)
    /// A server must not mask, a client must.
    case wrongMasking
    /// A control frame that is fragmented or longer than 125 bytes.
    case badControlFrame
    /// A length that is not written in its shortest form, or that no message has.
    case badLength
    /// A continuation of nothing, or a new message before the last one's end.
    case outOfOrder
    /// Bytes of a message at most.
    case tooLarge(limit: Int)
    case notUTF8
    /// A close frame with half a code, or with a code that must not be sent.
    case badClose
}
