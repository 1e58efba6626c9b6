import Foundation
import Output
import Platform
import TestSupport
import Testing
import Transfer

@testable import GallerySync

/// Commands that go on until a signal comes: what they say at once, what they answer, and how they end.
@Suite struct RunningTests {
    static let rest = "--state-dir state --set thumbnails.enabled=false --set scan.settle=0s"

    /// The status and the body that a GET of `url` is answered with.
    static func get(_ url: String, _ method: HTTPMethod = .get) async throws -> (status: Int, text: String) {
        let client = HTTPClient()
        defer { client.close() }
        let response = try await client.send(HTTPRequest(method, url, answer: .memory(limit: 1 << 20)))
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    /// The first address in a text.
    static func address(in text: String) throws -> String {
        let address = try #require(text.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+[^ "\n]*/))
        return String(address.output)
    }

    // MARK: - serve

    @Test(arguments: [(Signal.interrupt, ExitCode.interrupted), (.terminate, .terminated), (.hangup, .terminated)])
    func aServerAnswersUntilASignalComes(_ signal: Signal, _ code: ExitCode) async throws {
        try await CommandFixture.with { fixture async throws in
            let ended = try await fixture.running("serve --data objects", until: signal) { said async throws in
                let url = try Self.address(in: said)
                #expect(
                    said.replacing(url, with: "URL") == """
                        Serving HOME/objects at URL
                        Service key: HOME/objects/service.key
                        Anon key:    HOME/objects/anon.key

                        """)
                #expect(try await Self.get(url + "/storage/v1/bucket").status >= 400)
                for name in ["service.key", "anon.key"] {
                    let facts = try FileFacts(of: fixture.home.appending(FilePath("objects/\(name)")))
                    #expect(facts.mode & 0o077 == 0)
                }
            }
            #expect(ended == code)
        }
    }

    @Test(arguments: [
        Fact(
            "users", "serve --user Ada --user b@example.org",
            ["User:        ada@localhost (codes by e-mail are written to", "User:        b@example.org"]),
        Fact(
            "a document", "serve --json",
            [
                "\"schema\" : \"gallery-sync/serve/1\"",
                "\"serviceKeyFile\" : \"HOME/.local/share/gallery-sync/storage/service.key\"",
            ]),
        Fact("eTags in parts", "serve --etag multipart:5", ["Serving HOME/.local/share/gallery-sync/storage at"]),
    ])
    func whatAServerIsIsSaid(_ row: Fact<String, [String]>) async throws {
        try await CommandFixture.with(environment: ["GALLERY_SYNC_SERVE_PASSWORD": "hunter2hunter2"]) {
            fixture async throws in
            let ended = try await fixture.running(row.input) { said async throws in
                let whole = try await eventually("all of it", seen: { said }) {
                    let text = try fixture.results
                    return row.output.allSatisfy(text.contains) ? text : nil
                }
                #expect(!whole.contains("hunter2"))
            }
            #expect(ended == .terminated)
        }
    }

    @Test func aFolderIsServedOnce() async throws {
        try await CommandFixture.with { fixture async throws in
            let ended = try await fixture.running("serve --data objects") { said async throws in
                let port = try Self.address(in: said).split(separator: ":").last ?? ""
                #expect(await fixture.run("serve --data objects") == .locked)
                #expect(await fixture.run("serve --data objects --rebuild-index --json") == .locked)
                #expect(
                    try fixture.notes.contains(
                        "in use by process \(ProcessInfo.processInfo.processIdentifier). Stop that one, or name"))
                #expect(try fixture.notes.contains(#""next":"Stop that one, or name another folder with --data.""#))
                #expect(await fixture.run("serve --data others --port \(port)") == .usage)
                #expect(
                    try fixture.notes.contains("Port \(port) is taken by another program: name a free one with --port"))
                #expect(try fixture.notes.split(separator: "\n").count == 3)
            }
            #expect(ended == .terminated)
        }
    }

    @Test func theRulesOfAFileAreKept() async throws {
        let rules = "{rules: [{method: 'GET', path: '/bucket*', status: 418, body: 'no'}]}"
        try await CommandFixture.with(["rules.json5": rules]) { fixture async throws in
            _ = try await fixture.running("serve --data objects --faults rules.json5") { said async throws in
                let url = try Self.address(in: said)
                #expect(try await Self.get(url + "/storage/v1/bucket").status == 418)
                #expect(try await Self.get(url + "/storage/v1/object/x").status != 418)
            }
        }
    }

    // MARK: - gallery

    @Test func withoutALibraryThereIsNoGallery() async throws {
        try await CommandFixture.with { fixture async throws in
            #expect(await fixture.run("gallery \(Self.rest)") == .configuration)
            #expect(try fixture.notes.contains("Nothing was ever synced with this profile: run \"gallery-sync sync\""))
        }
    }

    @Test(arguments: [("", true), ("-q", false), ("--json", false)])
    func aGalleryIsShownWithoutAnAgent(_ option: String, isExplained: Bool) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("sync Pictures --local -q \(Self.rest)") == .success)
            let notes = try fixture.notes
            let ended = try await fixture.running("gallery \(option) \(Self.rest)", until: .interrupt) {
                said async throws in
                let link = try Self.address(in: said)
                let host = link.split(separator: "/").prefix(2).joined(separator: "//")
                #expect(try await Self.get("\(host)/api/1/timeline").status == 401)
                #expect(try await Self.get(link).status < 400)
                // It lets one in, once.
                #expect(try await Self.get(link).status >= 400)
                #expect(try await Self.get(host + "/api/1/actions", .post).status >= 400)
            }
            #expect(ended == .interrupted)
            let explained = try fixture.notes.dropFirst(notes.count).contains(
                "it lets one in, once. Ctrl-C ends the page.")
            #expect(explained == isExplained)
        }
    }

    // MARK: - status and watch

    @Test(arguments: [("", "Destination: this computer"), ("--json", "\"schema\":\"gallery-sync/status/")])
    func aStatusIsFollowedUntilASignalComes(_ option: String, _ words: String) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("sync Pictures --local -q \(Self.rest)") == .success)
            let ended = try await fixture.running("status --follow \(option) --local \(Self.rest)") {
                said async throws in
                #expect(said.contains(words), "\(said)")
            }
            #expect(ended == .terminated)
        }
    }

    /// Each line is an event; the first says what began, the last how it ended.
    @Test func aWatchAnswersOtherCommandsAndTellsItsEnd() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            let words = "--local \(Self.rest) --set page.enabled=false"
            let ended = try await fixture.running("watch Pictures --json \(words)") { _ async throws in
                try await eventually("a photo is stored", seen: { try? fixture.results }) {
                    try fixture.results.contains("\"event\":\"stored\"")
                }
                #expect(await fixture.run("watch \(words)") == .locked)
                #expect(await fixture.run("queue pause \(words)") == .success)
                #expect(await fixture.run("queue resume \(words)") == .success)
                #expect(await fixture.run("status --check -q \(words)") == .success)
                #expect(await fixture.run("sync Pictures -q \(words)") == .success)
                #expect(await fixture.run("open --print \(words)") != .success)
            }
            #expect(ended == .terminated)
            let lines = try fixture.results.split(separator: "\n").filter { $0.contains("gallery-sync/event/1") }
            #expect(lines.first?.contains("\"event\":\"started\"") == true)
            let last = try #require(lines.last)
            #expect(last.contains("\"event\":\"finished\"") && last.contains("\"exit\":143"))
            // The next one goes on from there.
            #expect(await fixture.run("sync -q \(words)") == .success)
        }
    }
}
