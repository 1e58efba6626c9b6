import Reporting
import Serving
import TestSupport
import Testing

/// Who is not let in, tried from where they would be.
extension ChromiumTests {
    @Test func aLinkWorksOnceAndNothingWorksWithoutItsCookieOrUnderAnotherName() async throws {
        let (fixture, browser) = (try ChromiumFixture.current, try ChromiumFixture.current.browser)
        let link = try await fixture.fixture.pageLink()
        try await browser.visit(link)
        #expect(try await browser.status == 200)
        let strange = link.replacing("127.0.0.1", with: Chromium.strangeHost).components(upTo: "/enter/")
        for path in ["/", "/api/1/status"] {
            try await browser.visit(strange + path)
            #expect(try await browser.status == 403)
        }
        try await browser.visit(link)
        #expect(try await browser.status == 403)
        let words: String = try await browser.value("document.body.innerText")
        #expect(words.hasPrefix("This link was used before, or is too old."))
        let page = link.components(upTo: "/enter/")
        try await browser.visit(page)
        #expect(try await browser.status == 200)
        try await browser.forgetCookies()
        try await browser.visit(page)
        #expect(try await browser.status == 401)
    }

    /// Cookies know no ports, so the browser sends ours along with what any other page of this computer asks for.
    @Test func anotherPageOfThisComputerNeitherSteersNorReads() async throws {
        let (fixture, browser) = (try ChromiumFixture.current, try ChromiumFixture.current.browser)
        let link = try await fixture.fixture.pageLink()
        try await browser.visit(link)
        let page = link.components(upTo: "/enter/")
        let stranger = Server(listening: [.loopback(port: 0)]) { _ in
            Response(status: 200, headers: ["content-type": "text/html"], body: .bytes(Array("<title>x</title>".utf8)))
        }
        try stranger.start()
        let port = try stranger.port.orThrow()
        try await browser.visit("http://127.0.0.1:\(port)/")
        let asked: [Bool] = try await browser.value(
            """
            Promise.all([
              ["/api/1/status", {}], ["/api/1/status", { mode: "no-cors" }],
              ["/api/1/actions", { mode: "no-cors", method: "POST", body: '{"action":"pause"}' }],
            ].map(([path, options]) => fetch("\(page)" + path, { credentials: "include", ...options })
              .then(() => true, () => false)))
            """)
        #expect(asked == [false, false, false])
        #expect(try await !fixture.fixture.status().queue.paused)
        await stranger.stop()
    }
}
