import Catalog
import Configuration
import Fixtures
import Foundation
import Gallery
import Platform
import ProviderServer
import Providers
import Records
import Roots
import TestSupport
import Testing
import Transfer

@testable import Queue
@testable import Rescue

/// Hostile links and hosts, over real sockets: a failure with a reason, and no leaked secrets.
@Suite struct RescueSafetyTests {
    /// The failure of the only file, or `nil`.
    static func failure(_ studio: Studio) throws -> Item.Failure? { try studio.jobs().first?.files.first?.failure }

    @Test(arguments: [
        "http://127.0.0.1:9/a.mp4", "https://127.0.0.1/a.mp4", "http://169.254.169.254/latest/meta-data/a.mp4",
        "https://169.254.169.254/a.mp4", "file:///etc/passwd", "https://[::1]/a.mp4", "https://10.0.0.8/a.mp4",
        "https://2130706433/a.mp4", "https://localhost/a.mp4", "https://printer.local/a.mp4", "ftp://cdn.example/a.mp4",
        "http://cdn.example/a.mp4", "https://user:pass@cdn.example/a.mp4",
    ])
    func linksThatLeadInwardsAreRefused(link: String) async throws {
        try await Studio.with { studio in
            let (listing, ending) = try await studio.rescue(link)
            #expect(ending == .someFailed(1) && listing.rows.first?.state == "failed")
            let failure = try Self.failure(studio)
            #expect(failure?.code == "rescue.refused" && failure?.message.isEmpty == false)
            #expect(studio.server.log.isEmpty)
            #expect(try studio.files() == [])
        }
    }

    /// What is typed is refused before there is a job that would be lost.
    @Test(arguments: [false, true])
    func ofTypedLinksNoneIsTakenWhereOneLeadsInwards(isDryRun: Bool) async throws {
        try await Studio.with { studio async throws in
            let links = [studio.server.add(Reels.media()), "http://10.0.0.8/a.mp4"].map { RescueLink($0) }
            let refusal = await #expect(throws: Refusal.self) {
                try await studio.fixture.run(.steering) {
                    try await $0.rescuePlan(RescueOrder(.links(links), dryRun: isDryRun))
                }
            }
            #expect(refusal?.ending.kind == .someFailed)
            #expect(refusal?.description.hasPrefix("http://10.0.0.8/a.mp4: The link is http://, which is") == true)
            #expect(try studio.jobs().isEmpty)
            #expect(studio.server.log.isEmpty)
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:%/secret", "http://169.254.169.254/latest/meta-data", "https://127.0.0.1:%/secret",
        "file:///etc/passwd", "//127.0.0.1:%/secret", "gopher://127.0.0.1:%/",
    ])
    func redirectsThatLeadInwardsAreRefused(target: String) async throws {
        let heard = Shared(0)
        let inner = try RawServer { connection in
            heard.change { $0 += 1 }
            connection.answer()
        }
        let target = target.replacing("%", with: "\(inner.port)")
        try await Studio.with { studio in
            var studio = studio
            studio.fixture.settings.retry.attempts = 2
            let link = studio.server.add(Reels.media())
            studio.server.set([Trouble(.redirect(to: target), path: "/files/*")])
            let (_, ending) = try await studio.rescue(link)
            #expect(ending == .someFailed(1))
            #expect(try Self.failure(studio)?.code == "rescue.refused")
            #expect(studio.server.log.count == 2)
        }
        #expect(heard.value == 0)
    }

    /// The first wait is longer than any patience; the settings may have changed with the start.
    @Test func aRedirectThatWasRefusedIsTriedAtTheNextStart() async throws {
        try await Studio.with { studio in
            var studio = studio
            studio.fixture.settings.retry.base = .seconds(900)
            let link = studio.server.add(Reels.media())
            studio.server.set([Trouble(.redirect(to: "http://portal.example/login"), path: "/files/*", times: 1)])
            let (listing, ending) = try await studio.rescue(link)
            let words = ending.description
            #expect(ending.kind == .temporary && words.contains("only to the addresses in rescue.origins"), "\(words)")
            #expect(listing.rows.map(\.state) == ["waiting"])
            // Named so, nothing is asked for once more: what is due is what the start has made due.
            #expect(try await studio.rescue(.jobs(listing.jobs)).ending == .done)
        }
    }

    @Test func aRedirectToWhereFilesMayComeFromIsFollowed() async throws {
        try await Studio.with { studio in
            let link = studio.server.add(Reels.media(name: "moved.mp4"))
            let real = studio.server.add(Reels.media(name: "real.mp4"), signedAt: Date())
            studio.server.set([Trouble(.redirect(to: real), path: "/files/moved.mp4")])
            let ending = try await studio.rescue(link).ending
            #expect(ending == .done)
        }
    }

    @Test func redirectsInCirclesEnd() async throws {
        try await Studio.with { studio in
            var studio = studio
            studio.fixture.settings.retry.attempts = 1
            let link = studio.server.add(Reels.media())
            studio.server.set([Trouble(.redirect(to: "/files/video.mp4"), path: "/files/*")])
            let ending = try await studio.rescue(link).ending
            #expect(ending == .someFailed(1))
            #expect(studio.server.log.count == 6)
        }
    }

    @Test func anAccountsKeyGoesToItsOwnOriginOnly() async throws {
        let asked = Shared<[String]>([])
        let other = try RawServer { connection in
            guard let head = connection.head() else { return }
            asked.change { $0.append("\(head)") }
            connection.answer(403)
        }
        try await Studio.with { studio in
            var studio = studio
            let origin = studio.server.origin
            studio.equip { $0.rescue.linkRules = LinkRules(configured: [origin, other.url]) }
            studio.fixture.settings.retry.attempts = 1
            let reference = studio.add(.openAI, "a", Reels.media())
            studio.server.set([Trouble(.redirect(to: other.url + "/a.mp4"), path: "/openai/*/content")])
            _ = try await studio.fixture.run { agent in
                _ = try await agent.jobOrders.add(reference)
                return try await agent.rescue(RescueOrder(.known)).ending
            }
            // The key was sent to its own origin, and nowhere else.
            #expect(studio.server.log.contains { $0.path.hasSuffix("/content") && $0.contains(studio.server.key) })
            #expect(!asked.value.isEmpty && !asked.value.contains { $0.contains(studio.server.key) })
        }
    }

    @Test(arguments: [
        (Trouble.Effect.announcing(10_000_000_000), "ten gigabytes"), (.endless, "a body without an end"),
    ])
    func bodiesThatAreTooLargeEnd(_ row: (effect: Trouble.Effect, words: String)) async throws {
        try await Studio.with { studio in
            var studio = studio
            let origin = studio.server.origin
            studio.equip { $0.rescue.linkRules = LinkRules(configured: [origin], sizeLimit: 4 << 20) }
            let link = studio.server.add(Reels.media())
            studio.server.set([Trouble(row.effect, path: "/files/*")])
            let ending = try await studio.rescue(link).ending
            #expect(ending == .someFailed(1), "\(row.words)")
            #expect(try Self.failure(studio)?.code == "rescue.tooLarge")
            #expect(try Self.failure(studio)?.message.contains("larger than the") == true)
            #expect(try studio.files() == [])
        }
    }

    @Test func noStateNoSidecarAndNoAnswerHoldsASecret() async throws {
        try await Studio.with { studio in
            let link = studio.server.add(Reels.media(), signedAt: Date())
            let query = try #require(link.split(separator: "?").last.map(String.init))
            let (listing, _) = try await studio.rescue(link)
            #expect(!"\(listing)".contains(query))
            #expect(!"\(await studio.workshopJobs())".contains(query))
            let generated = try studio.fixture.locations.state.appending("generated")
            for name in try studio.files() where name.hasSuffix(".json") {
                let text = String(decoding: try OpenFile(reading: generated.appending(name)).readAll(), as: UTF8.self)
                #expect(!text.contains(query) && text.contains("\"schema\" : \"gallery-sync/rescue/1\""))
            }
        }
    }

    // MARK: Addresses

    @Test func everyRequestJudgesTheAddressItsHostIsAt() async throws {
        try await FileTree().withDirectory { folder in
            let part = try OpenFile(creating: folder.appending("part"))
            let fileHost = FileHostDouble(Reels.movie())
            let rules = LinkRules(configured: ["http://minio.example:9000"])
            let download = Download(transport: fileHost, rules: rules, chunk: 100)
            for link in ["https://cdn.example/a.mp4", "http://minio.example:9000/a.mp4"] {
                _ = try await download.step(
                    of: Job(RescueLink(link), addedAt: Jobs.now).files[0], account: nil, to: part)
            }
            let judges = fileHost.requests.compactMap(\.permitsPeer)
            #expect(judges.count == 2)
            let addresses = ["127.0.0.1", "169.254.169.254", "::1", "fe80::1%eth0", "10.1.2.3", "93.184.216.34"]
            #expect(addresses.map(judges[0]) == [false, false, false, false, false, true])
            #expect(addresses.map(judges[1]) == [true, true, true, true, true, true])
        }
    }
}
