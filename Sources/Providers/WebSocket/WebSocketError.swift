package import Transfer

/// Why a WebSocket cannot be used, or not any longer.
package enum WebSocketError: Error, Hashable, Sendable {
    /// Not an address of a WebSocket.
    case badAddress
    case transfer(TransferError)
    /// The server answered the handshake with another status than 101.
    case refused(status: Int)
    /// What answers is no WebSocket server, in one sentence.
    case notASocket(String)
    case fault(WebSocketFault)
}

extension WebSocketError: CustomStringConvertible {
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
