import Platform
import Records
import Reporting
import TestSupport
import Testing
import Text
import Transfer

@testable import Control

/// What listens on a control socket and is no agent of ours, or one that breaks.
@Suite struct ControlPeerTests {
    /// What a peer does with each connection.
    typealias Peer = @Sendable (RawConnection) -> Void

    /// Answers each request with `text`, as it is, and hangs up.
    static func saying(_ text: String) -> Peer {
        { connection in
            guard let head = connection.head() else { return }
            _ = connection.body(head.contentLength)
            connection.write(text)
        }
    }

    static let resetting: Peer = { connection in
        _ = connection.head()
        connection.reset()
    }

    /// An answer with a body.
    static func answer(_ status: Int, _ body: String) -> Peer {
        saying("HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Calls `body` with a client of a peer.
    ///
    /// - Parameter limit: Bytes of an answer that the client takes; `nil` for as many as usual.
    static func with(
        _ peer: @escaping Peer, limit: Int? = nil, _ body: (ControlClient, RawServer) async throws -> Void
    ) async throws {
        try await FileTree().withDirectory { folder in
            let server = try RawServer(unix: folder.appending("s"), peer)
            let transport = HTTPClient()
            defer {
                transport.close()
                server.stop()
            }
            let socket = folder.appending("s")
            let client =
                limit.map { ControlClient(socket: socket, transport: transport, answerLimit: $0) }
                ?? ControlClient(socket: socket, transport: transport)
            try await body(client, server)
        }
    }

    static let otherVersion =
        "The running agent is another version of gallery-sync than this \(Version.text): restart it, or ask it with its own."

    @Test(arguments: [
        Fact("no body", answer(200, ""), otherVersion), Fact("no JSON", answer(200, "hello"), otherVersion),
        Fact("half of it", answer(200, #"{"ended":{"_0":{"#), otherVersion),
        Fact("null", answer(200, "null"), otherVersion),
        Fact("a list", answer(200, "[]"), otherVersion), Fact("an empty object", answer(200, "{}"), otherVersion),
        Fact("another case", answer(200, #"{"begun":{"_0":{"done":{}}}}"#), otherVersion),
        Fact("an ending that there is not", answer(200, #"{"ended":{"_0":{"great":{}}}}"#), otherVersion),
        Fact("two cases at once", answer(200, #"{"ended":{"_0":{"done":{}}},"answered":{}}"#), otherVersion),
        Fact("no UTF-8", saying("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\u{0}"), otherVersion),
        Fact("deep nesting", answer(200, String(repeating: "[", count: 100_000)), otherVersion),
        Fact("no content", saying("HTTP/1.1 204 No Content\r\n\r\n"), otherVersion),
        Fact("a redirect", saying("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"), otherVersion),
        Fact("a refusal without words", answer(404, ""), otherVersion),
        Fact("a refusal with words", answer(400, "Ask me with 0.9."), "Ask me with 0.9."),
        Fact(
            "an error of the agent", answer(500, "write /s/queue.json: No space left"),
            "write /s/queue.json: No space left"),
    ])
    func whatMakesNoSenseIsAFailureWithOneSentence(_ row: Fact<Peer, String>) async throws {
        try await Self.with(row.input) { client, _ async throws in
            let failure = await #expect(throws: ControlFailure.self) { try await client.ask(PauseOrder()) }
            #expect(failure?.description == row.output)
        }
    }

    /// A list of 270,000 objects has as many bytes: the agent answers, however long that is.
    @Test func aLongAnswerIsRead() async throws {
        let room = String(repeating: " ", count: 65 << 20)
        try await Self.with(Self.answer(200, #"{"ended":{"_0":{"done":{}}}}"# + room)) { client, _ async throws in
            #expect(try await client.ask(PauseOrder()) == .ended(.done))
        }
    }

    /// Not silence: the agent has done what it was asked for.
    @Test func anAnswerBeyondAllRoomIsSaid() async throws {
        let answer = #"{"ended":{"_0":{"done":{}}}}"#
        try await Self.with(Self.answer(200, answer), limit: answer.utf8.count) { client, _ async throws in
            #expect(try await client.ask(PauseOrder()) == .ended(.done))
        }
        try await Self.with(Self.answer(200, answer), limit: answer.utf8.count - 1) { client, _ async throws in
            let failure = await #expect(throws: ControlFailure.self) { try await client.ask(PauseOrder()) }
            #expect(failure?.kind == .needsHuman)
            #expect(failure?.message.hasPrefix("The running agent carried it out, and its answer is longer") == true)
        }
    }

    /// An agent that ends while it answers: that is no answer of another version.
    @Test func aHeadWithoutItsEndIsNoAnswer() async throws {
        try await Self.with(Self.saying("HTTP/1.1 200 OK\r\nContent-Le")) { client, _ async throws in
            let error = await #expect(throws: TransferError.self) { try await client.ask(PauseOrder()) }
            #expect(error?.kind == .lost)
        }
    }

    @Test(
        arguments: [
            Fact("hangs up after the request", saying(""), TransferError.Kind.lost),
            Fact("resets the connection", resetting, .lost),
            Fact("says no HTTP", saying("hello\r\n\r\n"), .lost),
            Fact("is a shell's server", saying("SSH-2.0-OpenSSH_9.2\r\n"), .lost),
            Fact("ends within its body", saying("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"ended\":"), .lost),
            Fact(
                "ends within a chunk",
                saying("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{\"ended\":"), .lost),
            Fact(
                "announces more than there is room for",
                saying("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{"), .lost),
        ] as [Fact<Peer, TransferError.Kind>])
    func aBrokenConversationIsAskedOnce(_ row: Fact<Peer, TransferError.Kind>) async throws {
        try await Self.with(row.input) { client, server async throws in
            let error = await #expect(throws: TransferError.self) { try await client.ask(PauseOrder()) }
            #expect(error?.kind == row.output)
            // What may have been heard is not said again.
            #expect(server.connectionCount == 1)
        }
    }

    /// A report or the progress is asked for while something else is waited for, so that silence must not hold it up.
    @Test func aSilentAgentIsNotWaitedForWhereOnlyALookIsWanted() async throws {
        try await Self.with({ $0.stall() }) { client, _ async throws in
            let error = await #expect(throws: TransferError.self) { try await client.progress() }
            #expect(error?.kind == .timedOut)
            let other = await #expect(throws: TransferError.self) { try await client.report(.summary) }
            #expect(other?.kind == .timedOut)
        }
    }

    enum Place: Sendable { case missing, file, folder, closed, tooLong }

    @Test(arguments: [Place.missing, .file, .folder, .closed, .tooLong])
    func whereNothingListensIsSaid(_ place: Place) async throws {
        try await FileTree(["folder": [:], "file": "x"]).withDirectory { folder in
            let transport = HTTPClient()
            defer { transport.close() }
            let socket: FilePath
            switch place {
            case .missing: socket = folder.appending("none")
            case .file: socket = folder.appending("file")
            case .folder: socket = folder.appending("folder")
            case .closed:
                socket = folder.appending("s")
                // As after a crash: the name stays.
                try RawServer(unix: socket) { _ in }.stop()
            case .tooLong: socket = folder.appending(FilePath(String(repeating: "x", count: 200)))
            }
            let client = ControlClient(socket: socket, transport: transport)
            let error = await #expect(throws: TransferError.self) {
                try await client.ask(PauseOrder(), patience: .zero)
            }
            #expect(error?.kind == .unreachable)
            #expect(error?.mayHaveArrived == false)
        }
    }

    /// Each depth of a report is a path of its own, and each request is named by its type.
    @Test(arguments: [
        (Reporter.Depth.summary, "GET /report"), (.details, "GET /details"), (.page, "GET /page"),
    ])
    func aReportIsAskedForByItsDepth(_ depth: Reporter.Depth, _ asked: String) async throws {
        let heard = Shared<[String]>([])
        let peer: Peer = { connection in
            guard let head = connection.head() else { return }
            heard.change { $0.append("\(head.method) \(head.target)") }
            connection.answer(500, "no")
        }
        try await Self.with(peer) { client, _ async throws in
            await #expect(throws: ControlFailure.self) { try await client.report(depth) }
            #expect(heard.value == [asked])
        }
    }
}
