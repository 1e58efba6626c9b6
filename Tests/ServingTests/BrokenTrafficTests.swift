import Platform
import TestSupport
import Testing

@testable import Serving

/// Bodies that end early, and bodies that are slow: what of them still comes.
@Suite struct BrokenTrafficTests {
    /// Longer than two of the pieces in which an answer is sent.
    private static let bytes = (0..<40_000).map { UInt8($0 % 251) }

    /// A body to be sent, and the bytes that it has.
    enum Kind: String, CaseIterable, Sendable {
        case bytes, file, stream, streamOfUnknownLength

        func with(_ body: (Response.Body) async throws -> Void) async throws {
            switch self {
            case .bytes: try await body(.bytes(BrokenTrafficTests.bytes))
            case .stream, .streamOfUnknownLength:
                let pieces = Shared(
                    stride(from: 0, to: 40_000, by: 8_000).map { start in
                        Array(BrokenTrafficTests.bytes[start..<start + 8_000])
                    })
                try await body(
                    .stream(length: self == .stream ? 40_000 : nil) {
                        pieces.change { $0.isEmpty ? nil : $0.removeFirst() }
                    })
            case .file:
                let tree: FileTree = ["file": .file([1, 2, 3] + BrokenTrafficTests.bytes + [4])]
                try await tree.withDirectory { folder in
                    let file = try OpenFile(reading: folder.appending("file"))
                    try await body(.file(file, offset: 3, length: 40_000))
                }
            }
        }
    }

    /// What a client receives of an answer that is sent in pieces, and whether it comes to its end.
    private func received(_ response: Response) async throws -> (bytes: [UInt8], isWhole: Bool) {
        guard case .stream(_, let next) = response.body else {
            Issue.record("It is not sent in pieces.")
            return ([], false)
        }
        var bytes: [UInt8] = []
        do {
            while let piece = try await next() { bytes += piece }
            return (bytes, true)
        } catch is BodyFailure {
            return (bytes, false)
        }
    }

    @Test(arguments: Kind.allCases, [1, 16_383, 16_384, 16_385, 39_999, 40_000, 40_001])
    func anAnswerIsCutAfterSoManyBytes(kind: Kind, count: Int) async throws {
        try await kind.with { body in
            let cut = Response(status: 206, headers: ["X": "1"], body: body).cut(after: count)
            #expect(cut.status == 206 && cut.headers["x"] == "1")
            let (bytes, isWhole) = try await received(cut)
            #expect(bytes == Array(Self.bytes.prefix(count)))
            // Also behind its last byte: then only the end is missing.
            #expect(!isWhole)
        }
    }

    @Test(arguments: Kind.allCases)
    func ofAnAnswerThatIsCutAtOnceNothingComes(kind: Kind) async throws {
        try await kind.with { body in
            #expect(Response(status: 200, body: body).cut(after: 0).isDropped)
        }
        #expect(Response(status: 200).cut(after: 5).isDropped)
        #expect(Response(status: 200, body: .announced(length: 9)).cut(after: 5).isDropped)
    }

    @Test(arguments: Kind.allCases)
    func aSlowAnswerIsTheSame(kind: Kind) async throws {
        for change in [{ $0.slowed(to: Pace(bytesPerSecond: .max)) }, \.streamed] as [@Sendable (Response) -> Response]
        {
            try await kind.with { body in
                let changed = change(Response(status: 200, body: body))
                let (bytes, isWhole) = try await received(changed)
                #expect(bytes == Self.bytes && isWhole)
                if case .stream(let length, _) = changed.body {
                    #expect(length == (kind == .streamOfUnknownLength ? nil : 40_000))
                }
            }
        }
    }

    /// A request's body in pieces of three bytes.
    private static func request(_ text: String) -> RequestBody {
        let rest = Shared(Array(text.utf8))
        return RequestBody(length: Int64(text.utf8.count)) { () throws(BodyFailure) in
            rest.change { bytes in
                defer { bytes.removeFirst(min(3, bytes.count)) }
                return bytes.isEmpty ? nil : Array(bytes.prefix(3))
            }
        }
    }

    @Test(arguments: [(0, ""), (1, "a"), (3, "abc"), (4, "abcd"), (7, "abcdefg"), (8, "abcdefg"), (100, "abcdefg")])
    func aBodyIsLostAfterSoManyBytesOrAtItsEnd(count: Int, text: String) async {
        var pieces = Self.request("abcdefg").lost(after: count).makeAsyncIterator()
        var bytes: [UInt8] = []
        do throws(BodyFailure) {
            while let piece = try await pieces.next(isolation: nil) { bytes += piece }
            Issue.record("It ended as if it were whole.")
        } catch {
            #expect(error == .lost)
        }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test func aSlowBodyIsTheSame() async throws {
        let body = Self.request("abcdefg").slowed(to: Pace(bytesPerSecond: 1 << 40))
        #expect(body.length == 7)
        #expect(String(decoding: try await body.collect(limit: 7), as: UTF8.self) == "abcdefg")
    }

    @Test func theLastWordsCloseTheConnection() {
        let response = Response(
            status: 204, headers: ["Upload-Offset": "7", "connection": "keep-alive", "Tus-Resumable": "1.0.0"])
        #expect(
            String(decoding: response.lastWords, as: UTF8.self)
                == "HTTP/1.1 204 -\r\nUpload-Offset: 7\r\nTus-Resumable: 1.0.0\r\nConnection: close\r\n\r\n")
    }
}

@Suite struct WildcardTests {
    @Test(arguments: [
        ("", "", true), ("", "a", false), ("a", "", false), ("*", "", true), ("*", "a/b", true), ("**", "", true),
        ("a*", "a", true), ("a*", "b", false), ("*a", "a", true), ("*a", "ab", false), ("a*b", "ab", true),
        ("a*b", "a", false), ("a*b", "abab", true), ("a*b", "aba", false), ("a*a", "a", false), ("*a*", "bab", true),
        ("a*b*c", "abcbc", true), ("a*bc*d", "abcbd", true), ("a*bc*d", "abbd", false), ("a", "A", false),
        ("é*", "é", true),
        ("e*", "e\u{301}", true), (".", "a", false),
    ])
    func aPatternMatchesTheWholeText(pattern: String, text: String, isMatch: Bool) {
        #expect(Wildcard(pattern).matches(text) == isMatch)
    }
}

@Suite struct HandoverTests {
    private static func conversation() throws -> Conversation {
        // Never returned to libmicrohttpd here, so it is only a number.
        Conversation(-1, upgrade: try #require(OpaquePointer(bitPattern: 8)), early: [])
    }

    @Test func whatWasGivenIsTakenOnce() async throws {
        let (handover, conversation) = (Handover(), try Self.conversation())
        #expect(handover.give(conversation))
        #expect(await handover.take() === conversation)
        #expect(await handover.take() == nil)
        #expect(!handover.give(conversation))
    }

    @Test func aTaskThatWaitsGetsItAndASecondOneNothing() async throws {
        let (handover, conversation) = (Handover(), try Self.conversation())
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { #expect(await handover.take() === conversation) }
            // Until the task waits, what is given is kept for it: in both orders it gets it.
            group.addTask { #expect(handover.give(conversation)) }
        }
        #expect(!handover.give(conversation))
    }

    @Test func afterItsEndNothingIsTakenOrGiven() async throws {
        let handover = Handover()
        handover.close()
        #expect(await handover.take() == nil)
        #expect(!handover.give(try Self.conversation()))
        handover.close()
    }

    @Test func aTaskThatWaitsHearsOfTheEnd() async throws {
        let handover = Handover()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { #expect(await handover.take() == nil) }
            group.addTask { handover.close() }
        }
    }
}
