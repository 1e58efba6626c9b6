import Configuration
import Platform
import Providers
import Testing

/// The sentence that the user gets for a wrong value of each setting, from the file and from its variable.
@Suite struct SettingSentenceTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let key: String
        /// A value that is refused, as the file has it.
        let written: String
        /// One that is refused in a variable, which can only be text.
        let spoken: String
        /// Where inside the setting, such as `[0]`.
        var place = ""
        /// What follows `is …, expected`, without the full stop.
        let expectation: String

        init(_ key: String, _ written: String, _ spoken: String, place: String = "", _ expectation: String) {
            (self.key, self.written, self.spoken, self.expectation) = (key, written, spoken, expectation)
            self.place = place
        }

        var testDescription: String { key }
    }

    private static func flag(_ key: String) -> Row { Row(key, "\"yes\"", "yes", "true or false") }

    private static func whole(_ key: String, _ wrong: Int, _ range: String) -> Row {
        Row(key, "\(wrong)", "\(wrong)", "a whole number from \(range)")
    }

    private static func size(_ key: String, _ wrong: Int, _ range: String) -> Row {
        Row(key, "\(wrong)", "\(wrong)", "a size like \"200 kB\" or \"6 MiB\", from \(range)")
    }

    private static func duration(_ key: String, _ wrong: String, _ range: String) -> Row {
        Row(key, "\"\(wrong)\"", wrong, "a duration like \"10s\" or \"1h30m\", from \(range)")
    }

    private static func path(_ key: String) -> Row {
        Row(key, "\"a/b\"", "a/b", "an absolute path, or one that begins with ~/")
    }

    private static func address(_ key: String, place: String = "") -> Row {
        let written = place.isEmpty ? "\"a.example\"" : "[\"a.example\"]"
        return Row(
            key, written, "a.example", place: place,
            "an address like \"https://abc.supabase.co\", without user, query or fragment")
    }

    private static let name = "a name of 1 to 100 letters, digits, \".\", \"-\" or \"_\""

    private static let uploading: [Row] = [
        Row("roots", "[\"a\"]", "a", place: "[0]", "an absolute path, or one that begins with ~/"),
        address("destination.url"), Row("destination.bucket", "\"a b\"", "a b", name),
        Row(
            "destination.prefix", "\"/a\"", "/a",
            "segments like \"backup/laptop\" of letters, digits, \".\", \"-\" or \"_\""),
        flag("destination.allowPublicBucket"), flag("destination.local"),
        Row(
            "destination.storageBudget", "\"much\"", "much",
            "a size like \"200 kB\" or \"6 MiB\", from 0 to 1000 TB, or \"unlimited\""),
        Row("destination.metadataTable", "\"a.b\"", "a.b", "a table's name of 1 to 63 letters, digits or \"_\""),
        duration("scan.interval", "999ms", "1s to 365d"), duration("scan.settle", "25h", "0s to 1d"),
        Row(
            "scan.ignore", "[\"/a\"]", "/a", place: "[0]", "a name or path below a root, like \"*.tmp\" or \"Cache/**\""
        ),
        flag("scan.includeHidden"), flag("scan.defaultRules"), whole("identify.workers", 65, "1 to 64"),
        flag("thumbnails.enabled"),
        Row("thumbnails.sizes", "[\"big\"]", "big", place: "[0]", "a whole number from 16 to 4096"),
        size("thumbnails.maxBytes", 3_999, "4 kB to 20 MB"),
        Row("thumbnails.format", "\"png\"", "png", "one of \"jpeg\", \"webp\", \"avif\""),
        Row("thumbnails.background", "\"white\"", "white", "a colour like \"#ffffff\""),
        whole("thumbnails.candidates", 9, "1 to 8"),
        size("thumbnails.cacheBytes", 1_000_000_000_001, "0 to 1 TB"), whole("thumbnails.workers", 0, "1 to 64"),
        flag("thumbnails.shared"), whole("upload.concurrency", 0, "1 to 64"),
        whole("upload.minConcurrency", 65, "1 to 64"), whole("upload.maxConcurrency", 65, "1 to 64"),
        size("upload.smallFileBytes", 5_000_000_001, "0 to 5 GB"),
        Row(
            "upload.limitRate", "\"fast\"", "fast",
            "a size like \"200 kB\" or \"6 MiB\", from 1 kB to 1 TB, or a timetable like "
                + "{\"mon-fri 08:00-18:00\": \"1M\", default: null}"),
        duration("upload.cacheFor", "521w 4d", "0s to 3650d"),
        duration("upload.connectTimeout", "11 min", "1s to 10min"),
        duration("upload.idleTimeout", "0.9s", "1s to 1h"),
        Row("upload.onForeign", "\"keep\"", "keep", "one of \"keep-both\", \"fail\", \"replace\""),
        Row("upload.onChange", "\"fail\"", "fail", "one of \"replace\", \"keep-both\""),
        Row("upload.computer", "\"my laptop\"", "my laptop", name), duration("retry.base", "2 days", "1ms to 1d"),
        Row("retry.factor", "0.5", "0.5", "a number from 1.0 to 100.0"), duration("retry.cap", "31d", "1ms to 30d"),
        whole("retry.attempts", 1001, "1 to 1000"), duration("sync.patience", "soon", "0s to 30d"),
    ]

    private static let rescue: [Row] = [
        path("rescue.folder"), size("rescue.maxFileBytes", 999, "1 kB to 1 TB"),
        size("rescue.meteredBytes", -1, "0 to 1 TB"),
        Row(
            "rescue.hosts", "[\"*\"]", "*", place: "[0]",
            "a host like \"fal.media\", or \"*.fal.media\" for all below it"),
        address("rescue.origins", place: "[0]"), duration("rescue.jobTime", "59s", "1min to 30d"),
        Row("rescue.table.link", "\"open\"", "open", "one of \"path\", \"public\", \"signed\""),
        duration("rescue.table.linkTime", "599s", "10min to 365d"), flag("rescue.inbox"),
        Row("providers.fal.maxSpend", "-1", "-1", "a number from 0.0 to 1000000.0"),
        Row(
            "providers.fal.models", "[\"a b\"]", "a b", place: "[0]",
            "a name without spaces, like \"fal-ai/veo3.1/fast\""),
        Row("providers.rendio.maxSpend", "\"5\"", "five", "a number from 0.0 to 1000000.0"),
        Row("providers.rendio.user", "\"a b\"", "a b", "a name without spaces, like \"fal-ai/veo3.1/fast\""),
    ]

    private static let running: [Row] = [
        flag("watch.polite"), flag("watch.pauseOnMetered"), whole("watch.pauseBelowCharge", 101, "0 to 100"),
        flag("watch.pauseOnPowerSaver"), flag("watch.notifications"), flag("watch.tray"), flag("page.enabled"),
        size("page.cacheBytes", -1, "0 to 1 TB"), whole("page.port", 65_536, "0 to 65535"),
        Row(
            "verify.readBack", "\"5\"", "5", "one of \"never\", \"plain-http\", \"always\", or a share like \"5%\""),
        size("media.memory", 134_217_727, "128 MiB to 64 GiB"), duration("media.cpuTime", "0s", "1s to 1h"),
        duration("media.time", "61min", "1s to 1h"), duration("media.idle", "1d 1s", "0s to 1d"),
        path("report.prometheusFile"),
        Row("log.level", "\"all\"", "all", "one of \"error\", \"warning\", \"info\", \"debug\", \"trace\""),
        Row("log.format", "\"xml\"", "xml", "one of \"text\", \"json\""),
    ]

    static let rows = uploading + rescue + ProviderName.all.map { address("providers.\($0.rawValue).url") } + running

    private static let keyFiles =
        ["destination.keyFile"] + ProviderName.all.map { "providers.\($0.rawValue).keyFile" }

    @Test func everySettingHasItsSentence() {
        #expect((Self.rows.map(\.key) + Self.keyFiles).sorted() == Setting.all.map(\.key).sorted())
    }

    /// What `key: value` is in a file, with the groups around it.
    private static func body(_ key: String, _ value: String) -> String {
        let names = key.split(separator: ".")
        return names.map { "{\($0): " }.joined() + value + String(repeating: "}", count: names.count)
    }

    private static func failure(inFile key: String, _ value: String) -> String {
        var sources = SettingSources(home: "/home/ada")
        sources.file = SettingSourcesTests.file("{profiles: {default: \(body(key, value))}}")
        return SettingSourcesTests.failure(of: sources)
    }

    private static func failure(inVariableOf key: String, _ value: String) -> String {
        var sources = SettingSources(home: "/home/ada")
        sources.environment = [Setting.named(key)?.variable ?? "": value]
        return SettingSourcesTests.failure(of: sources)
    }

    @Test(arguments: rows)
    func inTheFile(_ row: Row) throws {
        let value = try SettingValue.parsing(Array(row.written.utf8))
        let shown = if case .list(let list) = value { list[0] } else { value }
        #expect(
            Self.failure(inFile: row.key, row.written)
                == "/c.json5: profiles.default.\(row.key)\(row.place) is \(shown.line), expected \(row.expectation).")
    }

    @Test(arguments: rows)
    func inItsVariable(_ row: Row) {
        let variable = Setting.named(row.key)?.variable ?? ""
        #expect(
            Self.failure(inVariableOf: row.key, row.spoken)
                == "\(variable)\(row.place) is \"\(row.spoken)\", expected \(row.expectation).")
    }

    /// The key itself is often put where its file belongs, and must not get into a log that way.
    @Test(arguments: keyFiles)
    func aKeyInPlaceOfItsFileIsNotRepeated(_ key: String) {
        let sentence =
            " names no file: expected an absolute path, or one that begins with ~/. The key itself belongs into that "
            + "file."
        #expect(Self.failure(inFile: key, "'0f1e2d3c:5ecre7'") == "/c.json5: profiles.default.\(key)" + sentence)
        #expect(
            Self.failure(inVariableOf: key, "0f1e2d3c:5ecre7") == (Setting.named(key)?.variable ?? "") + sentence)
    }

    /// Nor where a whole group stands in its place.
    @Test(arguments: [
        ("providers.fal", "{url, keyFile, maxSpend, models}"), ("providers.runway", "{url, keyFile}"),
        ("destination", "{url, bucket, prefix, allowPublicBucket, local, storageBudget, keyFile, metadataTable}"),
    ])
    func aKeyInPlaceOfAGroupIsNotRepeated(_ group: String, _ members: String) {
        #expect(
            Self.failure(inFile: group, "'0f1e2d3c:5ecre7'")
                == "/c.json5: profiles.default.\(group) is text, expected \(members).")
    }

    @Test(arguments: [
        ("https://a.example:0", false), ("https://a.example:1", true), ("https://a.example:65535/x", true),
        ("https://a.example:65536", false), ("https://a.example:", false), ("https://a.example:port", false),
        ("https://a.example:+80", false), ("https://a:1:2", false), ("http://[::1]", true), ("http://[::1]:80/", true),
        ("http://[::1", false), ("http://[::1]x", false), ("http://[::1]:", false), ("http://::1", false),
    ])
    func anAddressHasAPortThatThereIs(_ address: String, isTaken: Bool) {
        let failure = Self.failure(inFile: "providers.storytovideo.url", "\"\(address)\"")
        #expect((failure == "loaded") == isTaken)
    }
}
