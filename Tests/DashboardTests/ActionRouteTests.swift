import Catalog
import FoundationEssentials
import Platform
import Records
import Serving
import TestSupport
import Testing
import Text

@testable import Dashboard

@Suite struct ActionRouteTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// With `IDS` for the identifiers of one file.
        let body: String
        let action: PageAction

        init(_ body: String, _ action: PageAction) {
            (testDescription, self.body, self.action) = (body, body, action)
        }
    }

    private static let files = [RootedPath(root: "Pictures", path: "a.jpg")]

    @Test(arguments: [
        Row(#"{"action":"retry",IDS}"#, .retry(files)), Row(#"{"action":"resend",IDS}"#, .resend(files)),
        Row(#"{"action":"leaveOut",IDS}"#, .leaveOut(files)), Row(#"{"action":"releaseBrake"}"#, .releaseBrake(nil)),
        Row(#"{"action":"releaseBrake",IDS}"#, .releaseBrake(files)), Row(#"{"action":"show",IDS}"#, .show(files)),
        Row(#"{"action":"link",IDS,"seconds":60}"#, .link(files, seconds: 60)),
        Row(#"{"action":"restore",IDS,"folder":"~/R"}"#, .restore(files, folder: "~/R")),
        Row(#"{"action":"prune",IDS}"#, .prune(files, words: nil)),
        Row(#"{"action":"prune",IDS,"words":"delete 1"}"#, .prune(files, words: "delete 1")),
        Row(#"{"action":"pause","minutes":60}"#, .pause(minutes: 60)), Row(#"{"action":"sync"}"#, .sync),
    ])
    func anActionGoesToTheHost(_ row: Row) async throws {
        try await PageFixture.with { fixture in
            let ids = #""ids":["\#(try await fixture.id("a.jpg"))"]"#
            let answer = await fixture.ask("/api/1/actions", body: row.body.replacing("IDS", with: ids))
            #expect(try answer.text == #"{"count":1,"schema":"gallery-sync/action/1","sentence":"Done."}"#)
            #expect(fixture.host.actions == [row.action])
        }
    }

    @Test func anActionOnALivePhotoIsOneOnBothFiles() async throws {
        try await PageFixture.with { fixture in
            try await fixture.add(LivePhotos.assets)
            _ = await fixture.ask(
                "/api/1/actions", body: #"{"action":"retry","ids":["\#(try await fixture.id("pair.jpg"))"]}"#)
            let files = ["pair.jpg", "pair.mov"].map { RootedPath(root: "Pictures", path: $0) }
            #expect(fixture.host.actions == [.retry(files)])
            #expect(try await fixture.ask("/api/1/facets").text.contains(#""motions":1"#))
        }
    }

    @Test(arguments: [
        "", "{}", #"{"action":"format"}"#, #"{"action":"retry"}"#, #"{"action":"retry","ids":[]}"#,
        #"{"action":"releaseBrake","ids":[]}"#, #"{"action":"prune"}"#, #"{"action":"link",IDS}"#,
        #"{"action":"link",IDS,"seconds":0}"#, #"{"action":"link",IDS,"seconds":99999999}"#,
        #"{"action":"restore",IDS}"#, #"{"action":"restore",IDS,"folder":"R"}"#,
        #"{"action":"restore",IDS,"folder":"~other/R"}"#, #"{"action":"restore",IDS,"folder":"/R\u0000"}"#,
    ])
    func whatMakesNoSenseGoesNowhere(_ body: String) async throws {
        try await PageFixture.with { fixture in
            let ids = #""ids":["\#(try await fixture.id("a.jpg"))"]"#
            let answer = await fixture.ask("/api/1/actions", body: body.replacing("IDS", with: ids))
            #expect(answer.status == 400)
            #expect(fixture.host.actions.isEmpty)
        }
    }

    /// They went while the page was open; to the agent, an order about no file is one about all.
    @Test(arguments: ["retry", "resend", "leaveOut", "releaseBrake", "prune"], ["no identifier", "AAAAAAAAAAA"])
    func anActionOnFilesThatAreGoneGoesNowhere(_ action: String, _ id: String) async throws {
        try await PageFixture.with { fixture in
            let answer = await fixture.ask("/api/1/actions", body: #"{"action":"\#(action)","ids":["\#(id)"]}"#)
            #expect(answer.status == 404)
            #expect(fixture.host.actions.isEmpty)
        }
    }

    @Test func whatCannotBeAskedForSaysWhy() async throws {
        try await PageFixture.with { fixture in
            let text = try await fixture.ask("/api/1/actions").text
            #expect(text.contains(#""refused":{"show":"There is no file manager."}"#))
            #expect(text.contains(#""allowed":["retry","resend","#) && !text.contains(#""show","#))
            // What is never carried out is neither allowed nor refused.
            #expect(!text.contains(#""sync""#))
        }
    }

    @Test func theLogIsToldLineByLineAndWithoutSecrets() async throws {
        try await PageFixture.with { fixture in
            fixture.host.tail.add(Log.Line(at: .distantPast, level: .warning, message: "The key is s3cret-k3y"))
            let text = try await fixture.ask("/api/1/log").text
            #expect(text.contains(#""level":"warning","message":"The key is "#) && !text.contains("s3cret"))
            let feed = EventFeed(contents: nil, host: fixture.host, seen: fixture.router.seen)
            let first = String(decoding: try await feed.next(), as: UTF8.self)
            #expect(!first.contains("event: log"))
            let detail = Log.Detail("path", "a\u{202E}b")
            fixture.host.tail.add(Log.Line(at: .distantPast, level: .info, message: "Stored", details: [detail]))
            let second = String(decoding: try await feed.next(), as: UTF8.self)
            #expect(second.hasPrefix("event: log") && second.contains(#""number":2"#) && !second.contains("\u{202E}"))
        }
    }

    @Test func whatGoesOnIsToldWhenItChanges() async throws {
        try await PageFixture.with { fixture in
            let feed = EventFeed(contents: nil, host: fixture.host, seen: fixture.router.seen)
            _ = try await feed.next()
            fixture.host.tell([PageWork(id: 1, title: "Restoring 2 files", total: 2)])
            let event = String(decoding: try await feed.next(), as: UTF8.self)
            #expect(event.contains(#"event: works"#) && event.contains(#""title":"Restoring 2 files","total":2"#))
        }
    }
}
