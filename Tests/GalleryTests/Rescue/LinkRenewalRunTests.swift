import Catalog
import Configuration
import Fixtures
import Foundation
import Gallery
import ProviderServer
import Providers
import Queue
import Records
import Rescue
import Supabase
import TestSupport
import Testing
import Transfer

/// Links that end before the file is here, at the providers' stand-ins.
@Suite struct LinkRenewalRunTests {
    static let renewing: [ProviderName] = [.fal, .rendio, .gemini, .openAI, .runway, .luma, .replicate]

    /// Whatever the link answers when it has ended, another one is asked for; the host was away past the deadline.
    @Test(arguments: renewing, [401, 403, 404, 410])
    func aLinkThatEndedIsHadAgain(site: ProviderName, status: Int) async throws {
        try await Studio.with { studio in
            let own = [ProviderName.openAI: "/openai/*/content", .gemini: "/gemini/*:download"]
            let path = own[site] ?? RescueTroubleTests.file
            studio.server.set([Trouble(.status(status), path: path, times: 1)])
            let job = try await RescueTroubleTests.follow(site, studio)
            #expect(job.isStored, "\(job)")
        }
    }

    @Test func aLinkWhoseTimeRanOutWhileTheHostWasAwayIsHadAgain() async throws {
        try await Studio.with { studio in
            var studio = studio
            let reference = studio.add(.runway, "a", Reels.media())
            // The link is learned, then two days pass without a line.
            studio.server.set([Trouble(.dropped, path: RescueTroubleTests.file)])
            studio.fixture.settings.retry.base = .seconds(900)
            _ = try await studio.fixture.run { agent in
                _ = try await agent.jobOrders.add(reference)
                return try await agent.rescue(RescueOrder(.known)).ending
            }
            let file = try #require(try studio.jobs().first?.files.first)
            #expect(file.stage == .waiting && file.endedLink == nil)
            let later = Date() + 2 * 86_400
            studio.equip { $0.clock = { max(later, Date() + 2 * 86_400) } }
            let ending = try await studio.rescue(.known).ending
            #expect(try studio.jobs().first?.files.first?.renewals == 1, "\(ending)")
            studio.server.set([])
            #expect(try await studio.rescue(.known).ending == .done)
        }
    }

    @Test func aProviderThatSignsOnceIsAskedAndTheSentenceSaysSo() async throws {
        try await Studio.with { studio in
            studio.server.set([Trouble(.status(403), path: RescueTroubleTests.file)])
            let file = try await RescueTroubleTests.follow(.storyToVideo, studio).files.first
            #expect(file?.stage == .failed && file?.failure?.code == "rescue.expired")
            #expect(file?.failure?.message.contains("storytovideo names the same link again") == true)
        }
    }

    @Test func aLinkOfItsThatIsRefusedInTimeIsTriedAgain() async throws {
        try await Studio.with { studio in
            studio.server.set([Trouble(.status(403), path: RescueTroubleTests.file, times: 2)])
            let file = try await RescueTroubleTests.follow(.storyToVideo, studio).files.first
            #expect(file?.stage == .stored)
        }
    }

    @Test func freshLinksThatAllFailEnd() async throws {
        try await Studio.with { studio in
            studio.server.set([Trouble(.status(403), path: RescueTroubleTests.file)])
            var studio = studio
            studio.fixture.settings.retry.attempts = 3
            let file = try await RescueTroubleTests.follow(.runway, studio).files.first
            #expect(file?.stage == .failed)
            #expect(file?.failure?.message.contains("It failed with 3 fresh links too.") == true)
            let asked = studio.server.log.filter { $0.path.hasPrefix("/runway/") }
            // Once for the job, then for three links; the user's order may come after the first of them.
            #expect((4...5).contains(asked.count))
        }
    }

    @Test func aRowThatTheApplicationSignedAnewIsReadAgain() async throws {
        try await TableRescueTests.with(1) { studio, rows, links in
            var studio = studio
            let fresh = studio.server.add(Reels.media(seed: 0, name: "m100.mp4"), signedAt: Date())
            let old = links[0].replacing("X-Amz-Signature=", with: "X-Amz-Signature=0")
            rows.tables.change { $0["video_jobs"]?[0]["video_url"] = .string(old) }
            studio.equip { $0.rescue.downloads = SigningTransport($0.transport) { rows.resign(old, as: fresh) } }
            let (listing, ending) = try await studio.rescue(.table(TableRescueTests.order))
            #expect(ending == .done && listing.rows.map(\.state) == ["stored"], "\(listing.rows)")
            #expect(
                rows.tables.value["video_jobs"]?[0]["video_url"]?.string?.contains("/object/authenticated/") == true)
        }
    }
}

/// Lets the application sign its rows anew before the first answer.
private struct SigningTransport: Transport {
    let transport: any Transport
    let sign: @Sendable () -> Void

    init(_ transport: any Transport, _ sign: @escaping @Sendable () -> Void) {
        (self.transport, self.sign) = (transport, sign)
    }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let answer = try await transport.send(request)
        sign()
        return answer
    }
}

extension RowServer {
    fileprivate func resign(_ old: String, as fresh: String) {
        tables.change { tables in
            guard tables["video_jobs"]?[0]["video_url"] == .string(old) else { return }
            tables["video_jobs"]?[0]["video_url"] = .string(fresh)
        }
    }
}
