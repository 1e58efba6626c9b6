import Platform
import TestSupport
import Testing

/// A browser, and a watched gallery whose page it shows, shared by the tests of one suite.
struct ChromiumFixture: Sendable {
    let browser: Chromium
    let fixture: ProgramFixture

    /// The one that this test is to use.
    static var current: ChromiumFixture { get throws { try shared.orThrow() } }

    @TaskLocal fileprivate static var shared: ChromiumFixture?

    /// A name that becomes a picture of its own where it is taken for markup.
    static let hostileName = "<img src=x onerror=document.title='broken'>.jpg"

    /// The newest first, which is the order in the timeline.
    static let names = ["sea.jpg", "hill.jpg", "film.webm", hostileName]

    fileprivate static func with(_ body: (ChromiumFixture) async throws -> Void) async throws {
        try await ProgramFixture.local { fixture in
            var fixture = fixture
            fixture.common += ["--set", "thumbnails.enabled=true"]
            try await fixture.makeMedia()
            try await fixture.watching(storing: names.count) { _ in
                try await Chromium.with(in: fixture.folder) { browser in
                    try await body(ChromiumFixture(browser: browser, fixture: fixture))
                }
            }
        }
    }

    /// Opens the page anew, and returns when it shows every file.
    func open() async throws {
        try await browser.look(width: 1280)
        let link = try await fixture.pageLink()
        // The page of the test before it may still ask a server that has ended.
        try await browser.visit("about:blank")
        _ = try await browser.complaints()
        try await browser.visit(link)
        try await browser.see("all files", "\(Self.tiles).length === \(Self.names.count)")
    }

    /// The tiles that show a file, as a JavaScript array.
    static let tiles = "[...document.querySelectorAll('.row:not(.off) .tile:not(.off, .unknown)')]"

    /// The state that the tile of this file shows, as a JavaScript expression.
    static func badge(of name: String) -> String {
        "\(tiles).find((tile) => tile.title.split('\\n')[0] === '\(name)')?.querySelector('.badge').className"
    }
}

extension ProgramFixture {
    /// A fresh link to the page of the running agent.
    func pageLink() async throws -> String {
        let end = try await run("open", "--print")
        return try end.results.split(separator: "\n").first.map(String.init).orThrow()
    }

    /// Three pictures and a film.
    fileprivate func makeMedia() async throws {
        let made = folder.appending("made").display
        for words in [["jpeg", "--count", "3", "--size", "480x320"], ["webm", "--size", "160x120", "--fps", "5"]] {
            let end = try await GallerySyncProcess(
                Built.folder.appending("gallery-sync-media"), ["make", made, "--only"] + words,
                environment: environment, writingTo: folder
            ).end()
            guard end.code == 0 else { throw Unexpected(end: end) }
        }
        let names = [
            "jpeg-480x320-0001.jpg", "jpeg-480x320-0002.jpg", "webm-160x120-0001.webm", "jpeg-480x320-0003.jpg",
        ]
        for (number, (name, from)) in zip(ChromiumFixture.names, names).enumerated() {
            let file = try Directory(gallery).create(file: FilePath(name))
            try file.append(OpenFile(reading: FilePath(made).appending(from)).readAll())
            try file.setModified(FileTime(nanoseconds: (1_790_000_000 - Int64(number) * 1_000) * 1_000_000_000))
        }
    }
}

/// Gives all tests of a suite one browser and one gallery.
struct ChromiumScope: SuiteTrait, TestScoping {
    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await ChromiumFixture.with { fixture in
            try await ChromiumFixture.$shared.withValue(fixture) { try await function() }
        }
    }
}
