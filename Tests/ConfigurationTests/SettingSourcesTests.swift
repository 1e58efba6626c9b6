import Platform
import Providers
import Testing
import Text

@testable import Configuration

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

    /// Foundation's decoder ends the process at them.
    @Test(arguments: ["0x0x11", "-0x", "0X1G"])
    func aNumberThatIsNoneIsRefusedInWords(number: String) {
        var sources = SettingSources(home: "/home/ada")
        sources.file = Self.file("{profiles: {default: {upload: {concurrency: \(number)}}}}")
        #expect(Self.failure(of: sources) == "/c.json5 is not valid JSON5, line 1: \(number) is no number.")
        #expect(throws: SettingsError.self) { try Self.load(flags: [("upload.concurrency", number)]) }
    }

    /// A name in a list may be a number, as folders of a year are.
    @Test(arguments: [
        ("2024", ["2024"]), ("2024,*.tmp", ["2024", "*.tmp"]), (" *.tmp , 7 ,", ["*.tmp", "7"]),
        ("[\"2024\", \"b,c\"]", ["2024", "b,c"]), ("[]", []), ("", []),
        ("[x].jpg", ["[x].jpg"]),
    ])
    func aListOfNamesMayHoldNumbers(text: String, names: [String]) throws {
        #expect(try Self.load(flags: [("scan.ignore", text)]).settings.scan.ignore == names)
        #expect(try Self.load(variables: ["GALLERY_SYNC_SCAN_IGNORE": text]).settings.scan.ignore == names)
        #expect(try Self.load(flags: [("providers.fal.models", text)]).settings.providers[.fal].models == names)
    }

    /// Taken as a name with brackets, it would leave out nothing.
    @Test(arguments: ["[\"/x\"]", "[\"*.tmp\", \"\"]", "[7]"])
    func aWrittenListIsNoNameWithBrackets(text: String) {
        #expect(throws: SettingsError.self) { try Self.load(flags: [("scan.ignore", text)]) }
        #expect(throws: SettingsError.self) { try Self.load(variables: ["GALLERY_SYNC_SCAN_IGNORE": text]) }
    }

    @Test(arguments: [("512", [512]), ("256, 1024", [256, 1024]), ("[256]", [256])])
    func aListOfNumbersIsNumbers(text: String, sizes: [Int]) throws {
        #expect(try Self.load(flags: [("thumbnails.sizes", text)]).settings.thumbnails.sizes == sizes)
    }

    @Test func withoutAnySourceEverythingIsTheDefault() throws {
        let loaded = try Self.load()
        #expect(loaded.settings == Settings())
        #expect(loaded.rows.allSatisfy { $0.origin == .standard })
        #expect(loaded.profile == "default")
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let body: String?
        let variables: [String: String]
        let flags: [String: String]
        /// What differs from the defaults.
        let change: @Sendable (inout Settings) -> Void

        init(
            _ fact: String, _ body: String? = nil, variables: [String: String] = [:], flags: [String: String] = [:],
            change: @escaping @Sendable (inout Settings) -> Void = { _ in }
        ) {
            (testDescription, self.body, self.variables, self.flags) = (fact, body, variables, flags)
            self.change = change
        }
    }

    private static let readable: @Sendable (inout Settings) -> Void = {
        $0.scan.settle = .milliseconds(1500)
        $0.scan.interval = .seconds(7200)
        $0.thumbnails.maxBytes = 100_000
    }

    @Test(arguments: [
        Row("a value of the file replaces the default", "{upload: {limitRate: '2M', onChange: 'keep-both'}, // slow\n}")
        {
            $0.upload.limitRate = 2_000_000
            $0.upload.onChange = .keepBoth
        },
        Row(
            "other variables are not looked at",
            variables: ["SUPABASE_URL": "https://evil.example", "HOME": "/x", "GALLERY_SYNC_KEY": "s", "PATH": ""]),
        Row("an empty variable is not set", variables: ["GALLERY_SYNC_RETRY_ATTEMPTS": ""]),
        Row("an empty profile sets nothing", "{}"),
        Row(
            "lists are split in variables",
            variables: [
                "GALLERY_SYNC_THUMBNAILS_SIZES": "256, 1024", "GALLERY_SYNC_ROOTS": "/a:~/b",
                "GALLERY_SYNC_SCAN_IGNORE": "*.tmp,Cache/**",
            ]
        ) {
            $0.thumbnails.sizes = [256, 1024]
            $0.roots = [.init(path: "/a"), .init(path: "/home/ada/b")]
            $0.scan.ignore = ["*.tmp", "Cache/**"]
        },
        Row("a list in a variable may also be JSON", variables: ["GALLERY_SYNC_ROOTS": "[{path: '/a', name: 'A'}]"]) {
            $0.roots = [.init(path: "/a", name: "A")]
        },
        Row(
            "a root is a path or a table",
            #"{roots: ["~/Pictures/", {path: "/mnt/cam", name: "Camera", autoUpload: false, ignore: ["*.thm"]}]}"#
        ) {
            $0.roots = [
                .init(path: "/home/ada/Pictures"),
                .init(path: "/mnt/cam", name: "Camera", autoUpload: false, ignore: ["*.thm"]),
            ]
        },
        Row(
            "numbers are seconds and bytes", "{scan: {settle: 1.5, interval: 7200}, thumbnails: {maxBytes: 100000}}",
            change: readable),
        Row(
            "readable text means the same",
            "{scan: {settle: '1500ms', interval: '2 h'}, thumbnails: {maxBytes: '100 kB'}}", change: readable),
        Row(
            "a flag for this computer beats the URL of the file", "{destination: {url: 'https://a.example'}}",
            flags: ["destination.local": "true"]
        ) { $0.destination.local = true },
        Row(
            "a URL from a variable beats local of the file", "{destination: {local: true}}",
            variables: ["GALLERY_SYNC_DESTINATION_URL": "https://a.example/"]
        ) { $0.destination.url = "https://a.example" },
        Row(
            "a flag for this computer beats the URL of a variable",
            variables: ["GALLERY_SYNC_DESTINATION_URL": "https://a.example/"], flags: ["destination.local": "true"]
        ) { $0.destination.local = true },
        Row("the upper bound moves the defaults", "{upload: {maxConcurrency: 1}}") {
            ($0.upload.minConcurrency, $0.upload.concurrency, $0.upload.maxConcurrency) = (1, 1, 1)
        },
        Row("so does the lower", "{upload: {minConcurrency: 12}}") {
            ($0.upload.minConcurrency, $0.upload.concurrency, $0.upload.maxConcurrency) = (12, 12, 12)
        },
    ])
    func nothingElseThanWhatIsSetDiffersFromTheDefaults(_ row: Row) throws {
        var expected = Settings()
        row.change(&expected)
        let loaded = try Self.load(
            row.body, variables: row.variables, flags: row.flags.map { (key: $0.key, text: $0.value) })
        #expect(loaded.settings == expected)
    }

    /// Every setting that is a path, whichever comes to be one.
    @Test(arguments: Setting.all.filter { $0.expectation.contains("~/") }.map(\.key))
    func aPathMayBeginAtHome(key: String) throws {
        let spellings = [
            ("~/a/", "/home/ada/a"), ("~", "/home/ada"), ("/~/a", "/~/a"), ("/a//", "/a"), ("/a/.", "/a"),
            ("/none/x/../a", "/none/a"),
        ]
        for (written, path) in spellings {
            let loaded = try Self.load("{}", flags: [(key, written)])
            let value = try #require(loaded.rows.first { $0.key == key }).value
            #expect(value == (key == "roots" ? .list([.text(path)]) : .text(path)), "\(written)")
        }
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
        #expect(loaded.origin(of: "log.level") == .file("/c.json5"))
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
}
