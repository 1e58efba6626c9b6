import Catalog
import Dashboard
import Foundation
import Platform
import Queue
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Control

/// What the page's side asks of the storage, and what it says of the answers.
@Suite struct PagePieceTests {
    private static func answer(_ status: Int, _ range: String?, _ body: String) -> ScriptedTransport.Answer {
        var headers = HTTPHeaders()
        headers["content-range"] = range
        return .json(body, status: status, headers: headers)
    }

    /// Bytes from the fifth on are asked for: none but those are shown as such.
    @Test(
        arguments: [
            Fact("the range", answer(206, "bytes 5-7/20", "abc"), "abc"),
            Fact("less, at the end of the object", answer(206, "bytes 5-5/6", "a"), "a"),
            Fact("the first bytes, where ranges are ignored", answer(200, nil, "abc"), ""),
            Fact("another range", answer(206, "bytes 4-6/20", "abc"), nil),
            Fact("a range that is not told", answer(206, nil, "abc"), nil),
            Fact("one without an end", answer(206, "bytes 5-/20", "abc"), nil),
            Fact("nothing there", answer(404, nil, #"{"statusCode":"404","error":"not_found","message":"no"}"#), nil),
            Fact("beyond the end", answer(416, "bytes */4", ""), nil),
        ] as [Fact<ScriptedTransport.Answer, String?>])
    func aPieceIsShown(_ fact: Fact<ScriptedTransport.Answer, String?>) async throws {
        let transport = ScriptedTransport([fact.input])
        let storage = StorageClient(
            endpoint: StorageEndpoint(base: "http://storage"), credentials: StorageCredentials(key: "k"),
            transport: transport)
        let piece = try? await storage.piece(of: ObjectKey(text: "a.mp4"), in: "media", at: 5, count: 3)
        #expect(piece.map { String(decoding: $0, as: UTF8.self) } == fact.output)
        #expect(transport.requests.first?.headers["range"] == "bytes=5-7")
    }

    @Test(arguments: [0, -1, Int.min])
    func nothingIsNotAskedFor(count: Int) async throws {
        let storage = StorageClient(
            endpoint: StorageEndpoint(base: "http://storage"), credentials: StorageCredentials(key: "k"),
            transport: ScriptedTransport([]))
        #expect(try await storage.piece(of: ObjectKey(text: "a"), in: "media", at: 5, count: count) == [])
    }

    /// How many files links were asked for, how many were made, and what the page says.
    @Test(
        arguments: [
            Fact("all", (2, 2), "2 links made."), Fact("one", (1, 1), "1 link made."),
            Fact("one of two", (2, 1), "1 link made. 1 file not stored."),
            Fact("none of three", (3, 0), "0 links made. 3 files not stored."),
        ] as [Fact<(files: Int, links: Int), String>])
    func linksAreCounted(_ fact: Fact<(files: Int, links: Int), String>) {
        let moment = Date(timeIntervalSince1970: 1_795_168_800.9)
        let links = (0..<fact.input.links).map {
            Linker.Link(path: "P/\($0)", key: "k", url: "u\($0)", expiresAt: $0 == 0 ? moment : nil)
        }
        let result = PageActionResult(links, of: fact.input.files)
        #expect(result.sentence == fact.output)
        #expect(result.count == fact.input.links)
        #expect(result.links.map(\.path) == (0..<fact.input.links).map { "P/\($0)" })
        #expect(result.links.first.map(\.expiresAt) == (links.isEmpty ? nil : .some("2026-11-20T10:00:00Z")))
        #expect(result.links.dropFirst().allSatisfy { $0.expiresAt == nil })
    }

    /// Paths of any bytes come through the socket as they are.
    @Test(arguments: [
        "/home/ada/a.jpg", FilePath(bytes: [0x2F, 0xFF, 0xFE]), FilePath(bytes: Array("/a\nb\"\\\u{7}".utf8)),
        FilePath(bytes: Array("/e\u{301}/é".utf8)), FilePath(bytes: []),
    ])
    func aRequestKeepsItsPaths(path: FilePath) throws {
        let sync = SyncOrder(paths: [path, path])
        #expect(try JSONDecoder().decode(SyncOrder.self, from: JSONEncoder().encode(sync)) == sync)
        let cancel = CancelOrder(paths: [path])
        #expect(try JSONDecoder().decode(CancelOrder.self, from: JSONEncoder().encode(cancel)).paths == [path])
    }
}
