import Configuration
import Output
import Platform
import TestSupport
import Testing

@testable import GallerySync
@testable import SetUp

@Suite struct InitTests {
    static let head = """
        // Settings of gallery-sync. "gallery-sync config show" lists every setting with its value;
        // config/gallery-sync.json5 explains each.

        """

    @Test func withoutQuestions() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        #expect(await fixture.run("init Pictures --local --yes") == .success)
        let expected =
            Self.head + """
                {
                    profiles: {
                        default: {
                            destination: {
                                local: true,
                            },
                            roots: ["~/Pictures"],
                        },
                    },
                }

                """
        #expect(try fixture.configuration() == expected)
        #expect(try FileFacts(of: fixture.configurationPath).mode & 0o777 == 0o600)
        #expect(
            try fixture.results
                == "Wrote HOME/.config/gallery-sync/config.json5.\nNext: gallery-sync sync\n")
        #expect(await fixture.run("config check") == .success)
    }

    @Test func withEveryQuestion() async throws {
        let fixture = try CommandFixture(answers: [
            "~/Pictures", "https://abc.supabase.co/", "photos/laptop", "90GB", "eyJkey.a.b", "no",
        ])
        defer { fixture.remove() }
        #expect(await fixture.run("init --no-try") == .success)
        let text = try fixture.configuration()
        for part in [
            "url: \"https://abc.supabase.co/\"", "bucket: \"photos\"", "prefix: \"laptop\"", "storageBudget: \"90 GB\"",
            "keyFile: \"~/.config/gallery-sync/default.key\"", "{\"autoUpload\": false, \"path\": \"~/Pictures\"}",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        let questions = try fixture.notes
        for word in ["Which folder", "Where to?", "Which bucket", "How much", "service key", "by itself"] {
            #expect(questions.contains(word), "\(word)")
        }
        #expect(questions.count { $0 == "?" } == 6)
        let key = fixture.configurationPath.parent.appending("default.key")
        #expect(try OpenFile(reading: key).readAll() == Array("eyJkey.a.b\n".utf8))
        #expect(try FileFacts(of: key).mode & 0o777 == 0o600)
        #expect(await fixture.run("config check") == .success)
        #expect(try !fixture.results.contains("eyJkey"))
    }

    @Test(
        arguments: [
            (["free"], nil), ([""], nil), (["8GB"], "storageBudget: \"8 GB\""),
            (["unlimited"], "storageBudget: \"unlimited\""),
            (["pro", "1TB"], "storageBudget: \"1 TB\""),
        ] as [([String], String?)])
    func aHostedProjectsPlanIsAskedFor(answers: [String], line: String?) async throws {
        let fixture = try CommandFixture(answers: answers + ["", "yes"])
        defer { fixture.remove() }
        #expect(await fixture.run("init Pictures --no-try --url https://abc.supabase.co --bucket b") == .success)
        let text = try fixture.configuration()
        if let line { #expect(text.contains(line)) } else { #expect(!text.contains("storageBudget")) }
        let notes = try fixture.notes
        #expect(notes.contains("Answer \"free\", a size like 90GB, or \"unlimited\".") == (answers.count > 1))
        #expect(notes.contains("At most 900 MB are stored there") == (line == nil))
    }

    @Test func aTypedKeyGoesIntoTheKeyringWhereThereIsOne() async throws {
        var fixture = try CommandFixture(answers: ["~/Pictures", "https://a.example", "", "eyJkey.a.b", "yes"])
        defer { fixture.remove() }
        // A keyring of one file that behaves like `secret-tool`.
        try await Executable.write(
            "#!/bin/sh\n[ $1 = store ] && cat > ${0%/*}/kept || cat ${0%/*}/kept\n",
            at: fixture.home.appending("secret-tool"))
        fixture.environment["PATH"] = "\(fixture.home.display):/usr/bin:/bin"
        fixture.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/none"
        #expect(await fixture.run("init --no-try") == .success)
        #expect(try !fixture.configuration().contains("keyFile"))
        #expect(try fixture.notes.contains("The key is in the keyring."))
        #expect(try OpenFile(reading: fixture.home.appending("kept")).readAll() == Array("eyJkey.a.b".utf8))
        #expect(await fixture.run("config show") == .success)
        #expect(try fixture.results.contains("(the keyring)"))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let line: String
        /// What is typed; `nil` where nothing can be asked.
        var answers: [String]?
        var key: String?
        /// Parts of the configuration.
        var written: [String] = []
        var said: [String] = []
        var unsaid: [String] = []
    }

    private static let hosted = "init Pictures --url https://abc.supabase.co --no-try"

    @Test(arguments: [
        Row(
            testDescription: "empty answers take the defaults", line: "init --no-try", answers: ["", "local", ""],
            written: ["roots: [\"~/Pictures\"]", "local: true"]),
        Row(
            testDescription: "a plan that is known is not asked for", line: "\(hosted) --bucket b --budget 8GB",
            answers: ["", "yes"], written: [#"storageBudget: "8 GB""#], unsaid: ["How much"]),
        Row(
            testDescription: "nor one of a server that has none",
            line: "init Pictures --no-try --bucket b --url https://nas.example", answers: ["", "yes"],
            written: ["url: \"https://nas.example\""], unsaid: ["How much"]),
        Row(
            testDescription: "a budget that is told is written down", line: "\(hosted) --budget 90GB --yes",
            written: [#"storageBudget: "90 GB""#], unsaid: ["900 MB"]),
        Row(
            testDescription: "an unknown plan is said, and the key is not", line: "\(hosted) --yes",
            key: "sb_secret_abc", written: ["url: \"https://abc.supabase.co\""],
            said: ["At most 900 MB are stored there until destination.storageBudget says"], unsaid: ["sb_secret"]),
        Row(
            testDescription: "as a document", line: "init Pictures --local --yes --json --config c.json5",
            said: [
                "\"schema\" : \"gallery-sync/init/1\"", "\"next\" : \"gallery-sync sync --config c.json5\"",
            ]),
    ])
    func whatIsKnownIsNotAskedFor(_ row: Row) async throws {
        var fixture = try CommandFixture(answers: row.answers)
        defer { fixture.remove() }
        fixture.environment["GALLERY_SYNC_KEY"] = row.key
        #expect(await fixture.run(row.line) == .success)
        let text = row.written.isEmpty ? "" : try fixture.configuration()
        for part in row.written { #expect(text.contains(part), "\(part)") }
        let said = try fixture.notes + fixture.results
        for part in row.said { #expect(said.ranges(of: part).count == 1, "once: \(part)") }
        for part in row.unsaid { #expect(!said.contains(part), "\(part)") }
    }

    @Test func wrongAnswersAreAskedAgain() async throws {
        let fixture = try CommandFixture(answers: [
            "Pictures", "/nowhere", "~/Pictures", "abc", "https://a.example", "a b", "b//", "b/p", "two words", "key",
            "maybe", "yes",
        ])
        defer { fixture.remove() }
        #expect(await fixture.run("init --no-try") == .success)
        let notes = try fixture.notes
        for reason in [
            "Begin with / or ~/.", "/nowhere is no directory.", "It is \"abc\", expected an address like",
            "It is \"a b\", expected a name", "It is \"/\", expected segments", "A key is one word.",
            "Answer yes or no.",
        ] {
            #expect(notes.contains(reason), "\(reason)")
        }
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let line: String
        var answers: [String]?
        /// What is in the home besides, by its path.
        var file: (path: String, text: String)?
        var code = ExitCode.usage
        let message: String
    }

    @Test(arguments: [
        Refused(
            testDescription: "nothing is known", line: "init", answers: [],
            message: "Nothing can be asked here; add DIR."),
        Refused(
            testDescription: "the destination is not", line: "init Pictures", answers: [],
            message: "Nothing can be asked here; add --url URL or --local."),
        Refused(
            testDescription: "nothing says whether all is sent", line: "init Pictures --local", answers: [],
            message: "Nothing can be asked here; add --yes, or --manual to send only what is named."),
        Refused(
            testDescription: "no default can stand in", line: "init Pictures --yes",
            message: "Nothing can be asked here; add --url URL or --local."),
        Refused(
            testDescription: "the folder is not there", line: "init nowhere --local --yes",
            message: "HOME/nowhere is no directory."),
        Refused(
            testDescription: "the configuration is broken", line: "init Pictures --local --yes",
            file: (CommandFixture.configuration, "{profiles: {"), code: .configuration, message: "is not valid JSON5"),
        Refused(
            testDescription: "it cannot be written", line: "init Pictures --local --yes", file: (".config", ""),
            code: .configuration,
            message: "HOME/.config/gallery-sync/config.json5 cannot be written: File exists. Name another place with "
                + "--config or XDG_CONFIG_HOME"),
    ])
    func nothingIsWrittenWhere(_ row: Refused) async throws {
        let fixture = try CommandFixture(answers: row.answers)
        defer { fixture.remove() }
        let file = row.file.map { (path: fixture.home.appending(FilePath($0.path)), text: $0.text) }
        if let file { try fixture.write(file.text, to: file.path) }
        #expect(await fixture.run(row.line) == row.code)
        #expect(try fixture.notes.contains(row.message))
        if let file { #expect(try OpenFile(reading: file.path).readAll() == Array(file.text.utf8)) }
        if file?.path != fixture.configurationPath {
            #expect(throws: SystemError.self) { try fixture.configuration() }
        }
    }

    @Test func aSecondProfileLeavesTheFirst() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        #expect(await fixture.run("init Pictures --local --yes") == .success)
        #expect(await fixture.run("init Pictures --profile nas --url https://a.example --yes --no-try") == .success)
        #expect(await fixture.run("config show --profile default --json") == .success)
        #expect(await fixture.run("config show --profile nas --json") == .success)
        let text = try fixture.configuration()
        #expect(text.contains("local: true"))
        #expect(text.contains("url: \"https://a.example\""))
        #expect(try fixture.results.contains("Next: gallery-sync sync --profile nas"))
        #expect(try fixture.results.contains("what was there before is HOME/.config/gallery-sync/config.json5.1."))
    }

    @Test func anExistingProfileIsShownAndItsCommentsStay() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        let text = """
            // mine
            {
                profiles: {
                    default: {
                        retry: {attempts: 3}, // three
                        destination: {
                            // by the window
                            url: "https://a.example", bucket: "b",
                            allowPublicBucket: true,
                        },
                        roots: ["~/Pictures"],
                    },
                },
            }

            """
        try fixture.write(text, to: fixture.configurationPath)
        try Directory.create(at: fixture.home.appending("Videos"))
        #expect(await fixture.run("init Videos --prefix laptop --yes --no-try") == .success)
        let expected = text.replacing("[\"~/Pictures\"]", with: "[\"~/Pictures\", \"~/Videos\"]").replacing(
            "allowPublicBucket: true,\n",
            with: "allowPublicBucket: true,\n                prefix: \"laptop\",\n")
        #expect(try fixture.configuration() == expected)
        #expect(
            try fixture.notes.contains(
                "Profile \"default\" in HOME/.config/gallery-sync/config.json5: HOME/Pictures to https://a.example, "
                    + "bucket b."))
    }

    @Test func aFolderForAProfileThatIsSetUpIsAddedWithoutAQuestion() async throws {
        let fixture = try CommandFixture(answers: [])
        defer { fixture.remove() }
        #expect(await fixture.run("init Pictures --local --yes") == .success)
        let folder = fixture.home.appending("-$(id) 'a' \"b\"")
        try Directory.create(at: folder)
        #expect(await fixture.run(["init", folder.display]) == .success)
        #expect(try fixture.configuration().contains("roots: [\"~/Pictures\", \"~/-$(id) 'a' \\\"b\\\"\"]"))
        // What lies in a folder that is kept safe needs no entry of its own.
        let known = try fixture.configuration()
        try Directory.create(at: folder.appending("inner"))
        #expect(await fixture.run(["init", folder.appending("inner").display]) == .success)
        #expect(try fixture.configuration() == known)
        #expect(try !fixture.notes.contains("?"))
    }

    @Test func itsAnswersAreTheDefaults() async throws {
        let fixture = try CommandFixture(answers: ["", "", "", ""])
        defer { fixture.remove() }
        let text = "{profiles: {default: {roots: ['~/Pictures'], destination: {url: 'https://a.example'}}}} // mine\n"
        try fixture.write(text, to: fixture.configurationPath)
        #expect(await fixture.run("init --no-try") == .success)
        let expected = text.replacing("'https://a.example'", with: "'https://a.example', bucket: \"media\"")
        #expect(try fixture.configuration() == expected)
        #expect(try fixture.notes.contains("[https://a.example]"))
    }

    @Test func aValueWrittenByItsDottedKeyMovesIntoItsGroup() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        let text = "{profiles: {default: {roots: ['~/Pictures'], 'destination.url': 'https://a.example'}}}\n"
        try fixture.write(text, to: fixture.configurationPath)
        #expect(await fixture.run("init --prefix laptop --yes --no-try") == .success)
        #expect(try !fixture.configuration().contains("destination.url"))
        #expect(await fixture.run("config show") == .success)
        for part in ["https://a.example", "laptop"] { #expect(try fixture.results.contains(part), "\(part)") }
    }

    @Test func onlyTheDestinationChangesWhenAsked() async throws {
        try await CommandFixture.with([
            CommandFixture.configuration:
                "{profiles: {default: {retry: {attempts: 3}, roots: ['/a'], destination: {local: true}}}}"
        ]) { fixture async throws in
            #expect(await fixture.run("init --change-destination --url https://a.example --yes --no-try") == .success)
            let text = try fixture.configuration()
            for part in ["attempts: 3", "roots: [\"/a\"]", "url: \"https://a.example\""] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(!text.contains("local"))
        }
    }

    @Test func aLinkToTheConfigurationStaysOne() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        let real = fixture.home.appending("dotfiles/gallery.json5")
        try fixture.write("{}", to: real)
        try Directory.create(at: fixture.configurationPath.parent)
        try Directory(fixture.configurationPath.parent).createLink("config.json5", to: real)
        #expect(await fixture.run("init Pictures --local --yes") == .success)
        #expect(try FileFacts(of: fixture.configurationPath, followingLinks: false).kind == .symlink)
        #expect(try OpenFile(reading: real).readAll().count > 100)
        #expect(try fixture.results.contains("; what was there before is HOME/dotfiles/gallery.json5.1.\n"))
        #expect(try OpenFile(reading: fixture.home.appending("dotfiles/gallery.json5.1")).readAll() == Array("{}".utf8))
    }
}

@Suite struct ConfigurationTextTests {
    /// The profiles of a file that was made of `existing` and a fresh profile.
    static func merged(_ existing: String?, profile: String = "default") throws -> String {
        let value = SettingValue.table(["destination": .table(["local": .flag(true)])])
        let text = try ConfigurationText.text(profile: profile, value, in: existing.map { Array($0.utf8) })
        return try SettingValue.parsing(Array(text.utf8)).line
    }

    @Test(
        arguments: [
            ("no file yet", nil, "default", #"{"profiles": {"default": {"destination": {"local": true}}}}"#),
            ("an empty file", "{}", "default", #"{"profiles": {"default": {"destination": {"local": true}}}}"#),
            (
                "another profile stays", "{profiles: {nas: {retry: {attempts: 3}}}}", "default",
                #"{"profiles": {"default": {"destination": {"local": true}}, "nas": {"retry": {"attempts": 3}}}}"#
            ),
            (
                "a name that needs quotes", "{}", "my-nas",
                #"{"profiles": {"my-nas": {"destination": {"local": true}}}}"#
            ),
            ("a name of digits", "{}", "2", #"{"profiles": {"2": {"destination": {"local": true}}}}"#),
        ] as [(String, String?, String, String)])
    func whatWasThereStays(_ row: (why: String, existing: String?, profile: String, line: String)) throws {
        #expect(try Self.merged(row.existing, profile: row.profile) == row.line, "\(row.why)")
    }

    @Test(
        arguments: [
            ("below home", FilePath("/home/ada/Pictures"), "[\"~/Pictures\"]"), ("home itself", "/home/ada", "[\"~\"]"),
            ("elsewhere", "/mnt/a", "[\"/mnt/a\"]"), ("beside home", "/home/adam", "[\"/home/adam\"]"),
        ] as [(String, FilePath, String)])
    func paths(_ row: (why: String, path: FilePath, line: String)) {
        let draft = ProfileDraft(roots: [.init(path: row.path)], destination: Settings().destination)
        #expect(draft.table(home: "/home/ada")["roots"]?.line == row.line, "\(row.why)")
    }

    @Test func manyRootsStandOnLinesOfTheirOwn() throws {
        let roots = (1...9).map { SettingValue.text("/a/rather/long/path/\($0)") }
        let text = try ConfigurationText.text(profile: "default", .table(["roots": .list(roots)]), in: nil)
        #expect(text.contains("            roots: [\n                \"/a/rather/long/path/1\",\n"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count < 100 })
    }
}
