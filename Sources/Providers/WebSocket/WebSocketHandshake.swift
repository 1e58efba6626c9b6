import Formats
import FoundationEssentials
import Platform
import Transfer

/// The client's side of the WebSocket handshake (RFC 6455, section 4).
package struct WebSocketHandshake: Hashable, Sendable {
    /// A nonce of 16 bytes in base64.
    let key: String
    private let address: WebAddress

    /// A handshake for `ws://…` or `wss://…`; `nil` for any other address.
    package init?(_ address: String) {
        guard let address = WebAddress(address), ["ws", "wss"].contains(address.scheme) else { return nil }
        self.address = address
        key = Data(Randomness.bytes(16)).base64EncodedString()
    }

    /// Where to connect: the same server, as an `http` or `https` URL for curl.
    package var origin: String {
        let scheme = address.scheme == "wss" ? "https" : "http"
        return "\(scheme)://\(host)\(address.port.map { ":\($0)" } ?? "")/"
    }

    private var host: String { address.host.contains(":") ? "[\(address.host)]" : address.host }

    /// The bytes of the request that opens the handshake.
    package var request: [UInt8] {
        let path = (address.path.isEmpty ? "/" : address.path) + (address.query.map { "?\($0)" } ?? "")
        let lines = [
            "GET \(path) HTTP/1.1", "Host: \(host)\(address.port.map { ":\($0)" } ?? "")", "Upgrade: websocket",
            "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13", "", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// The value that a WebSocket server returns for `key` in `Sec-WebSocket-Accept`.
    package static func accept(_ key: String) -> String {
        Data(SHA1.hash((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)).base64EncodedString()
    }
}

extension WebSocketHandshake {
    /// Bytes of an answer's head at most.
    static let limit = 16 << 10

    /// Reads the answer: what follows its head, or `nil` while the head is not complete.
    package func rest(of answer: [UInt8]) throws(WebSocketError) -> ArraySlice<UInt8>? {
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else {
            guard answer.count <= Self.limit else { throw .notASocket("The head of its answer does not end.") }
            return nil
        }
        let head = answer[..<end]
        let words = String(decoding: head.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
        guard words.first?.hasPrefix("HTTP/1.") == true, words.count > 1, let status = Int(digits: words[1]) else {
            throw .notASocket("It does not answer in HTTP.")
        }
        guard status == 101 else { throw .refused(status: status) }
        let headers = HTTPHeaders(block: head)
        guard headers["upgrade"]?.lowercased() == "websocket",
            headers["connection"]?.lowercased().contains("upgrade") == true,
            headers["sec-websocket-accept"] == Self.accept(key)
        else { throw .notASocket("It accepts something else than a WebSocket.") }
        guard headers["sec-websocket-extensions"] == nil, headers["sec-websocket-protocol"] == nil else {
            throw .notASocket("It accepts what was not offered.")
        }
        return answer[end...]
    }
}
