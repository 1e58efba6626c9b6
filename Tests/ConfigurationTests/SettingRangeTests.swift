import Platform
import Testing

@testable import Configuration

/// For every setting: its lowest and highest value, and the ones just outside.
@Suite struct SettingRangeTests {
    /// A setting's key, values that it accepts and values that it refuses.
    struct Row: CustomTestStringConvertible, Sendable {
        let key: String
        let taken: [SettingValue]
        let refused: [SettingValue]

        init(_ key: String, taken: [SettingValue], refused: [SettingValue]) {
            self.key = key
            self.taken = taken
            self.refused = refused
        }

        var testDescription: String { key }
    }

    static func integers(_ key: String, _ range: ClosedRange<Int>) -> Row {
        Row(
            key, taken: [.integer(range.lowerBound), .integer(range.upperBound)],
            refused: [.integer(range.lowerBound - 1), .integer(range.upperBound + 1), .text("x"), .flag(true)])
    }

    static func path(_ key: String) -> Row {
        Row(
            key, taken: [.null, .text("/a"), .text("~/a")],
            refused: [.text("a"), .text(""), .integer(1), .text("/a\0b")])
    }

    static func amount(_ key: String) -> Row {
        Row(
            key, taken: [.null, .integer(0), .decimal(12.5), .integer(1_000_000)],
            refused: [.integer(-1), .integer(1_000_001), .flag(true)])
    }

    static func address(_ key: String) -> Row {
        Row(
            key, taken: [.null, .text("https://a.example"), .text("http://127.0.0.1:1/x")],
            refused: [.text("a.example"), .text(""), .text("ftp://a"), .integer(1)])
    }

    static func bytes(_ key: String, _ range: ClosedRange<Int>, _ text: String) -> Row {
        let numbers = integers(key, range)
        return Row(key, taken: numbers.taken + [.text(text)], refused: numbers.refused + [.text("1 fathom"), .null])
    }

    /// Seconds from the first to the second.
    static func durations(_ key: String, _ range: ClosedRange<Double>) -> Row {
        Row(
            key, taken: [.decimal(range.lowerBound), .decimal(range.upperBound), .text("\(range.upperBound) s")],
            refused: [
                .decimal(range.lowerBound - 0.0011), .decimal(range.upperBound + 1), .text("soon"), .flag(true), .null,
                .integer(.min), .integer(.max), .decimal(.infinity), .decimal(-.infinity), .decimal(.nan),
                .decimal(1e300),
            ])
    }

    static func flags(_ key: String) -> Row {
        Row(key, taken: [.flag(true), .flag(false)], refused: [.integer(1), .text("true"), .null])
    }

    static func words(_ key: String, _ taken: [String], _ refused: [String]) -> Row {
        Row(key, taken: taken.map(SettingValue.text), refused: refused.map(SettingValue.text) + [.integer(1)])
    }

    static let day = 86400.0
    static let long = String(repeating: "x", count: 101)

    static let rows: [Row] = [
        Row(
            "roots",
            taken: [.list([]), .list([.text("/a"), .text("~"), .text("~/a"), .table(["path": .text("/a")])])],
            refused: [
                .text("/a"), .null, .list([.null]), .list([.text("a")]), .list([.text("~ada/a")]),
                .list([.text("/a\0/b")]),
            ]),
        Row(
            "destination.url",
            taken: [
                .null, .text("https://a.example"), .text("http://127.0.0.1:54321/storage/v1"), .text("http://[::1]:8"),
            ],
            refused: [
                .text(""), .text("a.example"), .text("ftp://a.example"), .text("https://"), .text("https:///x"),
                .text("https://:80"), .text("https://a b"), .text("https://a?b"), .text("https://a#b"),
                .text("https://u@a"), .text("https://é.example"), .integer(1),
            ]),
        words(
            "destination.bucket", ["media", "a", "A-b_c.9", String(long.dropLast())],
            ["", ".a", "a/b", "a b", "é", long]),
        words(
            "destination.prefix", ["", "a", "a/b", "laptop-2/x_y.z"],
            ["/", "/a", "a/", "a//b", ".a", "a/.b", "a b", "é"]),
        flags("destination.allowPublicBucket"), flags("destination.local"),
        Row(
            "destination.storageBudget",
            taken: [.null, .integer(0), .text("90 GB"), .text("unlimited"), .integer(1_000_000_000_000_000)],
            refused: [.integer(-1), .text("Unlimited"), .text(""), .flag(true), .integer(1_000_000_000_000_001)]),
        Row(
            "destination.keyFile", taken: [.null, .text("/a"), .text("~/a")],
            refused: [.text("a"), .text(""), .integer(1)]),
        Row(
            "destination.metadataTable", taken: [.null, .text("gallery_files"), .text("T9")],
            refused: [.text(""), .text("a b"), .text("a.b"), .text("é"), .text("a\""), .integer(1)]),
        durations("scan.interval", 1...365 * day), durations("scan.settle", 0...day),
        Row(
            "scan.ignore", taken: [.list([]), .list([.text("*.tmp"), .text("Cache/**")])],
            refused: [.text("*.tmp"), .list([.text("")]), .list([.text("/a")]), .list([.integer(1)])]),
        flags("scan.includeHidden"), flags("scan.defaultRules"), integers("identify.workers", 1...64),
        flags("thumbnails.enabled"),
        Row(
            "thumbnails.sizes", taken: [.list([]), .list([.integer(16), .integer(4096)])],
            refused: [.integer(512), .list([.integer(15)]), .list([.integer(4097)]), .list([.text("512")])]),
        bytes("thumbnails.maxBytes", 4000...20_000_000, "1 MB"),
        words("thumbnails.format", ["jpeg", "webp", "avif"], ["", "png", "JPEG", "jpg"]),
        words("thumbnails.background", ["#ffffff", "#0a0B0c"], ["#fff", "white", "ffffff", ""]),
        integers("thumbnails.candidates", 1...8),
        bytes("thumbnails.cacheBytes", 0...1_000_000_000_000, "5 GB"), integers("thumbnails.workers", 1...64),
        flags("thumbnails.shared"),
        integers("upload.concurrency", 1...64), integers("upload.minConcurrency", 1...64),
        integers("upload.maxConcurrency", 1...64), bytes("upload.smallFileBytes", 0...5_000_000_000, "6 MiB"),
        Row(
            "upload.limitRate",
            taken: [
                .null, .integer(1000), .text("2M"), .text("2 MB/s"), .table(["sat": .null]),
                .table(["mon-fri 08:00-18:00": .text("1M"), "default": .null]),
            ],
            refused: [
                .integer(999), .integer(0), .text("fast"), .flag(false), .table(["sat": .integer(999)]),
                .table(["noon": .text("1M")]),
            ]),
        durations("upload.cacheFor", 0...3650 * day), durations("upload.connectTimeout", 1...600),
        durations("upload.idleTimeout", 1...3600),
        words("upload.onForeign", ["keep-both", "fail", "replace"], ["", "keepBoth", "Replace"]),
        words("upload.onChange", ["keep-both", "replace"], ["fail", ""]),
        Row(
            "upload.computer", taken: [.null, .text("laptop"), .text("6f0c1d2e3f4a5b6c")],
            refused: [.text(""), .text("a b"), .text("é"), .integer(1)]),
        durations("retry.base", 0.001...day),
        Row(
            "retry.factor", taken: [.integer(1), .decimal(1.5), .integer(100)],
            refused: [.decimal(0.99), .decimal(100.01), .text("2"), .null]),
        durations("retry.cap", 0.001...30 * day), integers("retry.attempts", 1...1000),
        durations("sync.patience", 0...30 * day), flags("watch.polite"), flags("watch.pauseOnMetered"),
        integers("watch.pauseBelowCharge", 0...100), flags("watch.pauseOnPowerSaver"), flags("watch.notifications"),
        flags("watch.tray"),
        flags("page.enabled"),
        bytes("page.cacheBytes", 0...1_000_000_000_000, "5 GB"), integers("page.port", 0...65535),
        Row(
            "verify.readBack", taken: ["never", "plain-http", "always", "5%", "0.5%", "100%"].map { .text($0) },
            refused: [.text("0%"), .text("101%"), .text("5"), .text("%"), .text("sometimes"), .integer(5), .null]),
        path("rescue.folder"),
        bytes("rescue.maxFileBytes", 1000...1_000_000_000_000, "2 GB"),
        bytes("rescue.meteredBytes", 0...1_000_000_000_000, "2 GB"),
        Row(
            "rescue.hosts",
            taken: [
                .null, .list([]), .list([.text("fal.media"), .text("*.fal.media")]),
                .table(["fal": .list([.text("fal.media")]), "default": .null]),
            ],
            refused: [.text("fal.media"), .list([.text("")]), .list([.text("*")]), .list([.text("a/b")])]),
        Row(
            "rescue.origins", taken: [.list([]), .list([.text("http://minio:9000")])],
            refused: [.text("http://minio"), .list([.text("minio")]), .list([.text("")])]),
        durations("rescue.jobTime", 60...30 * day),
        words("rescue.table.link", ["path", "public", "signed"], ["", "Signed"]),
        durations("rescue.table.linkTime", 600...365 * day), flags("rescue.inbox"), address("providers.fal.url"),
        path("providers.fal.keyFile"),
        amount("providers.fal.maxSpend"),
        Row(
            "providers.fal.models", taken: [.list([]), .list([.text("fal-ai/veo3.1/fast")])],
            refused: [.text("a"), .list([.text("")]), .list([.text("a b")])]),
        address("providers.rendio.url"),
        path("providers.rendio.keyFile"), amount("providers.rendio.maxSpend"),
        Row(
            "providers.rendio.user", taken: [.null, .text("7f0c-1")],
            refused: [.text(""), .text("a b"), .integer(1)]),
        address("providers.storytovideo.url"),
        path("providers.storytovideo.keyFile"), address("providers.gemini.url"), path("providers.gemini.keyFile"),
        address("providers.openai.url"), path("providers.openai.keyFile"), address("providers.runway.url"),
        path("providers.runway.keyFile"), address("providers.luma.url"), path("providers.luma.keyFile"),
        address("providers.replicate.url"), path("providers.replicate.keyFile"), address("providers.xai.url"),
        path("providers.xai.keyFile"), address("providers.seedance.url"), path("providers.seedance.keyFile"),
        address("providers.wan.url"), path("providers.wan.keyFile"), address("providers.vidu.url"),
        path("providers.vidu.keyFile"), address("providers.minimax.url"), path("providers.minimax.keyFile"),
        address("providers.together.url"), path("providers.together.keyFile"), address("providers.lumaagents.url"),
        path("providers.lumaagents.keyFile"), address("providers.kling.url"), path("providers.kling.keyFile"),
        address("providers.vertex.url"), path("providers.vertex.keyFile"),
        bytes("media.memory", 134_217_728...68_719_476_736, "2 GiB"), durations("media.cpuTime", 1...3600),
        durations("media.time", 1...3600), durations("media.idle", 0...day),
        path("report.prometheusFile"),
        words("log.level", ["error", "warning", "info", "debug", "trace"], ["", "INFO", "all"]),
        words("log.format", ["text", "json"], ["", "xml"]),
    ]

    @Test func everySettingIsHere() {
        #expect(Self.rows.map(\.key) == Setting.all.map(\.key))
    }

    /// A root's name is the first segment of keys and the name of a directory, byte for byte.
    @Test(
        arguments: [
            ("a word", "Camera", true), ("spaces and dots", "My photos v1.2", true), ("any script", "写真", true),
            ("a hundred bytes", String(long.dropLast()), true), ("one more", long, false), ("nothing", "", false),
            ("a slash", "a/b", false), ("a dot in front", ".a", false),
            ("a slash under an accent", "a/\u{301}b", false), ("a dot under an accent", ".\u{301}a", false),
            ("a dot alone", ".", false), ("two", "..", false), ("what ends a path in C", "a\0b", false),
        ] as [(String, String, Bool)])
    func aRootsNameIsOneSegment(_ row: (why: String, name: String, isTaken: Bool)) throws {
        let setting = try #require(Setting.named("roots"))
        var settings = Settings()
        let value = SettingValue.list([.table(["path": .text("/a"), "name": .text(row.name)])])
        #expect(((try? setting.assign(value, &settings)) != nil) == row.isTaken, "\(row.why)")
        #expect(settings.roots.map(\.name) == (row.isTaken ? [row.name] : []), "\(row.why)")
    }

    @Test(arguments: rows)
    func takesWhatIsInRange(_ row: Row) throws {
        let setting = try #require(Setting.named(row.key))
        for value in row.taken {
            var settings = Settings()
            #expect(throws: Never.self, "\(value.line)") { try setting.assign(value, &settings) }
        }
    }

    @Test(arguments: rows)
    func refusesWhatIsNot(_ row: Row) throws {
        let setting = try #require(Setting.named(row.key))
        for value in row.refused {
            var settings = Settings()
            #expect(throws: SettingFault.self, "\(value.line)") { try setting.assign(value, &settings) }
            #expect(settings == Settings(), "\(value.line)")
        }
    }

    /// A value that is written and read again stays the same.
    @Test(arguments: rows)
    func whatIsWrittenIsRead(_ row: Row) throws {
        let setting = try #require(Setting.named(row.key))
        for value in row.taken {
            var settings = Settings()
            try setting.assign(value, &settings)
            var again = Settings()
            try setting.assign(setting.value(settings), &again)
            #expect(again == settings, "\(value.line)")
        }
    }

    @Test(arguments: [
        ("a flag", "scan.includeHidden", "true", "true"), ("a number", "retry.attempts", "7", "7"),
        ("a decimal", "retry.factor", "2.5", "2.5"), ("a size", "upload.limitRate", "8M", "\"8 MB\""),
        ("nothing", "upload.limitRate", "null", "null"), ("a duration", "scan.settle", "1h30m", "\"90min\""),
        ("a bare number of seconds", "scan.settle", "5", "\"5s\""),
        ("a list of one", "thumbnails.sizes", "256", "[256]"),
        ("a list", "thumbnails.sizes", "256,512", "[256, 512]"),
        ("a list as JSON", "thumbnails.sizes", "[256]", "[256]"),
        ("paths between colons", "roots", "/a:/b", "[\"/a\", \"/b\"]"),
        ("a word that looks like a number", "destination.bucket", "2026", "\"2026\""),
        ("a word that looks like JSON", "destination.prefix", "null", "\"null\""),
    ])
    func spoken(_ row: (why: String, key: String, text: String, line: String)) throws {
        let setting = try #require(Setting.named(row.key))
        var settings = Settings()
        try setting.assignSpoken(row.text, &settings)
        #expect(setting.value(settings).line == row.line, "\(row.why)")
    }

    private static let bucket = "expected a name of 1 to 100 letters, digits, \".\", \"-\" or \"_\"."

    @Test(arguments: [
        ("scan.includeHidden", "yes", "", "is \"yes\", expected true or false."),
        ("retry.attempts", "0", "", "is \"0\", expected a whole number from 1 to 1000."),
        ("thumbnails.sizes", "256,x", "[1]", "is \"x\", expected a whole number from 16 to 4096."),
        ("thumbnails.sizes", "256,+512", "[1]", "is \"+512\", expected a whole number from 16 to 4096."),
        ("destination.bucket", "a b", "", "is \"a b\", \(bucket)"),
    ])
    func spokenRefusals(_ key: String, _ text: String, _ place: String, _ reason: String) throws {
        let setting = try #require(Setting.named(key))
        var settings = Settings()
        let fault = #expect(throws: SettingFault.self) { try setting.assignSpoken(text, &settings) }
        #expect(fault == SettingFault(place: place, reason: reason))
        #expect(settings == Settings())
    }

    /// What an answer would be refused for once the configuration has it: quotes are a part of it there.
    @Test(
        arguments: [
            ("destination.bucket", "media", nil), ("destination.bucket", "2026", nil),
            ("destination.bucket", "'media'", "is \"'media'\", \(bucket)"), ("upload.smallFileBytes", "6 MiB", nil),
            ("retry.attempts", "7", "is \"7\", expected a whole number from 1 to 1000."),
        ] as [(String, String, String?)])
    func answersAreTextAsItIsTyped(_ key: String, _ text: String, _ reason: String?) {
        #expect(Setting.named(key)?.refusal(of: text) == reason)
    }
}
