import Platform
import Serving
import StorageServer
import TestSupport
import Testing

/// The gallery page in a real browser.
@Suite(
    .serialized, .enabled(if: Chromium.isThere, "chromium or chromium-driver is missing"), ChromiumScope())
struct ChromiumTests {
    private typealias Key = Chromium.Key

    @Test func aHostileNameIsShownAsText() async throws {
        let fixture = try ChromiumFixture.current
        try await fixture.open()
        // The timeline may be laid out anew at any time.
        try await eventually("each name as it is") {
            let names: [String] = try await fixture.browser.value(
                "\(ChromiumFixture.tiles).map((tile) => tile.title.split('\\n')[0])")
            return names.sorted() == ChromiumFixture.names.sorted()
        }
        let markup: Int = try await fixture.browser.value("document.querySelectorAll('img[src=x]').length")
        #expect(markup == 0)
        #expect(try await fixture.browser.value("document.title") == "Gallery")
        let complaints = try await fixture.browser.complaints()
        #expect(complaints == [])
    }

    @Test func theViewerTurnsItsPagesAndAFilmIsSoughtIn() async throws {
        let (fixture, browser) = (try ChromiumFixture.current, try ChromiumFixture.current.browser)
        try await fixture.open()
        try await browser.focus("photos-grid")
        try await browser.press(Key.enter)
        let order: [String] = try await browser.value(
            "fetch('/api/1/timeline/assets?count=4').then((answer) => answer.json()).then(({ names }) => names)")
        try await browser.see("the newest", Self.viewerShows(order[0]))
        try await browser.press(Key.right)
        try await browser.see("the one after it", Self.viewerShows(order[1]))
        try await browser.press(Key.left)
        try await browser.see("the newest again", Self.viewerShows(order[0]))
        for name in order.dropFirst().prefix(order.firstIndex(of: "film.webm") ?? 0) {
            try await browser.press(Key.right)
            try await browser.see("the next", Self.viewerShows(name))
        }
        try await browser.see("the film", "document.querySelector('#viewer video')?.readyState >= 1")
        let place: Double = try await browser.value(
            """
            new Promise((done) => {
              const video = document.querySelector("#viewer video");
              video.onseeked = () => done(video.currentTime);
              video.currentTime = 1.5;
            })
            """)
        #expect(place == 1.5)
        let part: Int = try await browser.value(
            """
            fetch(document.querySelector("#viewer video").src, { headers: { range: "bytes=2-5" } })
              .then(async (answer) => answer.status * 10 + (await answer.arrayBuffer()).byteLength)
            """)
        #expect(part == 2064)
        try await browser.press(Key.escape)
        try await browser.see("the timeline", "!document.getElementById('viewer').open")
        #expect(try await browser.complaints() == [])
    }

    private static func viewerShows(_ name: String) -> String {
        "document.querySelector('#viewer[open] .viewer-title bdi')?.textContent === \"\(name)\""
    }

    @Test func keysReachEverythingAndWhereTheyAreIsSeen() async throws {
        let (fixture, browser) = (try ChromiumFixture.current, try ChromiumFixture.current.browser)
        try await fixture.open()
        // They come last, and none of what comes moves the place from which Tab begins.
        try await browser.see("the counts", "document.querySelector('.chips .tally').textContent !== ''")
        var places: [String] = []
        for _ in 0..<60 {
            try await browser.press(Key.tab)
            var focus: PageChecks.Focus = try await browser.value(PageChecks.focus)
            guard focus.place != places.first else { break }
            // Behind the last place the focus leaves the page, and comes back to the first.
            guard !focus.place.hasPrefix("BODY") else { continue }
            #expect(!focus.name.isEmpty, "\(focus.place)")
            // What has it in the timeline may be laid out anew.
            try await eventually("it is seen where the focus is", seen: { focus.place }) {
                focus = try await browser.value(PageChecks.focus)
                return focus.isVisible
            }
            places.append(focus.place)
        }
        for stop in ["Photos", "Status", "search-text", "photos-grid"] {
            #expect(places.contains { $0.contains(stop) }, "\(stop) among \(places)")
        }
        try await browser.press("?")
        try await browser.see("the list of keys", "document.getElementById('keys').open")
        try await browser.press(Key.escape)
        try await browser.focus("photos-grid")
        try await browser.press(Key.enter)
        try await browser.see("the focus in the viewer", "document.activeElement.closest('#viewer[open]')")
        try await browser.press(Key.escape)
        try await browser.see("the focus where it was", "document.activeElement.id === 'photos-grid'")
        try await browser.press("g")
        try await browser.see("the status", "!document.getElementById('status').hidden")
    }

    @Test func allIsNamedAndLegibleInEveryViewAndWidthAndLight() async throws {
        let (fixture, browser) = (try ChromiumFixture.current, try ChromiumFixture.current.browser)
        try await fixture.open()
        for (width, isDark) in [(1280, false), (1280, true), (390, false), (390, true)] {
            try await browser.look(width: width, isDark: isDark)
            try await check(browser, "photos", width, isDark)
            try await browser.run("location.hash = '#/status'")
            try await browser.see("the status", "document.querySelector('#status h2')")
            try await check(browser, "status", width, isDark)
            try await browser.run("location.hash = '#/photos'")
            try await browser.see("the timeline", "\(ChromiumFixture.tiles).length > 0")
            try await browser.see("rows for readers from the newest on", Self.rowsAreOrdered)
        }
        try await browser.focus("photos-grid")
        try await browser.press(Key.enter, "i")
        try await browser.see("its facts", "document.querySelector('#facts dl')")
        try await check(browser, "viewer", 390, true)
        try await browser.look(width: 1280)
        try await check(browser, "viewer", 1280, false)
    }

    /// As of a bookmark, or a mistyped address; and the rail of years is for what goes beyond the window.
    @Test func anAddressThatMeansNothingShowsEverything() async throws {
        let (fixture, browser) = (try ChromiumFixture.current, try ChromiumFixture.current.browser)
        try await fixture.open()
        for words in ["state=zzz", "kind=toString&since=abc", "since=9999-01-01&until=0001-01-01"] {
            try await browser.run("location.hash = '#/photos?text=sea'")
            try await browser.see("one file", "\(ChromiumFixture.tiles).length === 1")
            #expect(try await browser.value("document.getElementById('scrubber').hidden") == true)
            try await browser.run("location.hash = '#/photos?\(words)'")
            try await browser.see("all files of \(words)", "\(ChromiumFixture.tiles).length === 4")
        }
        #expect(try await browser.complaints() == [])
        try await browser.run("location.hash = '#/photos?root=nope'")
        try await browser.see("the address of all", "location.hash === '#/photos'")
        try await browser.see("all files", "\(ChromiumFixture.tiles).length === 4")
        _ = try await browser.complaints()
    }

    /// A file that a rule leaves out now is stored all the same: there is nothing to send, and it can be had.
    @Test(arguments: [
        (false, ["Send after all", "Show in the file manager"]),
        (true, ["Copy a link", "Restore to a folder", "Show in the file manager"]),
    ])
    func whatCanBeDoneWithAFileThatIsLeftOut(isKept: Bool, words: [String]) async throws {
        let (fixture, browser) = (try ChromiumFixture.current, try ChromiumFixture.current.browser)
        try await fixture.open()
        let offered: [String] = try await browser.value(
            """
            import("/page/actions.js").then(async ({ learnAbilities, offers }) => {
              await learnAbilities();
              return offers([{ id: "1-a", state: "ignored", kept: \(isKept) }]).map(({ words }) => words);
            })
            """)
        #expect(offered == words)
        _ = try await browser.complaints()
    }

    @Test func theChecksFindWhatIsWrong() async throws {
        let (fixture, browser) = (try ChromiumFixture.current, try ChromiumFixture.current.browser)
        try await fixture.open()
        try await browser.run(
            """
            for (const name of ["button", "img", "main", "p"]) document.body.append(document.createElement(name));
            const words = document.body.lastChild;
            words.textContent = "Hardly legible";
            words.style.color = "#999";
            """)
        let faults: [String] = try await browser.value(PageChecks.faults)
        for fault in ["has no name", "has no alt", "not one main", "contrast 2.75 of \"Hardly legible\""] {
            #expect(faults.contains { $0.contains(fault) }, "\(fault) among \(faults)")
        }
    }

    /// A browser has six connections to one server for all its tabs.
    @Test func tabsInTheBackgroundKeepNoConnectionFromTheOneInFront() async throws {
        let (fixture, browser) = (try ChromiumFixture.current, try ChromiumFixture.current.browser)
        try await fixture.open()
        let page: String = try await browser.value("location.origin")
        let pictures = "document.querySelector('.row .picture') !== null"
        let first = try await browser.tab()
        var others: [String] = []
        for _ in 0..<8 {
            others.append(try await browser.openTab())
            try await browser.visit(page)
            try await browser.see("pictures", pictures)
            try await browser.see("how things stand", "document.querySelector('#pill.stored')")
        }
        for tab in others {
            try await browser.turn(to: tab)
            try await browser.closeTab()
        }
        try await browser.turn(to: first)
        try await browser.see("the first again", pictures)
        #expect(try await browser.complaints() == [])
    }

    /// Whether all rows that are shown are named in their order.
    private static let rowsAreOrdered = """
        (() => {
          const owned = document.getElementById("photos-grid").getAttribute("aria-owns").split(" ");
          const places = owned.map((id) => Number(document.getElementById(id).getAttribute("aria-rowindex")));
          return places.every((place, index) => place === index + 1)
            && places.length === document.querySelectorAll(".row:not(.off)").length;
        })()
        """

    private func check(_ browser: Chromium, _ view: String, _ width: Int, _ isDark: Bool) async throws {
        let faults: [String] = try await browser.value(PageChecks.faults)
        #expect(faults == [], "\(view) at \(width)\(isDark ? ", dark" : "")")
    }

    @Test func badgesChangeWhileItSyncsAndAFailedFileIsSentAgain() async throws {
        let isBroken = Shared(true)
        let faults: @Sendable (Request) -> Fault? = { request in
            isBroken.value && request.method == "POST" && request.path.hasSuffix("/b.jpg")
                ? .answer(Response(status: 400, body: .bytes(Array(#"{"error":"InvalidRequest"}"#.utf8)))) : nil
        }
        let browser = try ChromiumFixture.current.browser
        try await ProgramFixture.remote(["a.jpg": "a", "b.jpg": "b"], faults: faults) { fixture, _ in
            try await fixture.watching(storing: 1) { _ in
                try await browser.look(width: 1280)
                try await browser.visit(fixture.pageLink())
                try await browser.see("one is stored", "\(ChromiumFixture.badge(of: "a.jpg")) === 'badge stored'")
                try await browser.see("one failed", "\(ChromiumFixture.badge(of: "b.jpg")) === 'badge failed'")

                _ = try await fixture.run("queue", "pause")
                try FileTree(["c.jpg": "c"]).write(to: fixture.gallery)
                try await browser.see("a new one waits", "\(ChromiumFixture.badge(of: "c.jpg")) === 'badge waiting'")
                _ = try await fixture.run("queue", "resume")
                try await browser.see("it is stored", "\(ChromiumFixture.badge(of: "c.jpg")) === 'badge stored'")

                isBroken.change { $0 = false }
                try await browser.click("#to-status")
                try await browser.see("what failed", "document.querySelector('[aria-label=\"Retry b.jpg\"]')")
                try await browser.click("[aria-label='Retry b.jpg']")
                try await browser.click("#to-photos")
                try await browser.see("it is stored, too", "\(ChromiumFixture.badge(of: "b.jpg")) === 'badge stored'")
            }
        }
    }
}
