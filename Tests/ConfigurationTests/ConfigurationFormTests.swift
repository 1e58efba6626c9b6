import Platform
import Testing

@testable import Configuration

/// A configuration as any editor may leave it: read, and changed without losing what a person wrote into it.
@Suite struct ConfigurationFormTests {
    struct Form: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String

        init(_ why: String, _ text: String) { (testDescription, self.text) = (why, text) }
    }

    /// All of these set `upload.concurrency` to 5.
    static let forms = [
        Form("one line", "{profiles: {default: {upload: {concurrency: 5}}}} // kept"),
        Form("a byte order mark", "\u{FEFF}{profiles: {default: {upload: {concurrency: 5}}}} // kept"),
        Form(
            "DOS line ends",
            "{\r\n  // kept\r\n  profiles: {\r\n    default: {upload: {concurrency: 5}},\r\n  },\r\n}\r\n"),
        Form("old Mac line ends", "{\r  // kept\r  profiles: {default: {upload: {concurrency: 5}}}\r}\r"),
        Form("tabs", "{\t// kept\n\tprofiles:\t{\n\t\tdefault:\t{\n\t\t\tupload:\t{concurrency:\t5},\n\t\t},\n\t},\n}"),
        Form("commas behind all", "{profiles: {default: {upload: {concurrency: 5,},},}, /* kept */}"),
        Form(
            "comments between all",
            "{/**/profiles/* kept */:/**/{/**/default/**/:{upload:{concurrency:/**/5/**/}}}/**/}"),
        Form("an empty comment at the end", "{profiles: {default: {upload: {concurrency: 5}}}} // kept\n//"),
        Form("names in single quotes", "{'profiles': {'default': {'upload': {'concurrency': 5}}}} // kept"),
        Form("names with escapes", "{\"pro\\u0066iles\": {default: {upload: {'con\\x63urrency': 5}}}} // kept"),
        Form("a plus sign", "{profiles: {default: {upload: {concurrency: +5}}}} // kept"),
        Form("a hexadecimal number", "{profiles: {default: {upload: {concurrency: 0x5}}}} // kept"),
        Form("an exponent", "{profiles: {default: {upload: {concurrency: 50e-1}}}} // kept"),
        Form("a point without digits behind it", "{profiles: {default: {upload: {concurrency: 5.}}}} // kept"),
        Form("stars in a comment", "{/***kept***/profiles: {default: {upload: {concurrency: 5}}}}"),
        Form(
            "a comment in text",
            "{profiles: {default: {upload: {concurrency: 5}, destination: {prefix: 'a/b'}}}} // kept"),
    ]

    private static func sources(_ text: String) -> SettingSources {
        var sources = SettingSources(home: "/home/ada")
        sources.file = SettingSourcesTests.file(text)
        return sources
    }

    @Test(arguments: forms)
    func itIsRead(form: Form) throws {
        #expect(try Self.sources(form.text).load().settings.upload.concurrency == 5)
    }

    /// What `init` adds is there, what was there stays, and so does the comment.
    @Test(arguments: forms)
    func itIsChanged(form: Form) throws {
        let bytes = Array(form.text.utf8)
        guard case .table(let top) = try SettingValue.parsing(bytes), case .table(let profiles)? = top["profiles"],
            case .table(var profile)? = profiles["default"]
        else {
            Issue.record("no profile")
            return
        }
        var destination: [String: SettingValue] = [:]
        if case .table(let known)? = profile["destination"] { destination = known }
        destination["bucket"] = .text("photos")
        profile["destination"] = .table(destination)
        let text = try ConfigurationText.text(profile: "default", .table(profile), in: bytes)
        let settings = try Self.sources(text).load().settings
        #expect(settings.upload.concurrency == 5 && settings.destination.bucket == "photos")
        #expect(text.contains("kept"), "\(text)")
    }

    @Test(arguments: forms)
    func anotherProfileLeavesItAlone(form: Form) throws {
        let bytes = Array(form.text.utf8)
        let other = SettingValue.table(["destination": .table(["local": .flag(true)])])
        let text = try ConfigurationText.text(profile: "work", other, in: bytes)
        var sources = Self.sources(text)
        #expect(try sources.load().settings.upload.concurrency == 5)
        sources.profile = "work"
        #expect(try sources.load().settings.destination.local)
        #expect(text.contains("kept"), "\(text)")
    }

    /// What is nearly JSON5 is refused in words, and the process goes on.
    @Test(arguments: [
        "", " \n", "{", "}", "{profiles: {default: {upload: {concurrency: 5}}}", "[]", "5", "null", "{profiles: 5}",
        "{profiles: {default: 5}}", "{profiles: {default: {upload: 5}}}",
        "{profiles: {default: {upload: {concurrency: 5 6}}}}",
        "{profiles: {default: {upload: {concurrency: NaN}}}}",
        "{profiles: {default: {upload: {concurrency: Infinity}}}}",
        "{profiles: {default: {upload: {concurrency: 1e400}}}}", "{profiles: {default: {upload: {concurrency: 5.5}}}}",
        "{profiles: {default: {upload: {concurrency: 99999999999999999999}}}}",
        "{profiles: {default: {upload: {concurrency: '5'}}}}",
        "{profiles: {default: {upload: {concurrency: 5, concurrency: 6}}}}", "{profiles: {}, profiles: {}}",
        "{/* profiles",
        "{profiles: {default: {retry: {factor: NaN}}}}", "{profiles: {default: {retry: {base: -Infinity}}}}",
        "{profiles: {default: {retry: {base: 1e300}}}}",
    ])
    func whatIsNoConfigurationIsRefused(text: String) {
        #expect(SettingSourcesTests.failure(of: Self.sources(text)).hasPrefix("/c.json5"), "\(text)")
    }
}
