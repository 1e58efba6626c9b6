import Foundation
import PageFiles
import Serving
import TestSupport
import Testing
import Text

@testable import Dashboard

@Suite struct PageRouterTests {
    @Test func aLinkBecomesACookieOnce() async throws {
        let gate = Gate.opened()
        let router = PageRouter(entrance: Entrance(gate: gate, log: .silent), host: HostDouble(), contents: nil)
        let target = "/enter/\(try gate.token())"
        let request = Request(method: "GET", target: target, headers: ["host": "localhost:4000"])
        let first = await router.answer(request)
        #expect(first.status == 303 && first.headers["location"] == "/")
        #expect(first.headers["set-cookie"]?.hasSuffix("; HttpOnly; SameSite=Strict; Path=/") == true)
        let second = await router.answer(request)
        #expect(second.status == 403 && second.headers["set-cookie"] == nil)
        #expect(second.headers["content-type"] == "text/plain; charset=utf-8")
    }

    @Test(arguments: [
        ("POST", "127.0.0.1:4000", nil), ("GET", "evil.example", nil), ("GET", "localhost:4000", "prefetch"),
    ])
    func aLinkIsNotUsedUpBy(method: String, host: String, purpose: String?) async throws {
        let gate = Gate.opened()
        let router = PageRouter(entrance: Entrance(gate: gate, log: .silent), host: HostDouble(), contents: nil)
        let token = try gate.token()
        var headers: Headers = ["host": host]
        headers["sec-purpose"] = purpose
        let answer = await router.answer(Request(method: method, target: "/enter/\(token)", headers: headers))
        #expect(answer.headers["set-cookie"] == nil)
        #expect(gate.enter(with: token) != nil)
    }

    @Test func everyAnswerForbidsWhatThePageDoesNotNeed() async throws {
        try await PageFixture.with { fixture in
            for target in ["/", "/page/style.css", "/api/1/status", "/api/1/timeline", "/nowhere"] {
                let headers = await fixture.ask(target).headers
                #expect(
                    headers["content-security-policy"]?.hasPrefix(
                        "default-src 'none'; script-src 'self'; style-src 'self';") == true)
                #expect(headers["content-security-policy"]?.contains("unsafe") == false)
                #expect(headers["x-content-type-options"] == "nosniff" && headers["referrer-policy"] == "no-referrer")
            }
        }
    }

    @Test(arguments: [
        "/page/..", "/page/../app.js", "/page/..%2f..%2fetc%2fpasswd", "/page/%2e%2e", "/page/", "/page/index.html/x",
        "/api/1/assets/x/original", "/api/1/assets/Li4vYQ/original", "/api/1/assets/MS4uLi9hLmpwZw/original",
        "//etc/passwd",
    ])
    func aPathLeadsNowhereElse(_ target: String) async throws {
        try await PageFixture.with { fixture in #expect(await fixture.ask(target).status == 404) }
    }

    @Test func aKnownFileIsNotSentAgain() async throws {
        try await PageFixture.with { fixture in
            let first = await fixture.ask("/")
            let tag = try #require(first.headers["etag"])
            let again = await fixture.ask("/", [("if-none-match", tag)])
            #expect(first.status == 200 && again.status == 304)
            #expect(try again.bytes.isEmpty)
        }
    }

    @Test func aFaultIsLoggedWithItsPlaceAndWithoutWhatWasLookedFor() async throws {
        let lines = Shared<[Log.Line]>([])
        try await PageFixture.with(log: Log(level: .info) { line in lines.change { $0.append(line) } }) { fixture in
            fixture.host.isBroken = true
            let answer = await fixture.ask("/api/1/status?text=secret")
            #expect(answer.status == 500)
            #expect(await fixture.ask("/nowhere").status == 404)
        }
        #expect(lines.value.map(\.message) == ["The page could not be answered: HostBroken()"])
        #expect(lines.value.flatMap(\.details).map(\.value) == ["GET /api/1/status"])
    }

    /// A module that only its importer names is asked for when that one has arrived: a round trip for each step.
    @Test func theFirstPageNamesEveryModuleThatItWillNeed() throws {
        let texts = Dictionary(
            uniqueKeysWithValues: PageFile.all.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) })
        var (needed, open): (Set<String>, [String]) = ([], ["app.js"])
        while let name = open.popLast() {
            guard needed.insert(name).inserted else { continue }
            open += try #require(texts[name]).matches(of: #/from "\./(\w+\.js)"/#).map { String($0.1) }
        }
        let named = try #require(texts["index.html"]).matches(of: #/"/page/(\w+\.js)"/#).map { String($0.1) }
        #expect(needed.count > 20 && Set(named) == needed && named.count == needed.count)
    }

    @Test func everyFileOfTheFolderIsEmbedded() throws {
        let folder = Project.folder.appendingPathComponent("Sources/Dashboard/Page")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix(".md") }
        #expect(Set(PageFile.all.map(\.name)) == Set(names), "Sources/CPage/page.c lists them")
        for file in PageFile.all {
            #expect(try Project.data(of: "Sources/Dashboard/Page/\(file.name)") == Data(file.bytes))
        }
    }
}
