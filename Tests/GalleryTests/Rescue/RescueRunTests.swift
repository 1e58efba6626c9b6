import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import ProviderServer
import Providers
import Records
import Rescue
import Roots
import Serving
import TestSupport
import Testing

/// Rescues from the link to the receipt, over real sockets.
@Suite struct RescueRunTests {
    @Test func aLinkIsStoredWithItsSidecar() async throws {
        try await Studio.with { studio in
            let movie = Reels.media()
            let link = studio.server.add(movie, signedAt: Date())
            let (listing, ending) = try await studio.rescue(link)
            #expect(ending == .done && listing.rows.map(\.state) == ["stored"])
            let file = try #require(try studio.jobs().first?.files.first)
            let path = try #require(file.path)
            #expect(try studio.files() == [path.display, path.display.replacing(".mp4", with: ".json")].sorted())
            let objects = try await studio.fixture.objects()
            #expect(objects[file.objectKey ?? ""] == movie.bytes && file.objectKey == "generated/" + path.display)
            #expect(file.storedURL?.hasSuffix("/object/authenticated/media/generated/" + path.display) == true)
            #expect(file.contentType == "video/mp4" && file.bytes == 2_000 && file.result?.provider.rawValue == "link")
        }
    }

    @Test func aJobThatIsNamedTwiceIsFollowedOnce() async throws {
        try await Studio.with { studio in
            let (one, other) = (studio.add(.fal, "a", Reels.media()), studio.add(.fal, "b", Reels.media(seed: 2)))
            let (named, again, known) = try await studio.fixture.run(.steering) { agent in
                let orders = agent.jobOrders
                return (
                    try await orders.add([one, other, one]).map(\.id), try await orders.add([other]).map(\.id),
                    await orders.all().map(\.id)
                )
            }
            #expect(named.count == 2 && again == [named[1]] && known == named)
        }
    }

    @Test func soundAndPicturesOfAJobAreStoredToo() async throws {
        try await Studio.with { studio in
            let sound = MadeMedia("audio.mp3", "audio/mpeg", Array("ID3".utf8) + [UInt8](repeating: 7, count: 900))
            let reference = studio.add(.replicate, "a", sound)
            let ending = try await studio.fixture.run { agent in
                _ = try await agent.jobOrders.add(reference)
                return try await agent.rescue(RescueOrder(.known)).ending
            }
            #expect(ending == .done)
            let objects = try await studio.fixture.objects()
            #expect(objects["generated/" + (try studio.files().last { $0.hasSuffix(".mp3") } ?? "")] == sound.bytes)
        }
    }

    @Test func aSecondRunAsksForNothingAndSaysItIsDone() async throws {
        try await Studio.with { studio in
            let link = studio.server.add(Reels.media())
            _ = try await studio.rescue(link)
            let asked = studio.server.log.count
            let (listing, ending) = try await studio.rescue(link + "?sig=anew")
            #expect(ending == .done && listing.rows.map(\.state) == ["stored"])
            #expect(studio.server.log.count == asked)
        }
    }

    @Test func aLinkToAFileThatAJobBroughtIsNotFetchedAgain() async throws {
        try await Studio.with { studio in
            let reference = studio.add(.fal, "a", Reels.media())
            _ = try await studio.fixture.run { agent in
                _ = try await agent.jobOrders.add(reference)
                return try await agent.rescue(RescueOrder(.known)).ending
            }
            let link = try #require(try studio.jobs().first?.files.first?.identity)
            let asked = studio.server.log.count
            let (listing, ending) = try await studio.rescue(link + "?sig=anew")
            #expect(ending == .done && listing.rows.map(\.job) == ["fal:a"] && listing.rows.map(\.state) == ["stored"])
            #expect(studio.server.log.count == asked)
            #expect(try await studio.fixture.objects().values.count { $0 == Reels.movie() } == 1)
        }
    }

    /// What the listing requested is recorded, and no provider is asked for it again.
    @Test(arguments: [ProviderName.fal, .openAI])
    func whatAListingFoundIsNotAskedForTwice(site: ProviderName) async throws {
        try await Studio.with { studio in
            for name in ["a", "b"] { studio.add(site, name, Reels.media(seed: UInt64(name.utf8.first ?? 0))) }
            let dry = RescueOrder(.provider(site, since: nil), dryRun: true)
            _ = try await studio.fixture.run(.steering) { try await $0.rescuePlan(dry) }
            #expect(try studio.jobs().isEmpty)
            let before = studio.server.log.count
            let order = RescueOrder(.provider(site, since: nil))
            let listing = try await studio.fixture.run(.steering) { try await $0.rescuePlan(order) }
            #expect(listing.rows.map(\.state) == ["new", "new"] && listing.rows.allSatisfy { $0.size == 2_000 })
            let (result, ending) = try await studio.rescue(.jobs(listing.jobs))
            #expect(ending == .done && result.rows.map(\.state) == ["stored", "stored"])
            let asked = studio.server.log.dropFirst(before).filter { $0.headers["range"] == nil }
            #expect(Set(asked.map { "\($0.method) \($0.path)" }).count == asked.count, "\(asked.map(\.path))")
        }
    }

    @Test func jobsOfEveryProviderAreFollowedToStorage() async throws {
        try await Studio.with { studio in
            let references = ProviderName.all.enumerated().map { number, site in
                studio.add(site, "a", Reels.media(seed: UInt64(number)), running: 1)
            }
            let ending = try await studio.fixture.run { agent in
                for reference in references { _ = try await agent.jobOrders.add(reference) }
                return try await agent.rescue(RescueOrder(.known)).ending
            }
            #expect(ending == .done)
            let jobs = try studio.jobs()
            #expect(jobs.count == ProviderName.all.count)
            for job in jobs { #expect(job.isStored, "\(job)") }
            #expect(try await studio.fixture.objects().count == ProviderName.all.count)
        }
    }

    /// Otherwise a job would name an object of the former destination for ever, and the links to it would not be renewed.
    @Test(arguments: [true, false])
    func whatWasRescuedIsStoredAtTheNextDestinationToo(isStillHere: Bool) async throws {
        try await Studio.with { studio in
            _ = try await studio.rescue(studio.server.add(Reels.media(seed: 2, name: "b.mp4"), signedAt: Date()))
            let before = try #require(try studio.jobs().first?.files.first)
            let former = try #require(before.objectKey)
            if !isStillHere {
                let path = try #require(before.path)
                _ = try Directory(studio.fixture.locations.state.appending("generated")).remove(file: path)
            }
            _ = try await FormerDestination.forget(in: studio.fixture.locations, at: Date())
            var next = studio
            next.fixture.prefix = "next"
            // A pass may end once the file is stored, before its job says so; the next one goes on.
            try await eventually("the job says where its file is") { [next] in
                _ = try await next.fixture.sync()
                return try next.jobs().first?.files.first?.stage == .stored
            }
            let after = try #require(try next.jobs().first?.files.first)
            #expect(after.stage == .stored && after.objectKey == (isStillHere ? "next/" : "") + former)
            #expect(try await next.fixture.objects().keys.contains("next/" + former) == isStillHere)
        }
    }
}
