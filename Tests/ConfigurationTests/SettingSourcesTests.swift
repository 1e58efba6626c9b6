import Configuration
import Platform
import Testing
import Text

@Suite struct SettingSourcesTests {
    /// The settings from a profile's body in JSON5, variables and flags.
    static func load(
        _ body: String? = nil, variables: [String: String] = [:], flags: [(key: String, text: String)] = []
    ) throws -> LoadedSettings {
        var sources = SettingSources(home: "/home/ada")
        sources.file = body.map { file("{profiles: {default: \($0)}}") }
        sources.environment = variables
        sources.overrides = flags.map { SettingOverride($0.key, .text($0.text), from: .flag("--\($0.key)")) }
        return try sources.load()
    }

    static func file(_ text: String) -> ConfigurationFile {
        ConfigurationFile(path: "/c.json5", bytes: Array(text.utf8))
    }

    static func failure(of sources: SettingSources) -> String {
        do {
            _ = try sources.load()
            return "loaded"
        } catch { return error.description }
    }

    @Test func aNumberThatNoIntegerHoldsIsRefusedInWords() {
        var sources = SettingSources(home: "/home/ada")
        sources.file = Self.file("{profiles: {default: 1e300}}")
        #expect(Self.failure(of: sources).contains("is 1e+300, expected"))
    }

    /// Foundation's decoder ends the process at them.
    @Test(arguments: ["0x0x11", "-0x", "0X1G"])
    func aNumberThatIsNoneIsRefusedInWords(number: String) {
        var sources = SettingSources(home: "/home/ada")
        sources.file = Self.file("{profiles: {default: {upload: {concurrency: \(number)}}}}")
        #expect(Self.failure(of: sources) == "/c.json5 is not valid JSON5, line 1: \(number) is no number.")
        #expect(throws: SettingsError.self) { try Self.load(flags: [("upload.concurrency", number)]) }
    }

    @Test func withoutAnySourceEverythingIsTheDefault() throws {
        let loaded = try Self.load()
        #expect(loaded.settings == Settings())
        #expect(loaded.rows.allSatisfy { $0.origin == .standard })
        #expect(loaded.profile == "default")
    }

    @Test func aValueOfTheFileReplacesTheDefault() throws {
        let loaded = try Self.load("{upload: {limitRate: '2M', onChange: 'keep-both'}, // slow line\n}")
        #expect(loaded.settings.upload.limitRate == 2_000_000)
        #expect(loaded.settings.upload.onChange == .keepBoth)
        #expect(loaded.settings.upload.concurrency == 4)
        #expect(loaded.origin(of: "upload.limitRate") == .file("/c.json5"))
    }

    @Test func aFlagBeatsAVariableBeatsTheFile() throws {
        let body = "{upload: {limitRate: 1000}, retry: {attempts: 3}, log: {level: 'error'}}"
        let loaded = try Self.load(
            body, variables: ["GALLERY_SYNC_UPLOAD_LIMIT_RATE": "5k", "GALLERY_SYNC_RETRY_ATTEMPTS": "4"],
            flags: [("upload.limitRate", "8M")])
        #expect(loaded.settings.upload.limitRate == 8_000_000)
        #expect(loaded.settings.retry.attempts == 4)
        #expect(loaded.settings.log.level == .error)
        #expect(loaded.origin(of: "upload.limitRate") == .flag("--upload.limitRate"))
        #expect(loaded.origin(of: "retry.attempts") == .environment("GALLERY_SYNC_RETRY_ATTEMPTS"))
    }

    @Test func otherVariablesAreNotLookedAt() throws {
        let variables = ["SUPABASE_URL": "https://evil.example", "HOME": "/x", "GALLERY_SYNC_KEY": "s", "PATH": ""]
        #expect(try Self.load(variables: variables).settings == Settings())
    }

    @Test func anEmptyVariableIsNotSet() throws {
        #expect(try Self.load(variables: ["GALLERY_SYNC_RETRY_ATTEMPTS": ""]).settings == Settings())
    }

    @Test func listsAreSplitInVariables() throws {
        let settings = try Self.load(variables: [
            "GALLERY_SYNC_THUMBNAILS_SIZES": "256, 1024", "GALLERY_SYNC_ROOTS": "/a:~/b",
            "GALLERY_SYNC_SCAN_IGNORE": "*.tmp,Cache/**",
        ]).settings
        #expect(settings.thumbnails.sizes == [256, 1024])
        #expect(settings.roots == [.init(path: "/a"), .init(path: "/home/ada/b")])
        #expect(settings.scan.ignore == ["*.tmp", "Cache/**"])
    }

    @Test func aListInAVariableMayAlsoBeJSON() throws {
        let settings = try Self.load(variables: ["GALLERY_SYNC_ROOTS": "[{path: '/a', name: 'A'}]"]).settings
        #expect(settings.roots == [.init(path: "/a", name: "A")])
    }

    @Test func aRootIsAPathOrATable() throws {
        let body = """
            {roots: ["~/Pictures/", {path: "/mnt/cam", name: "Camera", autoUpload: false, ignore: ["*.thm"]}]}
            """
        #expect(
            try Self.load(body).settings.roots == [
                .init(path: "/home/ada/Pictures"),
                .init(path: "/mnt/cam", name: "Camera", autoUpload: false, ignore: ["*.thm"]),
            ])
    }

    @Test func numbersAndReadableTextMeanTheSame() throws {
        let numbers = try Self.load("{scan: {settle: 1.5, interval: 7200}, thumbnails: {maxBytes: 100000}}")
        let texts = try Self.load("{scan: {settle: '1500ms', interval: '2 h'}, thumbnails: {maxBytes: '100 kB'}}")
        #expect(numbers.settings == texts.settings)
    }

    @Test func aNamedProfileIsTakenAlone() throws {
        var sources = SettingSources(home: "/home/ada")
        sources.file = Self.file("{profiles: {default: {retry: {attempts: 2}}, nas: {sync: {patience: 5}}}}")
        sources.profile = "nas"
        let loaded = try sources.load()
        #expect(loaded.settings.sync.patience == .seconds(5))
        #expect(loaded.settings.retry.attempts == 10)
        #expect(loaded.profile == "nas")
    }

    @Test func aFileWithoutADefaultProfileGivesDefaults() throws {
        var sources = SettingSources(home: "/home/ada")
        sources.file = Self.file("{profiles: {nas: {}}}")
        #expect(try sources.load().settings == Settings())
    }

    @Test func aFlagForThisComputerBeatsTheURLOfTheFile() throws {
        let loaded = try Self.load("{destination: {url: 'https://a.example'}}", flags: [("destination.local", "true")])
        #expect(loaded.settings.destination.local)
        #expect(loaded.settings.destination.url == nil)
    }

    @Test func aURLFromAVariableBeatsLocalOfTheFile() throws {
        let loaded = try Self.load(
            "{destination: {local: true}}", variables: ["GALLERY_SYNC_DESTINATION_URL": "https://a.example/"])
        #expect(!loaded.settings.destination.local)
        #expect(loaded.settings.destination.url == "https://a.example")
    }

    @Test func boundsMoveTheDefaultsBetweenThem() throws {
        let upload = try Self.load("{upload: {maxConcurrency: 1}}").settings.upload
        #expect((upload.minConcurrency, upload.concurrency, upload.maxConcurrency) == (1, 1, 1))
        let more = try Self.load("{upload: {minConcurrency: 12}}").settings.upload
        #expect((more.minConcurrency, more.concurrency, more.maxConcurrency) == (12, 12, 12))
    }
}
