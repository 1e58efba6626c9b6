import Configuration
import Output
import Platform
import Providers
import TestSupport
import Testing
import Transfer

@testable import CommandLine
@testable import GallerySync

@Suite struct ProviderSitesTests {
    /// The names of the providers that are configured by `settings` (`--set` texts) and the environment.
    static func names(_ settings: [String], _ environment: [String: String]) throws -> Set<String> {
        let overrides = settings.map { text in
            let parts = text.split(separator: "=", maxSplits: 1)
            return SettingOverride(String(parts[0]), .text(String(parts[1])), from: .flag("--set"))
        }
        var sources = SettingSources(home: "/home/u")
        sources.overrides = overrides
        let client = HTTPClient()
        defer { client.close() }
        let sites = ProviderSites(
            settings: try sources.load().settings, environment: environment, user: Host.userID, transport: client)
        return Set(try sites.all().keys.map(\.rawValue))
    }

    @Test(
        arguments: [
            ("nothing", [], [:], []),
            ("a key alone", [], ["GALLERY_SYNC_FAL_KEY": "k"], ["fal"]),
            (
                "each key that needs no address", [],
                [
                    "GALLERY_SYNC_FAL_KEY": "k", "GALLERY_SYNC_GEMINI_KEY": "k", "GALLERY_SYNC_RUNWAY_KEY": "k",
                    "GALLERY_SYNC_LUMA_KEY": "k", "GALLERY_SYNC_REPLICATE_KEY": "k",
                ], ["fal", "gemini", "runway", "luma", "replicate"]
            ),
            ("a key that needs an address", [], ["GALLERY_SYNC_RENDIO_KEY": "k", "GALLERY_SYNC_OPENAI_KEY": "k"], []),
            (
                "with its address", ["providers.rendio.url=https://abc.supabase.co"], ["GALLERY_SYNC_RENDIO_KEY": "k"],
                ["rendio"]
            ),
            ("an address without its key", ["providers.openai.url=https://gate.example/v1"], [:], []),
            ("StoryToVideo asks for no key", ["providers.storytovideo.url=http://studio:8080"], [:], ["storytovideo"]),
            ("an empty key is none", [], ["GALLERY_SYNC_FAL_KEY": ""], []),
        ] as [(String, [String], [String: String], [String])])
    func whoIsConfigured(_ row: (why: String, settings: [String], environment: [String: String], names: [String]))
        throws
    {
        #expect(try Self.names(row.settings, row.environment) == Set(row.names), "\(row.why)")
    }

    @Test(arguments: [
        (
            ProviderName.fal,
            "fal is not configured: set GALLERY_SYNC_FAL_KEY, or name a file with providers.fal.keyFile."
        ),
        (.storyToVideo, "storytovideo is not configured: set providers.storytovideo.url to its address."),
        (
            .openAI,
            "openai is not configured: set providers.openai.url to its address, and set GALLERY_SYNC_OPENAI_KEY, or name a file with providers.openai.keyFile."
        ),
    ])
    func whatIsMissingIsSaid(_ row: (name: ProviderName, sentence: String)) {
        #expect(Settings.Providers.missing(row.name) == row.sentence)
    }

    /// A table stands in a provider's place with `rescue --from` only.
    @Test(arguments: [
        ("jobs add nix 1", false), ("generate nix sunset --prompt dunes", false), ("rescue --from nix", true),
    ])
    func anUnknownProviderIsToldWhatIsKnownThere(line: String, takesTables: Bool) async throws {
        try await CommandFixture.with([:]) { fixture in
            #expect(await fixture.run(line) == .usage)
            let notes = try fixture.notes
            #expect(notes.contains("\"nix\" is no provider. Known are fal, "))
            #expect(notes.contains(", vertex, table.") == takesTables)
            #expect(notes.contains("table") == takesTables)
        }
    }
}
