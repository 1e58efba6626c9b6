package import Transfer

/// Why a WebSocket could not be opened or can no longer be used.
package enum WebSocketError: Error, Hashable, Sendable {
    /// Not a `ws://` or `wss://` address.
    case badAddress
    case transfer(TransferError)
    /// The server answered the handshake with another status than 101.
    case refused(status: Int)
    /// The other side is not a WebSocket server; one sentence says why.
    case notASocket(String)
    case fault(WebSocketFault)
}

extension WebSocketError: CustomStringConvertible {
    /// One sentence for the log.
    package var description: String {
        switch self {
        case .badAddress: "This is no address of a WebSocket."
        case .transfer(let error): error.message
        case .refused(let status): "The server refuses the WebSocket with HTTP \(status)."
        case .notASocket(let why): "The server does not speak WebSocket. \(why)"
        case .fault(let fault): "The server breaks the WebSocket protocol (\(fault))."
        }
    }
}
