import Configuration
import Platform
import Testing

@Suite struct LocationsTests {
    static let variables = [
        "HOME": "/home/ada", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": "/e",
        "XDG_DATA_HOME": "/d", "XDG_RUNTIME_DIR": "/run/user/7",
    ]

    static func locations(
        _ environment: [String: String], profile: String = "default", below directory: FilePath? = nil
    ) throws -> Locations {
        try Locations(
            for: LocationRequest(environment: environment, profile: profile, stateDirectory: directory, user: 7))
    }

    @Test func everyVariableIsHonoured() throws {
        let places = try Self.locations(Self.variables, profile: "nas")
        #expect(places.configuration == "/e/gallery-sync/config.json5")
        #expect(places.state == "/s/gallery-sync/nas")
        #expect(places.cache == "/c/gallery-sync")
        #expect(places.thumbnails == "/c/gallery-sync/thumbnails")
        #expect(places.sharedThumbnails == "/c/thumbnails")
        #expect(places.storage == "/d/gallery-sync/storage")
        #expect(places.generated == "/d/gallery-sync/generated")
        #expect(places.runtime == "/run/user/7/gallery-sync")
        #expect(places.queue == "/s/gallery-sync/nas/queue.json")
        #expect(places.library == "/s/gallery-sync/nas/library.sqlite")
        #expect(places.lock == "/s/gallery-sync/nas/lock")
        #expect(places.storageSocket == "/d/gallery-sync/storage/storage.sock")
    }

    @Test func withoutVariablesEverythingLiesBelowHome() throws {
        let places = try Self.locations(["HOME": "/home/ada"])
        #expect(places.configuration == "/home/ada/.config/gallery-sync/config.json5")
        #expect(places.state == "/home/ada/.local/state/gallery-sync/default")
        #expect(places.cache == "/home/ada/.cache/gallery-sync")
        #expect(places.storage == "/home/ada/.local/share/gallery-sync/storage")
        #expect(places.runtime == "/tmp/gallery-sync-7")
    }

    @Test func relativeVariablesAreIgnored() throws {
        let places = try Self.locations(["HOME": "/home/ada", "XDG_STATE_HOME": "s", "TMPDIR": "t"])
        #expect(places.state == "/home/ada/.local/state/gallery-sync/default")
        #expect(places.runtime == "/tmp/gallery-sync-7")
    }

    @Test func aStateDirectoryHoldsAllThatIsWritten() throws {
        let places = try Self.locations(Self.variables, profile: "nas", below: "/x")
        #expect(places.state == "/x/state/nas")
        #expect(places.cache == "/x/cache")
        #expect(places.sharedThumbnails == "/c/thumbnails")
        #expect(places.storage == "/x/storage")
        #expect(places.runtime == "/x/run")
        #expect(places.configuration == "/e/gallery-sync/config.json5")
    }

    /// 107 bytes is the longest path of a socket: the directory, a slash and 21 more.
    @Test(arguments: [(85, true), (86, false)])
    func aSocketPathThatIsTooLongMovesToTheTemporaryDirectory(_ length: Int, fits: Bool) throws {
        let below = FilePath("/" + String(repeating: "x", count: length - "/run".utf8.count - 1))
        let places = try Self.locations(["HOME": "/h", "TMPDIR": "/var/tmp"], below: below)
        #expect(places.runtime == (fits ? below.appending("run") : "/var/tmp/gallery-sync-7"))
    }

    @Test func theControlSocketIsNamedAfterTheState() throws {
        let places = try Self.locations(Self.variables, profile: "nas")
        // sha256("/s/gallery-sync/nas")
        #expect(places.controlSocket == "/run/user/7/gallery-sync/619c627f93ea61d5.sock")
        #expect(try Self.locations(Self.variables).controlSocket != places.controlSocket)
    }

    @Test func theAccountsHomeStandsInForTheVariable() throws {
        let request = LocationRequest(environment: [:], user: 7, accountHome: "/home/ada")
        #expect(try Locations(for: request).state == "/home/ada/.local/state/gallery-sync/default")
        #expect(try request.home() == "/home/ada")
    }

    @Test func aNamedConfigurationIsTaken() throws {
        let request = LocationRequest(environment: Self.variables, configuration: "/my.json5", user: 7)
        #expect(try Locations(for: request).configuration == "/my.json5")
    }

    @Test(arguments: ["", "a/b", "..", ".hidden", "a b", "é", String(repeating: "x", count: 65)])
    func aProfileThatIsNoNameIsRefused(_ profile: String) {
        #expect(throws: SettingsError.self) { try Self.locations(Self.variables, profile: profile) }
    }

    @Test(arguments: [[:], ["HOME": ""], ["HOME": "here"]])
    func withoutAHomeItSaysSo(_ environment: [String: String]) throws {
        let error = #expect(throws: SettingsError.self) { try Self.locations(environment) }
        #expect(error?.description == "HOME is not set to an absolute path, so there is no place for state.")
    }
}
