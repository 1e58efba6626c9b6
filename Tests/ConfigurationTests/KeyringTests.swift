import Platform
import TestSupport
import Testing

@testable import Configuration

@Suite struct KeyringTests {
    /// A keyring of files in its own directory that behaves like `secret-tool`, and records its calls.
    static let tool = """
        #!/bin/sh
        here=$(dirname "$0")
        echo "$*" >> "$here/words"
        case "$1" in
        store) cat > "$here/$4-$6" ;;
        lookup) cat "$here/$3-$5" || exit 1 ;;
        esac

        """

    /// A directory with this tool, or another one, and the environment of a session that uses it.
    static func with(
        _ script: String = tool, _ body: (FilePath, [String: String]) async throws -> Void
    ) async throws {
        try await FileTree().withDirectory { folder in
            try await place(script, in: folder)
            let path = "\(folder.display):/usr/bin:/bin"
            try await body(folder, ["PATH": path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/none"])
        }
    }

    static func place(_ script: String, in folder: FilePath) async throws {
        try await Executable.write(script, at: folder.appending("secret-tool"))
    }

    @Test(arguments: [
        ("[/12]\nlabel = gallery-sync\nsecret = \ncreated = 2026-11-22\n", true),
        ("[/12]\nlabel = gallery-sync\nsecret = eyJ\ncreated = 2026-11-22\n", false), ("", false),
    ])
    func aKeyThatIsThereAndCannotBeReadIsLocked(_ text: String, _ isLocked: Bool) {
        #expect(Keyring.isLocked(text) == isLocked)
    }

    @Test func whatIsKeptIsFoundUnderItsProfileAndNeverAWordOfACommand() async throws {
        try await Self.with { folder, environment in
            let keyring = try #require(Keyring(environment: environment))
            #expect(await keyring.key(of: "default") == nil)
            #expect(await keyring.keep("eyJsecret", of: "default"))
            #expect(await keyring.key(of: "default") == "eyJsecret")
            #expect(await keyring.key(of: "other") == nil)
            let words = try OpenFile(reading: folder.appending("words")).readAll()
            #expect(!String(decoding: words, as: UTF8.self).contains("eyJsecret"))
        }
    }

    @Test(arguments: [
        ("#!/bin/sh\nexec sleep 60\n", "silent"), ("#!/bin/sh\necho half; exit 1\n", "failing"),
        ("not a program", "broken"), ("#!/bin/sh\nexit 0\n", "empty"),
    ])
    func aKeyringThatDoesNotHelpIsAnEmptyOne(script: String, why: String) async throws {
        try await Self.with(script) { _, environment in
            let keyring = try #require(Keyring(environment: environment, patience: .milliseconds(300)))
            #expect(await keyring.key(of: "default") == nil, "\(why)")
            if why != "empty" { #expect(await !keyring.keep("k", of: "default"), "\(why)") }
        }
    }

    @Test func withoutASessionBusOrAToolThereIsNone() async throws {
        try await Self.with { folder, environment in
            var away = environment
            away["DBUS_SESSION_BUS_ADDRESS"] = nil
            #expect(Keyring(environment: away) == nil)
            away["XDG_RUNTIME_DIR"] = folder.display
            #expect(Keyring(environment: away) == nil)
            try Directory(folder).create(file: "bus").append([])
            #expect(Keyring(environment: away) != nil)
            var bare = environment
            bare["PATH"] = "/nowhere"
            #expect(Keyring(environment: bare) == nil)
        }
    }

    @Test func itComesAfterWhatWasHandedOverAndBeforeTheStandardFile() async throws {
        try await Self.with { folder, environment in
            let standard = folder.appending("default.key")
            try Directory(folder).create(file: "default.key").append(Array("of-the-file".utf8))
            let keyring = try #require(Keyring(environment: environment))
            func found(_ more: [String: String] = [:]) async throws -> [String?] {
                let key = try await AccountKey.find(
                    environment: more, settings: Settings(), user: Host.userID, standard: standard, keyring: keyring,
                    profile: "default")
                return [key?.secret, key?.origin]
            }
            #expect(try await found() == ["of-the-file", standard.display])
            #expect(await keyring.keep("of-the-keyring\n", of: "default"))
            #expect(try await found() == ["of-the-keyring", "the keyring"])
            #expect(
                try await found(["GALLERY_SYNC_KEY": "of-the-variable"]) == ["of-the-variable", "GALLERY_SYNC_KEY"])
        }
    }
}
