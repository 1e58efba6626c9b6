import Configuration
import Platform
import Testing

@testable import GallerySync

@Suite struct InvocationTests {
    /// The invocation of a line of words separated by spaces.
    static func invocation(_ line: String) throws(UsageError) -> Invocation {
        try Invocation(line.split(separator: " ").map { Array($0.utf8) })
    }

    @Test(
        arguments: [
            ("", .help(nil)), ("help", .help(nil)), ("--help", .help(nil)), ("-h", .help(nil)),
            ("help sync", .help("sync")),
            ("sync --help", .help("sync")), ("restore -h", .help("restore")), ("version", .version),
            ("--version", .version), ("help --man d", .manual("d")), ("completion fish", .completion(.fish)),
            ("init", .initialize(InitRequest())),
            (
                "init a /b --url https://x --key-file k --manual -y",
                .initialize(InitRequest(roots: ["a", "/b"], keyFile: "k", isAutomatic: false, acceptsDefaults: true))
            ),
            ("init --change-destination --local", .initialize(InitRequest(changesDestination: true))),
            ("sync", .sync(SyncRequest())),
            ("sync a b --dry-run", .sync(SyncRequest(roots: ["a", "b"], isDryRun: true))),
            ("sync -- --dry-run", .sync(SyncRequest(roots: ["--dry-run"]))),
            ("sync -", .sync(SyncRequest(roots: ["-"]))),
            ("watch a", .watch(["a"])), ("status", .status(StatusRequest())),
            ("status --html r.html --redact", .status(StatusRequest(html: "r.html", isRedacted: true))),
            ("status --check --max-age 2h", .status(StatusRequest(checks: true, maxAge: .seconds(7200)))),
            ("status --follow", .status(StatusRequest(follows: true))), ("reupload", .reupload(ReuploadRequest())),
            (
                "reupload a --missing --force --dry-run --yes",
                .reupload(
                    ReuploadRequest(
                        paths: ["a"], selection: .missing, isForced: true, isDryRun: true, isConfirmed: true))
            ),
            ("reupload --failed --code http.413", .reupload(ReuploadRequest(selection: .failed, code: "http.413"))),
            ("reupload --changed -y", .reupload(ReuploadRequest(selection: .changed, isConfirmed: true))),
            ("reupload --all --since 7d", .reupload(ReuploadRequest(selection: .all, since: .ago(.seconds(604_800))))),
            ("restore --to d", .restore(RestoreRequest(target: "d"))),
            (
                "restore p/q --to=d --since 1970-01-02 --dry-run",
                .restore(
                    RestoreRequest(
                        paths: ["p/q"], target: "d", since: .date(FileTime(nanoseconds: 86_400_000_000_000)),
                        isDryRun: true))
            ),
            ("queue list", .queue(.list)), ("queue pause", .queue(.pause)), ("queue resume", .queue(.resume)),
            ("queue cancel a b", .queue(.cancel(["a", "b"]))), ("why a", .why(["a"])),
            ("verify", .verify(VerifyRequest())),
            ("verify --deep 5% --repair", .verify(VerifyRequest(percent: 5, isRepairing: true))),
            ("verify --deep 0.5", .verify(VerifyRequest(percent: 0.5))), ("prune", .prune(PruneRequest())),
            (
                "prune --delete --dry-run --yes",
                .prune(PruneRequest(isDeleting: true, isDryRun: true, isConfirmed: true))
            ),
            ("link a b --expires 2h", .link(LinkRequest(files: ["a", "b"], expires: .seconds(7200)))),
            ("rescue", .rescue(RescueRequest(source: .known))),
            (
                "rescue https://a/1.mp4 l.csv --dry-run",
                .rescue(RescueRequest(source: .links(["https://a/1.mp4", "l.csv"]), isDryRun: true))
            ),
            (
                "rescue https://a/1.mp4 --expires 3h",
                .rescue(RescueRequest(source: .links(["https://a/1.mp4"]), expires: .ago(.seconds(10_800))))
            ),
            (
                "rescue --from fal --since 30d",
                .rescue(RescueRequest(source: .provider("fal"), since: .ago(.seconds(2_592_000))))
            ),
            (
                "rescue --from table video_jobs",
                .rescue(RescueRequest(source: .table("video_jobs", column: "video_url", thumbnail: "thumbnail_url")))
            ),
            (
                "rescue --from table t --column link --thumbnail-column -",
                .rescue(RescueRequest(source: .table("t", column: "link", thumbnail: "-")))
            ),
            ("jobs list", .jobs(.list)),
            ("jobs add fal a b --model m", .jobs(.add(provider: "fal", ids: ["a", "b"], model: "m"))),
            ("jobs cancel fal:a", .jobs(.cancel(["fal:a"]))),
            (
                "generate fal m --prompt cat",
                .generate(GenerateRequest(provider: "fal", model: "m", prompt: "cat"))
            ),
            (
                "generate rendio m --input f --cost 1.5 -y",
                .generate(
                    GenerateRequest(provider: "rendio", model: "m", input: "f", cost: 1.5, isConfirmed: true))
            ),
            ("thumbnail a -o d", .thumbnail(ThumbnailRequest(files: ["a"], target: "d"))),
            (
                "thumbnail a b -od --size 64 --size 128",
                .thumbnail(ThumbnailRequest(files: ["a", "b"], target: "d", sizes: [64, 128]))
            ),
            ("serve", .serve(ServeRequest())),
            ("serve --port 8000 --data d", .serve(ServeRequest(port: 8000, data: "d"))),
            ("serve --faults f", .serve(ServeRequest(faults: "f"))),
            ("login", .login(LoginRequest())), ("logout", .logout),
            (
                "login --email a@b --password-file p",
                .login(LoginRequest(email: "a@b", passwordFile: "p"))
            ),
            ("login --email a@b --code", .login(LoginRequest(email: "a@b", sendsCode: true))),
            ("demo", .demo(keeps: false)), ("demo --keep", .demo(keeps: true)), ("config show", .config(.show)),
            ("config check", .config(.check)),
        ] as [(String, Command)])
    func command(_ line: String, _ command: Command) throws {
        #expect(try Self.invocation(line).command == command)
    }

    @Test func generalOptionsStandAnywhere() throws {
        let line = "--profile nas sync --config c.json5 a --state-dir=s --json --color never"
        var expected = Invocation(command: .sync(SyncRequest(roots: ["a"])))
        expected.profile = "nas"
        expected.configuration = "c.json5"
        expected.stateDirectory = "s"
        expected.isJSON = true
        expected.colour = .never
        #expect(try Self.invocation(line) == expected)
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

    @Test func argumentsNeedNotBeText() throws {
        let name: [UInt8] = [0x61, 0xFF, 0x62]
        let words = [Array("why".utf8), name, Array("--".utf8), Array("-é".utf8)]
        #expect(try Invocation(words).command == .why([FilePath(bytes: name), "-é"]))
    }
}
