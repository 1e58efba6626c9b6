import Platform
import TestSupport
import Testing
import Transfer

/// An answer that arrives in pieces is the same answer; one that breaks off is none.
@Suite struct CutAnswerTests {
    struct Wire: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let status: Int
        let body: String
        /// Bytes at the end without which the body is whole.
        var spare = 0

        init(_ sentence: String, _ text: String, _ status: Int, _ body: String, spare: Int = 0) {
            (testDescription, self.text, self.status, self.body) = (sentence, text, status, body)
            self.spare = spare
        }

        /// Bytes of the head, interim ones before it included.
        var headSize: Int { text.utf8.count - body.utf8.count }
    }

    static let wires = [
        Wire("with a length", "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
        Wire(
            "in chunks",
            "HTTP/1.1 206 P\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
            206, "hello", spare: 2),
        Wire(
            "after an interim one",
            "HTTP/1.1 103 Early\r\nA: no\r\n\r\nHTTP/1.1 503 Busy\r\nA: b\r\nContent-Length: 4\r\n\r\nbusy", 503, "busy"
        ),
        Wire("without a body", "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 0\r\n\r\n", 200, ""),
    ]

    @Test(arguments: wires) func itIsTheSameWhereverItIsCut(_ wire: Wire) async throws {
        let (client, bytes) = (HTTPClient(), Array(wire.text.utf8))
        let server = try RawServer { connection in
            connection.serve { head, _ in
                let cut = Int(head.target.dropFirst()) ?? 0
                connection.write(Array(bytes[..<cut]))
                // Held back until the first piece is acknowledged, so that most of them arrive apart.
                connection.write(Array(bytes[cut...]))
            }
        }
        try await withThrowingDiscardingTaskGroup { group in
            for first in 0..<Self.connections {
                group.addTask {
                    for cut in stride(from: first, through: bytes.count, by: Self.connections) {
                        let answer = try await client.send(HTTPRequest(.get, "\(server.url)/\(cut)"))
                        #expect(answer.status == wire.status, "cut at \(cut)")
                        #expect(answer.body == Array(wire.body.utf8), "cut at \(cut)")
                        #expect(answer.headers.values(of: "a") == ["b"], "cut at \(cut)")
                    }
                }
            }
        }
        // Connections are used again, so nothing of an answer is left over.
        #expect(server.connectionCount <= Self.connections)
    }

    private static let connections = 8

    @Test(arguments: wires, [false, true]) func oneThatBreaksOffIsNone(_ wire: Wire, inFile: Bool) async throws {
        let (client, bytes) = (HTTPClient(), Array(wire.text.utf8))
        let server = try RawServer { connection in
            guard let head = connection.head(), let cut = Int(head.target.dropFirst()) else { return }
            connection.write(Array(bytes[..<cut]))
        }
        try await FileTree().withDirectory { directory in
            let file = try OpenFile(creating: directory.appending("f"))
            for cut in 0..<bytes.count {
                var request = HTTPRequest(.post, "\(server.url)/\(cut)", body: .bytes([1]))
                if inFile { request.answer = .file(file) }
                do throws(TransferError) {
                    let answer = try await client.send(request)
                    // A refusal says enough once its head is there.
                    let isRefusal = answer.status >= 300 && answer.isTruncated && cut >= wire.headSize
                    let isWhole = cut >= bytes.count - wire.spare && answer.received == wire.body.utf8.count
                    #expect(isRefusal || isWhole, "cut at \(cut): \(answer)")
                } catch {
                    #expect(error.kind == .lost && error.mayHaveArrived, "cut at \(cut): \(error)")
                }
            }
        }
    }

    /// Numbers of a server that no honest one sends.
    @Test(arguments: [
        "Content-Length: -1\r\n\r\nhello", "Content-Length: 99999999999999999999\r\n\r\nhello",
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", "Content-Length: five\r\n\r\nhello",
        "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5hello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloX0\r\n\r\n",
        "Transfer-Encoding: nonsense\r\nContent-Length: 5\r\n\r\nhello",
    ])
    func figuresThatCannotBeAreNeverMoreThanTheBytesSent(head: String) async throws {
        let server = try RawServer { connection in
            guard connection.head() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\(head)")
        }
        do throws(TransferError) {
            let answer = try await HTTPClient().send(HTTPRequest(.get, server.url, answer: .memory(limit: 64)))
            #expect(answer.body.count <= head.utf8.count && answer.received == answer.body.count)
        } catch {
            #expect([.lost, .tooLarge].contains(error.kind), "\(error)")
        }
    }
}
