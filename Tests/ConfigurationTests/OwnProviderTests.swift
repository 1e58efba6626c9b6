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

    /// The sentence for each fact, from the provider's name on.
    private static func sentence(_ facts: String) -> String {
        let whole = SettingSourcesTests.failure(of: sources("\(studio), \(facts)"))
        return whole.firstRange(of: "providers.studio").map { String(whole[$0.upperBound...]) } ?? whole
    }

    @Test(arguments: ["state", "progress", "created", "ended", "expires", "reason"])
    func aPlaceInAnAnswerIsAPath(fact: String) {
        for wrong in ["", "a b", "a/b", ".a", "a.", String(repeating: "a", count: 201)] {
            #expect(
                Self.sentence("\(fact): '\(wrong)'")
                    == ".\(fact) is \"\(wrong)\", expected names between dots, like \"output.video.url\".")
        }
        #expect(Self.sentence("\(fact): 5") == ".\(fact) is 5, expected text.")
        for right in ["'a'", "'a.0.b'", "'a.*'", "null", "'\(String(repeating: "a", count: 200))'"] {
            #expect(Self.sentence("\(fact): \(right)") == "loaded")
        }
    }

    private static let duration = "expected a duration like \"10s\" or \"1h30m\", from"

    @Test(arguments: [
        ("lifetime: '59s'", ".lifetime is \"59s\", \(duration) 1min to 365d."),
        ("lifetime: '366d'", ".lifetime is \"366d\", \(duration) 1min to 365d."),
        ("pollEvery: 0", ".pollEvery is 0, \(duration) 1s to 1h."),
        ("pollEvery: '61min'", ".pollEvery is \"61min\", \(duration) 1s to 1h."),
        ("patience: '59min'", ".patience is \"59min\", \(duration) 1h to 30d."),
        ("patience: '31d'", ".patience is \"31d\", \(duration) 1h to 30d."),
        (
            "cancel: '/jobs/{id}'",
            ".cancel is \"/jobs/{id}\", expected a method and a path, like \"POST /jobs/{id}/cancel\"."
        ),
        (
            "cancel: 'GET /jobs/{id}'",
            ".cancel is \"GET /jobs/{id}\", expected a method and a path, like \"POST /jobs/{id}/cancel\"."
        ),
        (
            "cancel: 'POST jobs/{id}'",
            ".cancel is \"jobs/{id}\", expected a path below the url, like \"/jobs/{id}\"."
        ),
        (
            "content: '//evil.example/{id}'",
            ".content is \"//evil.example/{id}\", expected a path below the url, like \"/jobs/{id}\"."
        ),
        ("content: '/a/../b'", ".content is \"/a/../b\", expected a path below the url, like \"/jobs/{id}\"."),
        ("content: '/{name}'", ".content is \"/{name}\", expected a path below the url, like \"/jobs/{id}\"."),
        ("content: true", ".content is true, expected text."),
        ("file: 'f'", ".file is \"f\", expected {id, ask, link}."),
        ("file: {id: 'f', ask: '/f/{id}'}", ".file needs \"id\", \"ask\" and \"link\"."),
        ("file: {}", ".file needs \"id\", \"ask\" and \"link\"."),
        ("file: {id: 'f', ask: '/f', link: 'u'}", ".file.ask is \"/f\", expected \"{id}\" in it."),
        (
            "file: {id: 'f', ask: '/f/{id}', link: 'a..b'}",
            ".file.link is \"a..b\", expected names between dots, like \"output.video.url\"."
        ),
        ("file: {id: 'f', aks: '/f/{id}'}", ".file.aks is no fact about a provider. Did you mean \"ask\"?"),
        ("list: 5", ".list is 5, expected {ask, rows, id}."),
        ("list: {ask: '/jobs'}", ".list needs \"ask\", without \"{id}\", and \"rows\"."),
        ("list: {rows: 'data'}", ".list needs \"ask\", without \"{id}\", and \"rows\"."),
        ("list: {ask: '/jobs/{id}', rows: 'data'}", ".list needs \"ask\", without \"{id}\", and \"rows\"."),
        ("list: {ask: '/jobs', row: 'data'}", ".list.row is no fact about a provider. Did you mean \"rows\"?"),
        ("words: 'x'", ".words is \"x\", expected words like {done: \"succeeded\"}."),
        (
            "words: {ready: 1}",
            ".words.ready is 1, expected one of \"cancelled\", \"failed\", \"queued\", \"running\", \"succeeded\"."
        ),
        ("headers: ['x']", ".headers is [\"x\"], expected {name: \"text\"}."),
        ("headers: {'a b': 'x'}", ".headers.a b is no header to send; a key belongs into \"keyFile\"."),
        ("headers: {'': 'x'}", ".headers. is no header to send; a key belongs into \"keyFile\"."),
        ("headers: {a: 5}", ".headers.a is no header to send; a key belongs into \"keyFile\"."),
        ("headers: {a: 'x\\ny: z'}", ".headers.a is no header to send; a key belongs into \"keyFile\"."),
        (
            "headers: {authorization: 'x'}",
            ".headers.authorization is no header to send; a key belongs into \"keyFile\"."
        ),
        ("auth: 5", ".auth is 5, expected text."),
    ])
    func nonsenseOfEachFactIsNamed(facts: String, sentence: String) {
        #expect(Self.sentence(facts) == sentence)
    }

    @Test(arguments: [
        "lifetime: '60s'", "lifetime: '365d'", "pollEvery: '1s'", "pollEvery: '1h'", "patience: '1h'",
        "patience: '30d'",
        "cancel: 'DELETE /jobs/{id}'", "cancel: 'PUT /jobs/{id}'", "cancel: 'POST /all'", "words: {}", "headers: {}",
        "headers: {'X-Version': ''}", "auth: null", "auth: 'Authorization: Key {key}'", "auth: 'X-Key:{key}'",
        "list: {ask: '/jobs', rows: 'data', id: 'job'}", "list: null", "file: null", "words: null", "content: null",
    ])
    func whatMakesSenseIsTaken(facts: String) {
        #expect(Self.sentence(facts) == "loaded")
    }

    /// Of several places the one that makes no sense is named; a value in place of all is, too.
    @Test(arguments: [
        ("result: ['a', 'b..c']", ".result[1] is \"b..c\", expected names between dots, like \"output.video.url\"."),
        ("result: ['a', 5]", ".result[1] is 5, expected text."), ("result: 5", ".result is 5, expected text."),
        ("result: []", " has neither \"result\" nor \"file\" nor \"content\": where is the video?"),
        ("result: 'a', ask: 5", ".ask is 5, expected text."), ("result: 'a', ask: null", " has no \"ask\"."),
        (
            "result: 'a', ask: '/{id}/{id}'",
            ".ask is \"/{id}/{id}\", expected a path below the url, like \"/jobs/{id}\"."
        ),
        (
            "result: 'a', ask: '/{id}', keyFile: 'x'",
            ".keyFile names no file: expected an absolute path, or one that begins with ~/. The key itself belongs into that file."
        ),
    ])
    func theResultAndTheQuestionAreNeeded(facts: String, sentence: String) {
        let whole = SettingSourcesTests.failure(
            of: Self.sources("url: 'https://a.example', \(facts.contains("ask:") ? "" : "ask: '/{id}', ")\(facts)"))
        #expect(whole.hasSuffix("profiles.default.providers.studio" + sentence), "\(whole)")
    }

    /// A provider's name is a variable's part and a folder's name; what has no facts is a misspelled setting.
    @Test(arguments: [
        ("studio2", true), (String(repeating: "a", count: 32), true), (String(repeating: "a", count: 33), false),
        ("Studio", false), ("my-studio", false), ("table", false), ("", false),
    ])
    func aProvidersNameIsLettersAndDigits(name: String, isTaken: Bool) {
        var sources = SettingSources(home: "/home/ada")
        sources.file = SettingSourcesTests.file("{profiles: {default: {providers: {'\(name)': {\(Self.studio)}}}}}")
        #expect((SettingSourcesTests.failure(of: sources) == "loaded") == isTaken)
    }

    @Test func aMisspelledProviderIsNoneOfTheUsersOwn() {
        var sources = SettingSources(home: "/home/ada")
        sources.file = SettingSourcesTests.file("{profiles: {default: {providers: {replicat: {keyFile: '/k'}}}}}")
        #expect(
            SettingSourcesTests.failure(of: sources)
                == "/c.json5: profiles.default.providers.replicat is not a setting. Did you mean \"providers.replicate\"?"
        )
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
