import Configuration
import Output
import Platform
import Testing

@testable import CommandLine
@testable import GallerySync

@Suite struct InvocationTests {
    /// The invocation of a line of words separated by spaces.
    static func invocation(_ line: String) throws(UsageError) -> Invocation {
        try Invocation(line.split(separator: " ").map { Array($0.utf8) })
    }

    @Test(
        arguments: [
            ("", HelpRequest.overview), ("help", HelpRequest.overview), ("--help", HelpRequest.overview),
            ("-h", HelpRequest.overview),
            ("help sync", HelpRequest.command("sync")),
            ("sync --help", HelpRequest.command("sync")), ("restore -h", HelpRequest.command("restore")),
            ("version", VersionRequest()),
            ("--version", VersionRequest()), ("help --man d", HelpRequest.manual("d")),
            ("completion fish", CompletionRequest(shell: .fish)),
            ("init", InitRequest()),
            (
                "init a /b --url https://x --key-file k --manual -y",
                InitRequest(roots: ["a", "/b"], keyFile: "k", isAutomatic: false, acceptsDefaults: true)
            ),
            ("init --change-destination --local", InitRequest(changesDestination: true)),
            ("sync", SyncRequest()),
            ("sync a b --dry-run", SyncRequest(roots: ["a", "b"], isDryRun: true)),
            ("sync -- --dry-run", SyncRequest(roots: ["--dry-run"])),
            ("sync -", SyncRequest(roots: ["-"])),
            ("watch a", WatchRequest(roots: ["a"])), ("status", StatusRequest()),
            ("status --html r.html --redact", StatusRequest(html: "r.html", isRedacted: true)),
            ("status --check --max-age 2h", StatusRequest(checks: true, maxAge: .seconds(7200))),
            ("status --follow", StatusRequest(follows: true)), ("reupload", ReuploadRequest()),
            (
                "reupload a --missing --force --dry-run --yes",
                ReuploadRequest(
                    paths: ["a"], selection: .missing, isForced: true, isDryRun: true, isConfirmed: true)
            ),
            ("reupload --failed --code http.413", ReuploadRequest(selection: .failed, code: "http.413")),
            ("reupload --changed -y", ReuploadRequest(selection: .changed, isConfirmed: true)),
            ("reupload --all --since 7d", ReuploadRequest(selection: .all, since: .ago(.seconds(604_800)))),
            ("restore --to d", RestoreRequest(target: "d")),
            (
                "restore p/q --to=d --since 1970-01-02 --dry-run",
                RestoreRequest(
                    paths: ["p/q"], target: "d", since: .date(FileTime(nanoseconds: 86_400_000_000_000)),
                    isDryRun: true)
            ),
            ("queue list", QueueRequest.list), ("queue pause", QueueRequest.pause),
            ("queue resume", QueueRequest.resume(now: false)),
            ("queue resume --now", QueueRequest.resume(now: true)),
            ("queue cancel a b", QueueRequest.cancel(["a", "b"])), ("why a", WhyRequest(files: ["a"])),
            ("verify", VerifyRequest()),
            ("verify --deep 5% --repair", VerifyRequest(percent: 5, isRepairing: true)),
            ("verify --deep 0.5", VerifyRequest(percent: 0.5)), ("prune", PruneRequest()),
            (
                "prune --delete --dry-run --yes",
                PruneRequest(isDeleting: true, isDryRun: true, isConfirmed: true)
            ),
            ("link a b --expires 2h", LinkRequest(files: ["a", "b"], expires: .seconds(7200))),
            ("rescue", RescueRequest(source: .known)),
            (
                "rescue https://a/1.mp4 l.csv --dry-run",
                RescueRequest(source: .links(["https://a/1.mp4", "l.csv"]), isDryRun: true)
            ),
            (
                "rescue https://a/1.mp4 --expires 3h",
                RescueRequest(source: .links(["https://a/1.mp4"]), expires: .ago(.seconds(10_800)))
            ),
            (
                "rescue --from fal --since 30d",
                RescueRequest(source: .provider("fal"), since: .ago(.seconds(2_592_000)))
            ),
            (
                "rescue --from table video_jobs",
                RescueRequest(source: .table("video_jobs", column: "video_url", thumbnail: "thumbnail_url"))
            ),
            (
                "rescue --from table t --column link --thumbnail-column -",
                RescueRequest(source: .table("t", column: "link", thumbnail: "-"))
            ),
            ("jobs list", JobsRequest.list),
            ("jobs add fal a b --model m", JobsRequest.add(provider: "fal", ids: ["a", "b"], model: "m")),
            ("jobs cancel fal:a", JobsRequest.cancel(["fal:a"])),
            (
                "generate fal m --prompt cat",
                GenerateRequest(provider: "fal", model: "m", prompt: "cat")
            ),
            (
                "generate rendio m --input f --cost 1.5 -y",
                GenerateRequest(provider: "rendio", model: "m", input: "f", cost: 1.5, isConfirmed: true)
            ),
            ("thumbnail a -o d", ThumbnailRequest(files: ["a"], target: "d")),
            (
                "thumbnail a b -od --size 64 --size 128",
                ThumbnailRequest(files: ["a", "b"], target: "d", sizes: [64, 128])
            ),
            ("serve", ServeRequest()),
            ("serve --port 8000 --data d", ServeRequest(port: 8000, data: "d")),
            ("serve --faults f", ServeRequest(faults: "f")),
            ("login", LoginRequest()), ("logout", LogoutRequest()),
            (
                "login --email a@b --password-file p",
                LoginRequest(email: "a@b", passwordFile: "p")
            ),
            ("login --email a@b --code", LoginRequest(email: "a@b", sendsCode: true)),
            ("demo", DemoRequest(keeps: false)), ("demo --keep", DemoRequest(keeps: true)),
            ("config show", ConfigRequest.show),
            ("config check", ConfigRequest.check),
        ] as [(String, any Command)])
    func command(_ line: String, _ request: any Command) throws {
        expect(try Self.invocation(line), asksFor: request)
    }

    private func expect<Request: Command>(_ invocation: Invocation, asksFor request: Request) {
        #expect(invocation.command as? Request == request)
    }

    @Test func generalOptionsStandAnywhere() throws {
        let line = "--profile nas sync --config c.json5 a --state-dir=s --json --color never"
        let found = try Self.invocation(line)
        expect(found, asksFor: SyncRequest(roots: ["a"]))
        #expect(found.profile == "nas")
        #expect(found.configuration == "c.json5")
        #expect(found.stateDirectory == "s")
        #expect(found.isJSON)
        #expect(!found.isQuiet)
        #expect(found.colour == .never)
        #expect(found.overrides.isEmpty)
    }

    @Test(arguments: [
        ("sync --local", "destination.local", "true", "--local"),
        ("sync --limit-rate 2M", "upload.limitRate", "2M", "--limit-rate"),
        ("init --url https://x", "destination.url", "https://x", "--url"),
        ("init --bucket b", "destination.bucket", "b", "--bucket"),
        ("init --prefix p", "destination.prefix", "p", "--prefix"),
        ("sync --log-format json", "log.format", "json", "--log-format"),
        ("sync -v", "log.level", "debug", "--verbose"), ("sync -vv", "log.level", "trace", "--verbose"),
        ("sync -v -v -v", "log.level", "trace", "--verbose"), ("sync -q", "log.level", "error", "--quiet"),
        ("sync --set retry.attempts=3", "retry.attempts", "3", "--set retry.attempts"),
        ("sync --set destination.prefix=a=b", "destination.prefix", "a=b", "--set destination.prefix"),
    ])
    func settingsGivenAsOptions(_ row: (line: String, key: String, text: String, flag: String)) throws {
        let expected = SettingOverride(row.key, .text(row.text), from: .flag(row.flag))
        #expect(try Self.invocation(row.line).overrides == [expected])
    }

    /// Of a value behind `=` a shell leaves the tilde as it is.
    @Test(arguments: [
        ("restore ~/a --to=~/back", RestoreRequest(paths: ["~/a"], target: "/h/back")),
        ("restore --to ~", RestoreRequest(target: "/h")), ("restore --to=./~/a", RestoreRequest(target: "./~/a")),
    ])
    func aTildeOfAnOptionIsTheHome(_ line: String, _ request: RestoreRequest) throws {
        let words = line.split(separator: " ").map { Array($0.utf8) }
        expect(try Invocation(words, home: "/h"), asksFor: request)
        let general = ["status", "--config=~/c", "--state-dir=~/s"].map { Array($0.utf8) }
        #expect(try Invocation(general, home: "/h").configuration == "/h/c")
        #expect(try Invocation(general, home: "/h").stateDirectory == "/h/s")
    }

    @Test func argumentsNeedNotBeText() throws {
        let name: [UInt8] = [0x61, 0xFF, 0x62]
        let words = [Array("why".utf8), name, Array("--".utf8), Array("-é".utf8)]
        expect(try Invocation(words), asksFor: WhyRequest(files: [FilePath(bytes: name), "-é"]))
    }
}
