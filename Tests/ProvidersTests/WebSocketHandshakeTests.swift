import Testing

@testable import Providers

@Suite struct WebSocketHandshakeTests {
    /// The example of RFC 6455, section 1.3.
    @Test func theExampleOfTheStandardIsAccepted() {
        #expect(WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(arguments: [
        ("ws://nas:8080/tasks/t-1/wss", "http://nas:8080/", "GET /tasks/t-1/wss HTTP/1.1\r\nHost: nas:8080\r\n"),
        ("wss://a.example/x?k=1", "https://a.example/", "GET /x?k=1 HTTP/1.1\r\nHost: a.example\r\n"),
        ("ws://[::1]:9", "http://[::1]:9/", "GET / HTTP/1.1\r\nHost: [::1]:9\r\n"),
    ])
    func anAddressSaysWhereAndWhat(address: String, origin: String, start: String) throws {
        let handshake = try #require(WebSocketHandshake(address))
        #expect(handshake.origin == origin)
        let request = String(decoding: handshake.request, as: UTF8.self)
        #expect(request.hasPrefix(start))
        #expect(request.contains("\r\nSec-WebSocket-Key: \(handshake.key)\r\n"))
        #expect(request.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: ["http://nas/", "nas:8080", "ws://", "ws://a b/", "ws://nas\r\nX: y/", "file:///x"])
    func anythingElseIsNoAddress(address: String) {
        #expect(WebSocketHandshake(address) == nil)
    }

    @Test func everyHandshakeHasAKeyOfItsOwn() {
        let keys = (0..<50).compactMap { _ in WebSocketHandshake("ws://nas/")?.key }
        #expect(Set(keys).count == 50)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let head: [String]
        let isGood: Bool

        init(_ description: String, _ head: String..., isGood: Bool = false) {
            (testDescription, self.head, self.isGood) = (description, head, isGood)
        }
    }

    /// `KEY` stands for the expected answer to the handshake's key.
    @Test(arguments: [
        Row(
            "as the standard has it", "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: KEY", isGood: true),
        Row(
            "in other cases", "HTTP/1.1 101", "upgrade: WebSocket", "connection: keep-alive, upgrade",
            "SEC-WEBSOCKET-ACCEPT: KEY", isGood: true),
        Row("another key", "HTTP/1.1 101 -", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: x"),
        Row("no key", "HTTP/1.1 101 -", "Upgrade: websocket", "Connection: Upgrade"),
        Row("another protocol", "HTTP/1.1 101 -", "Upgrade: h2c", "Connection: Upgrade", "Sec-WebSocket-Accept: KEY"),
        Row("no upgrade", "HTTP/1.1 101 -", "Upgrade: websocket", "Connection: close", "Sec-WebSocket-Accept: KEY"),
        Row(
            "an extension that was not offered", "HTTP/1.1 101 -", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: KEY", "Sec-WebSocket-Extensions: permessage-deflate"),
        Row(
            "a status with a sign", "HTTP/1.1 +101 -", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: KEY"),
        Row("a page", "HTTP/1.1 200 OK", "Content-Length: 0"), Row("a redirect", "HTTP/1.1 302 -", "Location: ws://x"),
        Row("no HTTP", "SSH-2.0-OpenSSH_9.2"), Row("nothing", ""),
    ])
    func anAnswerIsChecked(row: Row) throws {
        let handshake = try #require(WebSocketHandshake("ws://nas/"))
        let accept = WebSocketHandshake.accept(handshake.key)
        let head = row.head.map { $0.replacing("KEY", with: accept) }.joined(separator: "\r\n") + "\r\n\r\n"
        let answer = Array(head.utf8) + [0x81, 0x00]
        for length in 0..<head.utf8.count where row.isGood {
            #expect(try handshake.rest(of: Array(answer.prefix(length))) == nil)
        }
        if row.isGood {
            #expect(try handshake.rest(of: answer) == [0x81, 0x00])
        } else {
            #expect(throws: WebSocketError.self) { try handshake.rest(of: answer) }
        }
    }

    @Test func aHeadThatDoesNotEndIsRefused() throws {
        let handshake = try #require(WebSocketHandshake("ws://nas/"))
        let endless = Array("HTTP/1.1 101 -\r\nX: ".utf8) + [UInt8](repeating: 65, count: WebSocketHandshake.limit)
        #expect(throws: WebSocketError.self) { try handshake.rest(of: endless) }
    }
}
