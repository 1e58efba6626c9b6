import Configuration
import Foundation
import Output
import Platform
import Testing

@testable import CommandLine
@testable import GallerySync

@Suite struct ConfigTests {
    @Test func everyValueIsShownWithItsOrigin() async throws {
        try await CommandFixture.with(
            [CommandFixture.configuration: "{profiles: {default: {roots: ['~/Pictures'], retry: {attempts: 3}}}}"],
            environment: ["GALLERY_SYNC_SYNC_PATIENCE": "5s", "GALLERY_SYNC_KEY": "hunter2hunter2"]
        ) { fixture async throws in
            #expect(await fixture.run("config show --set upload.limitRate=2M") == .success)
            let lines = try fixture.results.split(separator: "\n").map(String.init)
            for line in [
                "  roots                           [\"HOME/Pictures\"]  (HOME/.config/gallery-sync/config.json5)",
                "  retry.attempts                  3  (HOME/.config/gallery-sync/config.json5)",
                "  sync.patience                   \"5s\"  (GALLERY_SYNC_SYNC_PATIENCE)",
                "  upload.limitRate                \"2 MB\"  (--set upload.limitRate)",
                "  upload.concurrency              4", "  key                             •••  (GALLERY_SYNC_KEY)",
                "  state          HOME/.local/state/gallery-sync/default",
            ] {
                #expect(lines.contains(line), "\(line)")
            }
            #expect(try !fixture.results.contains("hunter2"))
        }
    }

    @Test func asADocumentItHasASchema() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        #expect(await fixture.run("config show --json --state-dir /x") == .success)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(try fixture.results.utf8)) as? [String: Any])
        #expect(document["schema"] as? String == "gallery-sync/config/1")
        #expect(document["key"] is NSNull)
        let settings = try #require(document["settings"] as? [String: [String: Any]])
        #expect(settings.keys.sorted() == Setting.all.map(\.key).sorted())
        #expect(settings["retry.attempts"]?["value"] as? Int == 10)
        #expect(settings["retry.attempts"]?["origin"] as? String == "default")
        let files = try #require(document["files"] as? [String: String])
        #expect(files["state"] == "/x/state/default")
    }

    /// Also with a `~` that no shell has read, as from a unit or a container.
    @Test(arguments: ["", "~/"])
    func variablesStandInForGeneralOptions(folder: String) async throws {
        try await CommandFixture.with(
            ["mine.json5": "{profiles: {nas: {}}}"],
            environment: [
                "GALLERY_SYNC_CONFIG": folder + "mine.json5", "GALLERY_SYNC_PROFILE": "nas",
                "GALLERY_SYNC_STATE_DIR": folder + "s",
            ]
        ) { fixture async throws in
            #expect(await fixture.run("config show") == .success)
            let text = try fixture.results
            #expect(text.hasPrefix("Profile nas\n"))
            #expect(text.contains("configuration  HOME/mine.json5"))
            #expect(text.contains("state          HOME/s/state/nas"))
        }
    }

    /// The findings of `config check` for a profile's body and a key.
    static func check(_ body: String, key: String? = nil) async throws -> (ExitCode, [String]) {
        var fixture = try CommandFixture()
        defer { fixture.remove() }
        try fixture.write("{profiles: {default: \(body)}}", to: fixture.configurationPath)
        fixture.environment["GALLERY_SYNC_KEY"] = key
        let code = await fixture.run("config check")
        let lines = try fixture.results.replacing(/\n +/, with: " ").split(separator: "\n")
        return (code, lines.map(String.init))
    }

    @Test(
        arguments: [
            (
                "all well", "{roots: ['~/Pictures'], destination: {url: 'https://a.example'}}", "key", ExitCode.success,
                "ok     destination    https://a.example, bucket media"
            ),
            (
                "no destination", "{}", nil, .configuration,
                "wrong  destination    No destination. Run \"gallery-sync init\", or add --local to keep a second copy on "
                    + "this computer only."
            ),
            (
                "local", "{destination: {local: true}}", nil, .success,
                "note   destination    this computer. Not protected against loss of this disk."
            ),
            (
                "no key", "{destination: {url: 'https://a.example'}}", nil, .configuration,
                "wrong  key            Set GALLERY_SYNC_KEY or destination.keyFile."
            ),
            (
                "a key file that is not there", "{destination: {url: 'https://a.example', keyFile: '/none'}}", nil,
                .configuration, "wrong  key            /none cannot be read: No such file or directory."
            ),
            (
                "not encrypted", "{destination: {url: 'http://nas.example'}}", "key", .success,
                "note   destination    http://nas.example is not encrypted: the key and every file can be read on the way."
            ),
            (
                "not encrypted on this computer is fine", "{destination: {url: 'http://127.0.0.1:54321'}}", "key",
                .success,
                "ok     destination    http://127.0.0.1:54321, bucket media"
            ),
            (
                "a root that is not there", "{destination: {local: true}, roots: ['/none']}", nil, .configuration,
                "wrong  root           /none: No such file or directory."
            ),
            (
                "no roots", "{destination: {local: true}}", nil, .success,
                "note   roots          none; name directories on the command line."
            ),
        ] as [(String, String, String?, ExitCode, String)])
    func findings(_ row: (why: String, body: String, key: String?, code: ExitCode, line: String)) async throws {
        let (code, lines) = try await Self.check(row.body, key: row.key)
        #expect(code == row.code, "\(row.why)")
        #expect(lines.contains(row.line), "\(row.why): \(lines)")
    }

    /// Otherwise a name with a typing mistake would look like a configuration without a destination.
    @Test func aFileWithoutTheProfileSaysWhichItHas() async throws {
        try await CommandFixture.with([
            CommandFixture.configuration: "{profiles: {defualt: {destination: {url: 'https://a.example'}}, nas: {}}}"
        ]) { fixture async throws in
            #expect(await fixture.run("config check") == .configuration)
            let results = try fixture.results.replacing(/\n +/, with: " ")
            let words = "has no profile \"default\"; it has \"defualt\", \"nas\""
            let file = "HOME/.config/gallery-sync/config.json5"
            let finding = "note   configuration  \(file) \(words): choose one with --profile.\n"
            #expect(results.hasPrefix(finding), "\(results)")
            #expect(await fixture.run("sync") == .configuration)
            #expect(
                try fixture.notes.contains(
                    "gallery-sync: No destination: the configuration \(words). Choose one with --profile, or run "
                        + "\"gallery-sync init\"."))
            #expect(await fixture.run("config check --local") == .success)
        }
    }

    /// The first receipt chose it, and no setting names it: then `sync` stores there, too.
    @Test func aDestinationThatIsRememberedIsOne() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            let rest = "--state-dir state --set thumbnails.enabled=false --set scan.settle=0s"
            #expect(await fixture.run("sync Pictures --local -q \(rest)") == .success)
            #expect(await fixture.run("sync -q \(rest)") == .success)
            #expect(await fixture.run("config check \(rest)") == .success)
            #expect(try fixture.results.contains("note   destination    this computer. Not protected"))
        }
    }

    @Test func findingsAreADocumentToo() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        #expect(await fixture.run("config check --json") == .configuration)
        let text = try fixture.results
        #expect(text.contains("\"schema\" : \"gallery-sync/check/1\""))
        #expect(text.contains("\"fine\" : false"))
        #expect(text.contains("\"result\" : \"wrong\""))
    }
}
