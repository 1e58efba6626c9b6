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

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let request: LocationRequest
        /// Configuration, state, cache, shared thumbnails, storage, generated videos and runtime.
        let places: [FilePath]
    }

    /// Where all lies below a home, by a profile without a name.
    static let belowHome: [FilePath] = [
        "/home/ada/.config/gallery-sync/config.json5", "/home/ada/.local/state/gallery-sync/default",
        "/home/ada/.cache/gallery-sync", "/home/ada/.cache/thumbnails", "/home/ada/.local/share/gallery-sync/storage",
        "/home/ada/.local/share/gallery-sync/generated", "/tmp/gallery-sync-7",
    ]

    @Test(arguments: [
        Row(
            testDescription: "every variable is honoured",
            request: LocationRequest(environment: variables, profile: "nas", user: 7),
            places: [
                "/e/gallery-sync/config.json5", "/s/gallery-sync/nas", "/c/gallery-sync", "/c/thumbnails",
                "/d/gallery-sync/storage", "/d/gallery-sync/generated", "/run/user/7/gallery-sync",
            ]),
        Row(
            testDescription: "without variables everything lies below home",
            request: LocationRequest(environment: ["HOME": "/home/ada"], user: 7), places: belowHome),
        Row(
            testDescription: "relative variables are ignored",
            request: LocationRequest(
                environment: [
                    "HOME": "/home/ada", "XDG_STATE_HOME": "s", "XDG_CACHE_HOME": "./c", "XDG_CONFIG_HOME": "",
                    "XDG_DATA_HOME": "~/d", "XDG_RUNTIME_DIR": "run", "TMPDIR": "t",
                ], user: 7), places: belowHome),
        Row(
            testDescription: "the account's home stands in for the variable",
            request: LocationRequest(environment: [:], user: 7, accountHome: "/home/ada"), places: belowHome),
        Row(
            testDescription: "a state directory holds all but the configuration and what is the user's",
            request: LocationRequest(environment: variables, profile: "nas", stateDirectory: "/x", user: 7),
            places: [
                "/e/gallery-sync/config.json5", "/x/state/nas", "/x/cache", "/c/thumbnails", "/x/storage",
                "/d/gallery-sync/generated", "/x/run",
            ]),
        Row(
            testDescription: "a named configuration is taken",
            request: LocationRequest(environment: ["HOME": "/home/ada"], configuration: "/my.json5", user: 7),
            places: ["/my.json5"] + belowHome.dropFirst()),
    ])
    func everythingHasItsPlace(_ row: Row) throws {
        #expect(try row.request.home() == "/home/ada")
        let places = try Locations(for: row.request)
        #expect(
            [
                places.configuration, places.state, places.cache, places.sharedThumbnails, places.storage,
                places.generated, places.runtime,
            ] == row.places)
        #expect(places.thumbnails == places.cache.appending("thumbnails"))
        #expect(places.queue == places.state.appending("queue.json"))
        #expect(places.library == places.state.appending("library.sqlite"))
        #expect(places.lock == places.state.appending("lock"))
        #expect(places.storageSocket == places.storage.appending("storage.sock"))
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
