import Foundation
import Platform
import Serving
import TestSupport
import Testing

/// A server that echoes requests: neither the key nor control sequences are ever written or shown.
@Suite struct EchoTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var status = 400
        var type = "application/json"
        /// The body, with `KEY` where the key is repeated.
        let body: String
        /// How the server spells the key when it echoes it.
        var spelling: @Sendable (String) -> String = { $0 }
    }

    private static let words =
        #"you sent Bearer KEY \u001b[31m\u202e<script>x</script> https://u:p@h/x?token=abc&sig=z"#

    static let rows = [
        Row(testDescription: "in its sentence", body: #"{"statusCode":"418","error":"e","message":"\#(words)"}"#),
        Row(testDescription: "as its code", body: #"{"statusCode":"418","error":"KEY","message":"m","code":"KEY"}"#),
        Row(testDescription: "in plain text", type: "text/plain", body: "got \u{1B}]0;KEY\u{7} from you"),
        Row(testDescription: "on a page", status: 502, type: "text/html", body: "<html>KEY</html>"),
        Row(testDescription: "refusing the key", status: 401, body: #"{"message":"invalid jwt: \#(words)"}"#),
        Row(testDescription: "denying", body: #"{"statusCode":"403","message":"\#(words)","code":"AccessDenied"}"#),
        Row(testDescription: "in a success", status: 200, body: #"{"Id":7,"KEY":"KEY"}"#),
        Row(
            testDescription: "percent-encoded", body: #"{"statusCode":"418","message":"at /x?k=KEY"}"#,
            spelling: { $0.utf8.map { "%" + String($0, radix: 16) }.joined() }),
        Row(
            testDescription: "in base64", body: #"{"statusCode":"418","message":"Basic KEY"}"#,
            spelling: { Data("user:\($0)".utf8).base64EncodedString() }),
        Row(
            testDescription: "its end only", body: #"{"statusCode":"418","message":"a key that ends with KEY"}"#,
            spelling: { String($0.suffix(12)) }),
    ]

    /// A key, and the part of it that is secret.
    struct Key: Sendable {
        let text: String
        let secret: String
    }

    static let keys = [
        Key(
            text: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0."
                + "q7Zt3xP0rLwY5kNc8bE2uVd6sHa1mJf4gQiTzKoXyRw", secret: "q7Zt3xP0rLwY5kNc8bE2uVd6sHa1mJf4gQiTzKoXyRw"),
        Key(text: "sb_secret_Vq8tZ3xP0rLw7kYc5NbE2u", secret: "Vq8tZ3xP0rLw7kYc5NbE2u"),
    ]

    @Test(arguments: rows, keys)
    func nothingOfTheKeyIsWrittenOrShown(row: Row, key: Key) async throws {
        try await FileTree().withDirectory { folder in
            let repeated = Shared(0)
            let server = Server(listening: [.loopback(port: 0)]) { request in
                if request.method != "GET" { repeated.change { $0 += 1 } }
                return Self.answer(request, row)
            }
            try server.start()
            var fixture = try ProgramFixture(
                folder.resolved(), ["a.jpg": "one", "b.jpg": "two"],
                destination: ["--set", "destination.url=http://127.0.0.1:\(server.port ?? 0)/storage/v1"])
            fixture = fixture.hasty("0s")
            fixture.environment["GALLERY_SYNC_KEY"] = key.text
            do {
                try await Self.lookEverywhere(fixture, row, key)
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
            #expect(repeated.value > 0, "uploads and listings were answered with the key")
        }
    }

    private static func answer(_ request: Request, _ row: Row) -> Response {
        if request.method == "GET", request.path.contains("/bucket/") {
            let bucket = #"{"id":"media","name":"media","public":false,"file_size_limit":null}"#
            return Response(
                status: 200, headers: ["content-type": "application/json"], body: .bytes(Array(bucket.utf8)))
        }
        let key = request.headers["apikey"] ?? ""
        let body = row.body.replacing("KEY", with: row.spelling(key))
        return Response(
            status: row.status, headers: ["content-type": row.type, "x-echo": key], body: .bytes(Array(body.utf8)))
    }

    private static func lookEverywhere(_ fixture: ProgramFixture, _ row: Row, _ key: Key) async throws {
        let gallery = fixture.gallery.display
        let page = fixture.folder.appending("page.html").display
        let commands = [
            ["sync", gallery], ["sync", gallery, "-vv", "--log-format", "json"], ["sync", gallery, "-vv"], ["status"],
            ["status", "--json"], ["status", "--html", page], ["doctor"], ["why", gallery + "/a.jpg"],
            ["queue", "list"], ["queue", "list", "--json"], ["config", "show"], ["verify"],
        ]
        var shown = ""
        for command in commands {
            let end = try await fixture.run(command)
            #expect(end.code != nil, "\(command) ended by itself")
            shown += end.results + end.notes
        }
        #expect(shown.contains("a.jpg"))
        #expect(!shown.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{7}" || $0 == "\u{202E}" })
        #expect(!shown.contains("token=abc"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.display)
        #expect(files.contains { $0.hasSuffix("queue.json") } && files.contains { $0.hasSuffix("library.sqlite") })
        for file in files {
            let path = fixture.folder.display + "/" + file
            guard let bytes = FileManager.default.contents(atPath: path) else { continue }
            let found = Self.pieces(of: key.secret, in: Array(bytes))
            #expect(found.isEmpty, "\(file) holds \(found.first ?? "")")
        }
        #expect(Self.pieces(of: key.secret, in: Array(shown.utf8)).isEmpty)
    }

    /// The pieces of eight characters of `secret` that `bytes` hold.
    private static func pieces(of secret: String, in bytes: [UInt8]) -> [String] {
        let secret = Array(secret.utf8)
        let pieces = Set((0...(secret.count - 8)).map { Array(secret[$0..<$0 + 8]) })
        guard bytes.count >= 8 else { return [] }
        let firsts = Set(pieces.map { $0[0] })
        return (0...(bytes.count - 8)).filter { firsts.contains(bytes[$0]) }.map { Array(bytes[$0..<$0 + 8]) }
            .filter(pieces.contains).map { String(decoding: $0, as: UTF8.self) }
    }
}
