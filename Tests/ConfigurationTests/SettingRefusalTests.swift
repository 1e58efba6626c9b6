import Configuration
import Platform
import Testing

/// The messages for configurations that the user has to correct.
@Suite struct SettingRefusalTests {
    static let place = "/c.json5: profiles.default."
    static let all =
        "{roots, destination, scan, identify, thumbnails, upload, retry, sync, watch, page, verify, rescue, "
        + "providers, media, report, log}"

    @Test(arguments: [
        ("{upload: {concurency: 3}}", "upload.concurency is not a setting. Did you mean \"upload.concurrency\"?"),
        ("{uplaod: {concurrency: 3}}", "uplaod is not a setting. Did you mean \"upload\"?"),
        ("{limitRate: 5}", "limitRate is not a setting."),
        ("{upload: {concurrency: '4'}}", "upload.concurrency is \"4\", expected a whole number from 1 to 64."),
        ("{upload: {concurrency: 0}}", "upload.concurrency is 0, expected a whole number from 1 to 64."),
        ("{upload: {concurrency: 65}}", "upload.concurrency is 65, expected a whole number from 1 to 64."),
        ("{upload: {concurrency: null}}", "upload.concurrency is null, expected a whole number from 1 to 64."),
        (
            "{upload: 5}",
            "upload is 5, expected {concurrency, minConcurrency, maxConcurrency, smallFileBytes, "
                + "limitRate, cacheFor, connectTimeout, idleTimeout, onForeign, onChange, computer}."
        ),
        (
            "{scan: {settle: 'soon'}}",
            "scan.settle is \"soon\", expected a duration like \"10s\" or \"1h30m\", from 0s to 1d."
        ),
        ("{scan: {settle: -1}}", "scan.settle is -1, expected a duration like \"10s\" or \"1h30m\", from 0s to 1d."),
        (
            "{scan: {interval: 0}}",
            "scan.interval is 0, expected a duration like \"10s\" or \"1h30m\", from 1s to 365d."
        ),
        (
            "{thumbnails: {maxBytes: '1 kB'}}",
            "thumbnails.maxBytes is \"1 kB\", expected a size like \"200 kB\" or \"6 MiB\", from 4 kB to 20 MB."
        ),
        (
            "{thumbnails: {sizes: [512, 'big']}}",
            "thumbnails.sizes[1] is \"big\", expected a whole number from 16 to 4096."
        ),
        (
            "{thumbnails: {sizes: 512}}",
            "thumbnails.sizes is 512, expected a list, each a whole number from 16 to 4096."
        ),
        (
            "{roots: ['Pictures']}",
            "roots[0] is \"Pictures\", expected an absolute path, or one that begins with ~/."
        ),
        ("{roots: [{name: 'A'}]}", "roots[0] has no \"path\"."),
        (
            "{roots: [{path: '/a', nmae: 'A'}]}",
            "roots[0].nmae is not a setting of a root. Did you mean \"name\"?"
        ),
        (
            "{roots: [{path: '/a', name: 'a/b'}]}",
            "roots[0].name is \"a/b\", expected a name without \"/\" that does not begin with a dot."
        ),
        (
            "{roots: [{path: '/a', ignore: ['/x']}]}",
            "roots[0].ignore[0] is \"/x\", expected a name or path below a root, like \"*.tmp\" or \"Cache/**\"."
        ),
        (
            "{destination: {url: 'a.example'}}",
            "destination.url is \"a.example\", expected an address like \"https://abc.supabase.co\", "
                + "without user, query or fragment."
        ),
        (
            "{destination: {url: 'https://u:p@a.example'}}",
            "destination.url is \"https://u:p@a.example\", "
                + "expected an address like \"https://abc.supabase.co\", without user, query or fragment."
        ),
        (
            "{destination: {bucket: 'a b'}}",
            "destination.bucket is \"a b\", expected a name of 1 to 100 letters, digits, \".\", \"-\" or \"_\"."
        ),
        (
            "{destination: {prefix: '/a'}}",
            "destination.prefix is \"/a\", expected segments like \"backup/laptop\" of letters, digits, "
                + "\".\", \"-\" or \"_\"."
        ),
        (
            "{upload: {onForeign: 'keepBoth'}}",
            "upload.onForeign is \"keepBoth\", expected one of \"keep-both\", \"fail\", \"replace\"."
        ),
        (
            "{log: {level: 3}}",
            "log.level is 3, expected one of \"error\", \"warning\", \"info\", \"debug\", \"trace\"."
        ),
        ("{retry: {factor: 'x'}}", "retry.factor is \"x\", expected a number from 1.0 to 100.0."),
        (
            "{'upload.onForeign': 'fail', upload: {onForeign: 'replace'}}",
            "upload.onForeign is set twice, as \"upload.onForeign\" and inside its group; keep one."
        ),
        ("{watch: {polite: 'yes'}}", "watch.polite is \"yes\", expected true or false."),
        ("[]", "profiles.default is [], expected \(all)."), ("1e300", "profiles.default is 1e+300, expected \(all)."),
    ])
    func ofTheFile(_ body: String, _ sentence: String) {
        var sources = SettingSources(home: "/home/ada")
        sources.file = SettingSourcesTests.file("{profiles: {default: \(body)}}")
        let expected = sentence.hasPrefix("profiles.") ? "/c.json5: " + sentence : Self.place + sentence
        #expect(SettingSourcesTests.failure(of: sources) == expected)
    }

    /// A pattern that can match nothing would leave out nothing, and what it speaks of would be sent.
    @Test(arguments: ["/x", "./x", "../x", "x/../y", "x//y", "~/Pictures/x", "", "/", ".", "x//"])
    func ofPatternsThatMatchNothing(_ pattern: String) {
        var sources = SettingSources(home: "/home/ada")
        sources.file = SettingSourcesTests.file("{profiles: {default: {scan: {ignore: ['\(pattern)']}}}}")
        #expect(
            SettingSourcesTests.failure(of: sources) == Self.place + "scan.ignore[0] is \"\(pattern)\", "
                + "expected a name or path below a root, like \"*.tmp\" or \"Cache/**\".")
    }

    @Test(arguments: ["x", "x/", "x/**", "**/x", "*~", "~x/y", "...", "x/.y", " x"])
    func ofNoPatternThatMatchesSomething(_ pattern: String) {
        var sources = SettingSources(home: "/home/ada")
        sources.file = SettingSourcesTests.file("{profiles: {default: {scan: {ignore: ['\(pattern)']}}}}")
        #expect(SettingSourcesTests.failure(of: sources) == "loaded")
    }

    @Test(arguments: [
        (
            "{upload: {minConcurrency: 5, maxConcurrency: 3}}",
            "upload.minConcurrency is above upload.maxConcurrency (3)."
        ),
        ("{upload: {concurrency: 9}}", "upload.concurrency is 9, not between 2 and 8."),
        ("{retry: {base: '2h', cap: '1h'}}", "retry.cap is below retry.base (2h)."),
        (
            "{destination: {local: true, url: 'https://a.example'}}",
            "destination.local and destination.url are both set; choose one."
        ),
        ("{thumbnails: {sizes: [512, 512]}}", "thumbnails.sizes names a size twice."),
        (
            "{thumbnails: {sizes: []}}",
            "thumbnails.sizes is empty; to make none, set thumbnails.enabled to false."
        ),
        ("{roots: ['/a', '/a/']}", "roots[1] names /a a second time."),
        ("{roots: ['/a/b', '/a']}", "roots[0] /a/b lies inside the root /a."),
        ("{roots: [{path: '/a', name: 'x'}, {path: '/b', name: 'x'}]}", "roots[1].name is \"x\", as another root's."),
    ])
    func ofContradictions(_ body: String, _ sentence: String) {
        var sources = SettingSources(home: "/home/ada")
        sources.file = SettingSourcesTests.file("{profiles: {default: \(body)}}")
        #expect(SettingSourcesTests.failure(of: sources) == "/c.json5: " + sentence)
    }

    @Test(arguments: [
        (
            "GALLERY_SYNC_UPLOAD_LIMITRATE", "5",
            " is not a setting. Did you mean \"GALLERY_SYNC_UPLOAD_LIMIT_RATE\"?"
        ),
        ("GALLERY_SYNC_KEYY", "5", " is not a setting. Did you mean \"GALLERY_SYNC_KEY\"?"),
        (
            "GALLERY_SYNC_RETRY_ATTEMPTS", "many",
            " is \"many\", expected a whole number from 1 to 1000."
        ),
        (
            "GALLERY_SYNC_THUMBNAILS_SIZES", "512,big",
            "[1] is \"big\", expected a whole number from 16 to 4096."
        ),
    ])
    func ofVariables(_ variable: String, _ text: String, _ sentence: String) {
        var sources = SettingSources(home: "/home/ada")
        sources.environment = [variable: text]
        #expect(SettingSourcesTests.failure(of: sources) == variable + sentence)
    }

    @Test(
        arguments: [
            ("[]", nil, "/c.json5 is [], expected {profiles: {default: {…}}}."),
            ("{roots: []}", nil, "/c.json5: roots is not known here; settings belong below profiles.default."),
            ("{profiles: 3}", nil, "/c.json5: profiles is 3, expected {default: {…}}."),
            ("", nil, "/c.json5 is empty, expected {profiles: {default: {}}}."),
            (
                "{profiles: {\n  default: {\n    retry: {attempts: 3}\n    sync: {}\n  }}}", nil,
                "/c.json5 is not valid JSON5, line 3: a comma is missing."
            ),
            (
                "{profiles: {default: {\n  roots: ['/old'],\n  // added\n  roots: ['/new']}}}", nil,
                "/c.json5 has profiles.default.roots twice, in lines 2 and 4; keep one."
            ),
            (
                "{profiles: {default: {upload: {\n concurrency: 2,\n \"concurrency\": 3}}}}", nil,
                "/c.json5 has profiles.default.upload.concurrency twice, in lines 2 and 3; keep one."
            ),
            (
                "{profiles: {default: {},\n default: {roots: []}}}", nil,
                "/c.json5 has profiles.default twice, in lines 1 and 2; keep one."
            ),
            (
                "{profiles: {nas: {roots: [{path: '/a',\n path: '/b'}]}}}", nil,
                "/c.json5 has profiles.nas.roots[0].path twice, in lines 1 and 2; keep one."
            ),
            (
                "{profiles: {default: {}, nas: {}}}", "nsa",
                "/c.json5 has no profile \"nsa\"; it has \"default\", \"nas\"."
            ),
            (
                nil, "nas",
                "--profile nas has no configuration yet. Run \"gallery-sync init --profile nas\"."
            ),
        ] as [(String?, String?, String)])
    func ofTheWholeFile(_ row: (text: String?, profile: String?, sentence: String)) {
        var sources = SettingSources(home: "/home/ada")
        sources.file = row.text.map(SettingSourcesTests.file)
        sources.profile = row.profile ?? sources.profile
        #expect(SettingSourcesTests.failure(of: sources) == row.sentence)
    }
}
