import Catalog
import Configuration
import Control
import Fixtures
import Foundation
import Gallery
import Platform
import ProviderServer
import Providers
import Queue
import Records
import Rescue
import Roots
import Serving
import Supabase
import TestSupport
import Testing

/// Rescues from providers with the usual faults.
@Suite struct RescueTroubleTests {
    static let file = "/files/*"

    /// Follows a job at `site` to its end; returns the job.
    static func follow(_ site: ProviderName, _ studio: Studio, _ media: MadeMedia = Reels.media()) async throws -> Job {
        let reference = studio.add(site, "a", media)
        _ = try await studio.fixture.run { agent in
            let job = try await agent.jobOrders.add(reference)
            // To name it as known would ask for it once more, and then its link is tried again in place of another.
            return try await agent.rescue(RescueOrder(.jobs([job.id]))).ending
        }
        return try #require(try studio.jobs().first)
    }

    @Test(arguments: [
        Trouble(.status(503, retryAfter: 0), path: file, times: 2), Trouble(.dropped, path: file, times: 2),
        Trouble(.cut(after: 500), path: file, times: 2), Trouble(.status(429), path: file, times: 1),
        Trouble(.instead(contentType: "text/html", "<html>Please wait"), path: file, times: 4),
        Trouble(.shortened(to: 700), path: file, times: 1), Trouble(.status(500), path: "/fal/*", times: 3),
        Trouble(.dropped, path: "/fal/*", times: 3), Trouble(.lostAnswer, path: "/fal/*", times: 3),
    ])
    func whatPassesStopsNothing(trouble: Trouble) async throws {
        try await Studio.with { studio in
            studio.server.set([trouble])
            let job = try await Self.follow(.fal, studio)
            #expect(job.isStored, "\(job)")
            #expect(try await studio.fixture.objects().values.contains(Reels.movie()))
        }
    }

    @Test(arguments: [
        (
            Trouble(.instead(contentType: "text/html", "<html>Sign in"), path: file), FailureCode.rescue(.notVideo),
            "HTML (<html>Sign in)"
        ),
        (Trouble(.instead(contentType: "application/json", #"{"a":1}"#), path: file), "rescue.notVideo", "JSON"),
        (Trouble(.shortened(to: 700), path: file), "rescue.truncated", "700 bytes came, it speaks of 2000"),
        (Trouble(.status(404), path: file), "rescue.expired", "HTTP 404"),
        (Trouble(.status(503), path: file), "http.503", "HTTP 503"),
        (Trouble(.status(400), path: file), "http.400", "400"),
    ])
    func whatStaysIsSaid(_ row: (trouble: Trouble, code: FailureCode, words: String)) async throws {
        try await Studio.with { studio in
            studio.server.set([row.trouble])
            var studio = studio
            studio.fixture.settings.retry.attempts = 3
            let file = try await Self.follow(.fal, studio).files.first
            #expect(file?.stage == .failed && file?.failure?.code == row.code)
            #expect(file?.failure?.message.contains(row.words) == true, "\(file?.failure?.message ?? "")")
            #expect(try studio.files() == [])
        }
    }

    @Test(arguments: [ProviderName.runway, .luma])
    func aLinkThatDiedIsMadeAnewByItsProvider(site: ProviderName) async throws {
        try await Studio.with { studio in
            studio.server.set([Trouble(.status(403), path: Self.file, times: 1)])
            let job = try await Self.follow(site, studio)
            #expect(job.isStored, "\(job)")
            let questions = studio.server.log.filter { $0.path.hasPrefix("/\(site.rawValue)/") }
            #expect(questions.count == 2)
        }
    }

    @Test func aDeadBareLinkHasFailedAtOnce() async throws {
        try await Studio.with { studio in
            let link = studio.server.add(Reels.media(), signedAt: Date() - 7_200, lifetime: 3_600)
            let (listing, ending) = try await studio.rescue(link)
            #expect(ending == .someFailed(1) && listing.rows.first?.note?.contains("kept until") == true)
            #expect(studio.server.log.count == 1)
        }
    }

    @Test func theFilesWithTheLeastTimeComeFirst() async throws {
        try await Studio.with { studio in
            var studio = studio
            studio.equip { $0.rescue.chunk = 500 }
            let lifetimes = [500, 100, 400, 200, 300, 600]
            let links = lifetimes.map { lifetime in
                studio.server.add(
                    Reels.media(seed: UInt64(lifetime), name: "\(lifetime).mp4"), signedAt: Date(), lifetime: lifetime)
            }
            studio.server.set([Trouble(.slow(bytesPerSecond: 40_000), path: Self.file)])
            let order = links.map { RescueLink($0) }
            let ending = try await studio.rescue(.links(order)).ending
            #expect(ending == .done)
            var ends: [String] = []
            for request in studio.server.log where request.headers["range"]?.hasSuffix("-1999") == true {
                ends.append(String(request.path.dropFirst("/files/".count)))
            }
            // Two at a time; a file is never behind one that has more time left.
            let expected = lifetimes.sorted().map { "\($0).mp4" }
            #expect(Set(ends.prefix(2)) == Set(expected.prefix(2)) && Set(ends.suffix(2)) == Set(expected.suffix(2)))
            #expect(try studio.jobs().allSatisfy { $0.isStored })
        }
    }

    @Test func aJobTheUserCancelsIsNotFetched() async throws {
        try await Studio.with { studio in
            let reference = studio.add(.fal, "a", Reels.media(), running: 1_000)
            let job = try await studio.fixture.run { agent in
                let job = try await agent.jobOrders.add(reference)
                return try await agent.jobOrders.cancel(job.id.rawValue)
            }
            #expect(job.isCancelled && job.isSettled)
            #expect(studio.server.job("a", at: .fal)?.stage == .ended)
            #expect(try await studio.rescue(.known).result.rows.isEmpty)
            let refusal = await #expect(throws: Refusal.self) {
                try await studio.fixture.run { try await $0.jobOrders.cancel("fal:none") }
            }
            #expect(refusal?.ending.kind == .someFailed)
            #expect(refusal?.description.contains("There is no job fal:none") == true)
        }
    }

    /// Nothing could ever be asked about it, and it would count as a job that failed.
    @Test func aJobOfFalIsNotAddedWithoutItsModel() async throws {
        try await Studio.with { studio in
            let named = studio.add(.fal, "a", Reels.media())
            let bare = JobReference(.fal, "a")
            let refused = try await studio.fixture.run(.steering) { try await $0.answer(AddJobsOrder([bare])) }
            #expect(refused.ending.kind == .usage && refused.ending.description.contains("--model"))
            #expect(try studio.jobs().isEmpty)
            // Once it is known with its model, its id is enough.
            let both = try await studio.fixture.run(.steering) { try await $0.answer(AddJobsOrder([named, bare])) }
            #expect(both.ending == .done)
            #expect(try studio.jobs().map(\.reference) == [named])
        }
    }

    @Test func ofJobsGivenUpNothingIsLeft() async throws {
        try await Studio.with { studio in
            var studio = studio
            studio.equip { $0.rescue.chunk = 800 }
            // The backoff after one refusal exceeds the patience.
            studio.fixture.settings.retry.base = .seconds(900)
            let references = ["a", "b"].map { studio.add(.fal, $0, Reels.media()) }
            studio.server.set([Trouble(.status(503), path: Self.file, sparing: 2)])
            let ids = try await studio.fixture.run { agent in
                let jobs = try await agent.jobOrders.add(references)
                _ = try await agent.rescue(RescueOrder(.known))
                return jobs.map(\.id.rawValue)
            }
            #expect(try studio.files().filter { $0.hasSuffix(".part") }.isEmpty == false)
            let refused = try await studio.fixture.run(.steering) { agent in
                try await agent.answer(CancelJobsOrder(ids + ["fal:none"]))
            }
            #expect(refused.ending != .done)
            #expect(try studio.jobs().allSatisfy { !$0.isCancelled })
            let reply = try await studio.fixture.run(.steering) { try await $0.answer(CancelJobsOrder(ids)) }
            #expect(reply.ending == .done && reply.answer?.map(\.isCancelled) == [true, true])
            #expect(try studio.files() == [])
        }
    }

    @Test func aPausedQueueStopsNoRescue() async throws {
        try await Studio.with { studio in
            let link = studio.server.add(Reels.media())
            try await studio.fixture.run(.steering) { try await $0.pause() }
            let (listing, ending) = try await studio.rescue(link)
            #expect(listing.rows.map(\.state) == ["safe"])
            guard case .temporary(let words) = ending else {
                Issue.record("\(ending)")
                return
            }
            #expect(words.contains("paused"))
            try await studio.fixture.run(.steering) { try await $0.resume() }
            #expect(try await studio.rescue(link).ending == .done)
        }
    }

    @Test func aDestinationThatIsRefusedStopsNoRescueEither() async throws {
        try await Studio.with { studio in
            let link = studio.server.add(Reels.media())
            try await studio.fixture.storage.createBucket("media", .init(isPublic: true))
            let (listing, ending) = try await studio.rescue(link)
            #expect(listing.rows.map(\.state) == ["safe"])
            guard case .needsHuman = ending else {
                Issue.record("\(ending)")
                return
            }
            #expect(try await studio.fixture.objects().isEmpty)
        }
    }
}
