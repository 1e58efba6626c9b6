import Configuration
import Platform
import Providers
import Testing

/// Providers that only the configuration knows, and what is said of facts that make no sense.
@Suite struct OwnProviderTests {
    static let studio = "url: 'https://api.studio.example/v1', ask: '/jobs/{id}', result: 'output.video_url'"

    /// The key may stand in its place, and is not repeated; no cleanser may take the example for a key.
    static let auth =
        "profiles.default.providers.studio.auth is no header with {key} at its end, such as \"X-Key: {key}\"; "
        + "the key itself belongs into the file of \"keyFile\"."

    static func sources(_ facts: String) -> SettingSources {
        var sources = SettingSources(home: "/home/ada")
        sources.file = SettingSourcesTests.file("{profiles: {default: {\n  providers: {studio: {\(facts)}}}}}")
        return sources
    }

    @Test func itsFactsMakeATable() throws {
        let facts = """
            \(Self.studio), keyFile: '~/studio.key', auth: 'X-Key: {key}', headers: {'x-version': '2'}, state: 'state',
            words: {Ready: 'succeeded'}, progress: 'progress', created: 'created_at', ended: 'done_at',
            expires: 'expires_at', reason: 'error.message', lifetime: '24h', pollEvery: '5s', patience: '48h',
            content: '/jobs/{id}/content', file: {id: 'file_id', ask: '/files/{id}', link: 'file.url'},
            list: {ask: '/jobs?limit=100', rows: 'data'}, cancel: 'POST /jobs/{id}/cancel'
            """
        let loaded = try Self.sources(facts).load()
        let own = try #require(loaded.settings.providers[own: ProviderName(rawValue: "studio")])
        #expect(own.api.authentication == .header("x-key", prefix: ""))
        #expect(own.api.headers == ["x-version": "2"])
        #expect(own.api.answer.words == ["ready": .succeeded])
        #expect(own.api.results.count == 2 && own.api.otherwise != nil && own.api.list != nil && own.api.cancel != nil)
        #expect(own.api.lifetime == .seconds(86_400) && own.api.leastWait == .seconds(5))
        #expect(loaded.settings.providers[ProviderName(rawValue: "studio")].keyFile == "/home/ada/studio.key")
        #expect(loaded.rows.last?.key == "providers.studio")
        #expect(loaded.rows.last?.value.line.contains(#""pollEvery": "5s""#) == true)
    }

    @Test func itsKeyMayBeInAVariable() throws {
        var sources = Self.sources(Self.studio)
        sources.environment = ["GALLERY_SYNC_STUDIO_KEY": "k"]
        #expect(try sources.load().settings.providers.names.last?.rawValue == "studio")
        sources.environment = ["GALLERY_SYNC_STUDIOS_KEY": "k"]
        #expect(SettingSourcesTests.failure(of: sources).contains("is not a setting"))
    }

    @Test(arguments: [
        ("ask: '/jobs/{id}', result: 'a'", "2, column 23: profiles.default.providers.studio has no \"url\"."),
        (
            "url: 'https://a.example', ask: '/jobs/{id}'",
            "2, column 23: profiles.default.providers.studio has neither \"result\" nor \"file\" nor \"content\": "
                + "where is the video?"
        ),
        (
            "url: 'https://a.example', ask: '/jobs', result: 'a'",
            "2, column 55: profiles.default.providers.studio.ask is \"/jobs\", expected \"{id}\" in it."
        ),
        ("\(studio), auth: 'Bearer'", "2, column 115: \(auth)"),
        ("\(studio), auth: 'Authorization: Béarer {key}'", "2, column 115: \(auth)"),
        ("\(studio), auth: 'X-Key: 5ecre7'", "2, column 115: \(auth)"),
        (
            "\(studio),\n  words: {ready: 'done'}",
            "3, column 18: profiles.default.providers.studio.words.ready is \"done\", expected one of \"cancelled\", "
                + "\"failed\", \"queued\", \"running\", \"succeeded\"."
        ),
        (
            "\(studio),\n  state: 'a..b'",
            "3, column 10: profiles.default.providers.studio.state is \"a..b\", "
                + "expected names between dots, like \"output.video.url\"."
        ),
        (
            "\(studio),\n  reslut: 'a'",
            "3, column 11: profiles.default.providers.studio.reslut is no fact about a provider. "
                + "Did you mean \"result\"?"
        ),
        (
            "\(studio),\n  headers: {Authorization: 'Bearer 1'}",
            "3, column 28: profiles.default.providers.studio.headers.Authorization is no header to send; "
                + "a key belongs into \"keyFile\"."
        ),
    ])
    func nonsenseIsRefusedWhereItStands(facts: String, sentence: String) {
        #expect(SettingSourcesTests.failure(of: Self.sources(facts)) == "/c.json5, line " + sentence)
    }

    @Test func aMisspelledProviderIsNoneOfTheUsersOwn() {
        var sources = SettingSources(home: "/home/ada")
        sources.file = SettingSourcesTests.file("{profiles: {default: {providers: {replicat: {keyFile: '/k'}}}}}")
        #expect(
            SettingSourcesTests.failure(of: sources)
                == "/c.json5: profiles.default.providers.replicat is not a setting. Did you mean \"replicate\"?")
    }

    @Test func hostsMayBeListedByProvider() throws {
        var sources = SettingSources(home: "/home/ada")
        sources.file = SettingSourcesTests.file(
            "{profiles: {default: {rescue: {hosts: {fal: ['*.fal.media'], default: ['a.io']}}}}}")
        let hosts = try sources.load().settings.rescue.hosts
        #expect(hosts.usual == ["a.io"] && hosts.providers == [.fal: ["*.fal.media"]])
        sources.file = SettingSourcesTests.file("{profiles: {default: {rescue: {hosts: {fall: ['a.io']}}}}}")
        #expect(
            SettingSourcesTests.failure(of: sources)
                == "/c.json5: rescue.hosts.fall names no provider that is known here.")
    }
}
