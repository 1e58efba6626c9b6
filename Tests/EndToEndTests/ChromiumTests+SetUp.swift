import Platform
import TestSupport
import Testing

/// From nothing to the first stored photo, without a terminal but for the agent itself.
extension ChromiumTests {
    @Test func theSetUpLeadsToTheFirstStoredPhoto() async throws {
        let browser = try ChromiumFixture.current.browser
        try await ProgramFixture.served(["a.jpg": "a"]) { fixture, server in
            let fixture = fixture.withoutDestination()
            let open = try fixture.start("open")
            let link = try await eventually("it prints its link") { try open.results.split(separator: "\n").first }
            try await browser.look(width: 1280)
            try await browser.visit(String(link))
            try await browser.see("the questions", "document.getElementById('bucket').value === 'media'")
            try await answer(browser, folder: fixture.gallery.display, url: server.url, key: "wrong")
            try await browser.see("the refused key", "!document.getElementById('key-trouble').hidden")
            try await answer(browser, key: server.anonKey)
            try await browser.see("the sign-in", "document.activeElement.id === 'email'")
            try await browser.write("ada@example.org")
            try await browser.press(Chromium.Key.enter)
            try await browser.see("that she is unknown", "!document.getElementById('email-trouble').hidden")
            for (width, isDark) in [(1280, false), (390, true)] {
                try await browser.look(width: width, isDark: isDark)
                #expect(try await browser.value(PageChecks.faults) == [String]())
            }
            try await browser.look(width: 1280)
            try await answer(browser, key: server.serviceKey)
            try await browser.see("the missing bucket", "!document.getElementById('make').hidden")
            try await browser.click("#make")
            try await browser.see("the tried rights", "\(Self.finding("insert", is: "fine"))")
            try await browser.see("the room", "\(Self.finding("room", is: "fine"))")
            try await browser.click("#start")
            try await browser.see("that it is set up", "!document.getElementById('done').hidden")

            let isTold: Bool = try await browser.value("document.body.outerHTML.includes('\(server.serviceKey)')")
            #expect(try !isTold && !open.notes.contains(server.serviceKey))
            let settings = fixture.folder.appending("home/.config/gallery-sync")
            for name in ["config.json5", "default.key"] {
                #expect(try FileFacts(of: settings.appending(FilePath(name))).mode == 0o600, "\(name)")
            }
            let watch = try fixture.start("watch")
            try await browser.see("the photo", "\(ChromiumFixture.badge(of: "a.jpg")) === 'badge stored'")
            #expect(try await open.end().code == 0)
            watch.signal(.terminate)
            #expect(try await watch.end().exit == .exited(143))
        }
    }

    /// Fills in what is given, and has it tried.
    private func answer(_ browser: Chromium, folder: String? = nil, url: String? = nil, key: String) async throws {
        for (field, text) in [("folder", folder), ("url", url), ("key", key)] {
            guard let text else { continue }
            try await browser.focus(field)
            try await browser.run("document.activeElement.select()")
            try await browser.write(text)
        }
        try await browser.click("#try")
    }

    private static func finding(_ name: String, is result: String) -> String {
        "[...document.querySelectorAll('[data-result=\(result)] strong')].some(({ textContent }) => "
            + "textContent === '\(name)')"
    }
}

extension ProgramFixture {
    /// The same user before anything was set up.
    fileprivate func withoutDestination() -> ProgramFixture {
        var fixture = self
        fixture.common.removeAll { $0.hasPrefix("destination.url=") }
        if fixture.common.last == "--set" { fixture.common.removeLast() }
        fixture.environment["GALLERY_SYNC_KEY"] = nil
        return fixture
    }
}
