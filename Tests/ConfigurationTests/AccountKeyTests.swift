import Configuration
import Glibc
import Platform
import Supabase
import TestSupport
import Testing

@Suite struct AccountKeyTests {
    /// What `find` returns for a key file with this content and mode.
    static func find(_ content: String?, mode: UInt32 = 0o600, user: UInt32 = Host.userID) throws -> String {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let file = directory.path.appending("key")
        if let content { try OpenFile(creating: file, mode: mode).append(Array(content.utf8)) }
        var settings = Settings()
        settings.destination.keyFile = file
        do {
            return try AccountKey.find(environment: [:], settings: settings, user: user)?.secret ?? "none"
        } catch {
            return error.description.replacing(directory.path.display, with: "DIR")
        }
    }

    @Test(arguments: [
        ("as it is", "abc.def.ghi", UInt32(0o600), "abc.def.ghi"),
        ("a newline at the end is not part of it", "abc\n", 0o600, "abc"),
        ("readable by the owner alone is enough", "abc", 0o400, "abc"),
        (
            "readable by the group", "abc", 0o640,
            "DIR/key must be yours and readable by you alone. Run \"chmod 600 DIR/key\"."
        ),
        (
            "readable by all", "abc", 0o604,
            "DIR/key must be yours and readable by you alone. Run \"chmod 600 DIR/key\"."
        ),
        ("empty", "", 0o600, "DIR/key holds no key: expected one word of ASCII."),
        ("two words", "a b", 0o600, "DIR/key holds no key: expected one word of ASCII."),
        ("not ASCII", "ключ", 0o600, "DIR/key holds no key: expected one word of ASCII."),
        ("missing", nil, 0o600, "DIR/key cannot be read: No such file or directory."),
    ])
    func theFile(_ row: (why: String, content: String?, mode: UInt32, outcome: String)) throws {
        #expect(try Self.find(row.content, mode: row.mode) == row.outcome, "\(row.why)")
    }

    /// It would be waited for, and has its key once only, while the file is read at each start.
    @Test func aPipeIsNoKeyFile() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        #expect(write(ends[1], "abc", 3) == 3)
        close(ends[1])
        var settings = Settings()
        settings.destination.keyFile = FilePath("/proc/self/fd/\(ends[0])")
        let error = #expect(throws: SettingsError.self) {
            try AccountKey.find(environment: [:], settings: settings, user: Host.userID)
        }
        #expect(error?.description.hasSuffix(" is no file: a key is read from one at each start.") == true)
    }

    @Test func aFileOfAnotherUserIsRefused() throws {
        #expect(try Self.find("abc", user: Host.userID + 1).hasPrefix("DIR/key must be yours"))
    }

    @Test func theVariableGoesBeforeTheFile() throws {
        var settings = Settings()
        settings.destination.keyFile = "/nowhere"
        let key = try AccountKey.find(environment: ["GALLERY_SYNC_KEY": "abc"], settings: settings, user: 0)
        #expect(key?.secret == "abc")
        #expect(key?.origin == "GALLERY_SYNC_KEY")
    }

    @Test func withoutAnyThereIsNone() throws {
        #expect(try AccountKey.find(environment: ["GALLERY_SYNC_KEY": ""], settings: Settings(), user: 0) == nil)
    }

    @Test func systemdMayHandItOver() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let environment = ["CREDENTIALS_DIRECTORY": directory.path.display]
        #expect(try AccountKey.find(environment: environment, settings: Settings(), user: 0) == nil)
        try OpenFile(creating: directory.path.appending(AccountKey.credential), mode: 0o644).append(Array("abc\n".utf8))
        #expect(try AccountKey.find(environment: environment, settings: Settings(), user: 0)?.secret == "abc")
    }

    /// Each place in the order of precedence, with all places after it filled, too.
    @Test(arguments: 0..<4)
    func theFirstPlaceThatHasOneWins(first: Int) throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        var (settings, environment) = (Settings(), ["CREDENTIALS_DIRECTORY": directory.path.display])
        if first < 1 { environment[AccountKey.variable] = "place0" }
        if first < 2 { settings.destination.keyFile = directory.path.appending("named") }
        for (place, name) in ["named", AccountKey.credential, "standard"].enumerated() where place + 1 >= first {
            try OpenFile(creating: directory.path.appending(name)).append(Array("place\(place + 1)".utf8))
        }
        let key = try AccountKey.find(
            environment: environment, settings: settings, user: Host.userID,
            standard: directory.path.appending("standard"))
        #expect(key?.secret == "place\(first)")
    }

    @Test func theStandardFileNeedNotBeThereButMustBePrivate() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let file = directory.path.appending("standard")
        func find() throws -> String? {
            try AccountKey.find(environment: [:], settings: Settings(), user: Host.userID, standard: file)?.secret
        }
        #expect(try find() == nil)
        try OpenFile(creating: file, mode: 0o644).append(Array("abc".utf8))
        #expect(throws: SettingsError.self) { try find() }
    }

    @Test func theKeySaysItsKind() throws {
        let environment = ["GALLERY_SYNC_KEY": "sb_secret_x"]
        let key = try #require(try AccountKey.find(environment: environment, settings: Settings(), user: 0))
        #expect(key.kind.opensProject && key.kind.warning?.contains("whole project") == true)
    }

    @Test func noDescriptionShowsTheKey() throws {
        let environment = ["GALLERY_SYNC_KEY": "hunter2"]
        let key = try #require(try AccountKey.find(environment: environment, settings: Settings(), user: 0))
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), String(describing: [key]), dumped] {
            #expect(!text.contains("hunter2"))
        }
    }
}
