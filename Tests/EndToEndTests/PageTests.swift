import FoundationEssentials
import Platform
import Reporting
import TestSupport
import Testing
import Transfer

/// The gallery page of the real programs, asked as a browser does.
@Suite struct PageTests {
    @Test func theOwnersBrowserSeesAndSteersTheAgent() async throws {
        try await ProgramFixture.local(["a.jpg": "x", "b.jpg": "y"]) { fixture in
            try await fixture.watching(storing: 2) { _ in
                let link = try await fixture.link("open", "--print")
                let browser = try await Browser(following: link)
                #expect(try await browser.get("/").status == 200)
                #expect(try await browser.text("/api/1/timeline").contains(#""count":2"#))
                let columns = try await browser.columns()
                #expect(Set(columns.names) == ["a.jpg", "b.jpg"] && columns.states == ["stored", "stored"])
                let asset = try #require(columns.ids.first)
                let part = try await browser.get("/api/1/assets/\(asset)/original", ["range": "bytes=0-0"])
                #expect(part.status == 206 && part.body.count == 1)

                #expect(try await browser.act("pause", #","minutes":60"#) == 200)
                #expect(try await fixture.status().queue.paused)
                #expect(try await browser.act("resume") == 200)

                #expect(try await HTTPClient().send(HTTPRequest(.get, link)).status == 403)
                #expect(try await browser.stranger("/api/1/timeline") == 401)
                #expect(try await browser.get("/", ["host": "evil.example"]).status == 403)
            }
        }
    }

    @Test func withoutAnAgentThePageIsForReadingOnly() async throws {
        try await ProgramFixture.local(["a.jpg": "x"]) { fixture in
            #expect(try await fixture.run("open").results.isEmpty)
            _ = try await fixture.run("sync", fixture.gallery.display)
            let gallery = try fixture.start("gallery")
            let link = try await eventually("it prints its link") { try gallery.results.split(separator: "\n").first }
            let browser = try await Browser(following: String(link))
            #expect(try await browser.columns().names == ["a.jpg"])
            #expect(try await browser.act("pause") == 503)
            gallery.signal(.interrupt)
            #expect(try await gallery.end().code == 130)
        }
    }
}

extension ProgramFixture {
    fileprivate func link(_ words: String...) async throws -> String {
        let end = try await run(words)
        return try #require(end.results.split(separator: "\n").first.map(String.init))
    }
}

/// A browser that followed a link and has the cookie.
private struct Browser {
    private let client = HTTPClient()
    private let origin: String
    private let cookie: String

    struct Columns: Decodable {
        let ids: [String]
        let names: [String]
        let states: [String]
    }

    init(following link: String) async throws {
        let answer = try await client.send(HTTPRequest(.get, link))
        origin = link.components(upTo: "/enter/")
        cookie = String(try #require(answer.headers["set-cookie"]).prefix { $0 != ";" })
        #expect(answer.status == 303)
    }

    func get(_ path: String, _ headers: [String: String] = [:]) async throws -> HTTPResponse {
        var request = HTTPRequest(.get, origin + path, answer: .memory(limit: 1 << 20))
        request.headers["cookie"] = cookie
        for (name, value) in headers { request.headers[name] = value }
        return try await client.send(request)
    }

    func text(_ path: String) async throws -> String { String(decoding: try await get(path).body, as: UTF8.self) }

    func columns() async throws -> Columns {
        try JSONDecoder().decode(Columns.self, from: Data(try await get("/api/1/timeline/assets").body))
    }

    /// The status of an action, with its parameters after it, such as `"minutes":60`.
    func act(_ action: String, _ parameters: String = "") async throws -> Int {
        let body = Array(#"{"action":"\#(action)"\#(parameters)}"#.utf8)
        var request = HTTPRequest(.post, origin + "/api/1/actions", body: .bytes(body), answer: .memory(limit: 1 << 20))
        request.headers["cookie"] = cookie
        request.headers["origin"] = origin
        request.headers["content-type"] = "application/json"
        return try await client.send(request).status
    }

    /// The status that a browser without the cookie gets.
    func stranger(_ path: String) async throws -> Int { try await client.send(HTTPRequest(.get, origin + path)).status }
}

extension String {
    /// What stands before `part`, or all of it.
    func components(upTo part: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return String(self[..<range.lowerBound])
    }
}
