import Catalog
import Configuration
import Foundation
import Platform
import Records
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing
import Text
import Transfer

@testable import Gallery
@testable import Rescue

/// What rows get in place of a provider's link, and how that stays a link that works.
@Suite struct RowLinkRunTests {
    private static let day = 86_400.0

    /// A studio with one row, whose signed link works for a week, and the requests to sign.
    private static func with(
        _ kind: Settings.RowLinkKind, count: Int = 1,
        _ body: (Studio, RowServer, Shared<Int>) async throws -> Void
    ) async throws {
        try await TableRescueTests.with(count) { studio, rows, _ in
            var studio = studio
            studio.fixture.settings.rescue.table.link = kind
            let signings = Shared(0)
            studio.fixture.faults.change { faults in
                faults = { request in
                    if request.path.hasSuffix("/object/sign/media") { signings.change { $0 += 1 } }
                    return nil
                }
            }
            try await body(studio, rows, signings)
        }
    }

    /// The same studio `seconds` later; the server's own clock does not move.
    private static func later(_ seconds: Double, _ studio: Studio) -> Studio {
        var studio = studio
        studio.equip { $0.time = DateClock { Date() + seconds } }
        return studio
    }

    /// What anyone gets from a link, without a key.
    private static func status(_ url: String, _ studio: Studio) async throws -> Int {
        var request = HTTPRequest(.get, url, answer: .memory(limit: 64 << 20))
        request.unixSocket = studio.fixture.server.socket
        return try await studio.fixture.client.send(request).status
    }

    @Test func aSignedLinkInARowWorksWithoutAKey() async throws {
        try await Self.with(.signed) { studio, rows, signings in
            _ = try await studio.rescue(.table(TableRescueTests.order))
            let url = rows.column("video_url")[0]
            #expect(url.contains("/object/sign/media/generated/"))
            #expect(try await Self.status(url, studio) == 200)
            #expect(signings.value == 1)
            let file = try #require(try studio.jobs()[0].files.first)
            #expect(file.rowLink?.url == url && file.rowLink?.held == [] && file.keepsRowLink)
        }
    }

    @Test func anAddressInARowAnswersOnlyToAKey() async throws {
        try await Self.with(.path) { studio, rows, signings in
            _ = try await studio.rescue(.table(TableRescueTests.order))
            #expect(try await Self.status(rows.column("video_url")[0], studio) == 400)
            #expect(try studio.jobs()[0].files[0].rowLink == nil && signings.value == 0)
        }
    }

    @Test func publicLinksAreRefusedWhileTheBucketIsPrivate() async throws {
        try await Self.with(.public) { studio, rows, _ in
            try await studio.fixture.storage.createBucket("media", BucketSettings(isPublic: false))
            let before = rows.column("video_url")
            let refusal = await #expect(throws: Refusal.self) {
                try await studio.rescue(.table(TableRescueTests.order))
            }
            #expect(refusal?.ending == .needsHuman(Settings.RescueTable.privateBucket("media")))
            #expect(try studio.jobs().isEmpty && rows.column("video_url") == before)
        }
    }

    @Test func aPublicLinkWorksInAPublicBucket() async throws {
        try await Self.with(.public) { studio, rows, _ in
            var studio = studio
            studio.fixture.settings.destination.allowPublicBucket = true
            try await studio.fixture.storage.createBucket("media", BucketSettings(isPublic: true))
            _ = try await studio.rescue(.table(TableRescueTests.order))
            #expect(try await Self.status(rows.column("video_url")[0], studio) == 200)
        }
    }

    @Test func aWatchThatStartsLaterRenewsAllLinksWithOneRequest() async throws {
        try await Self.with(.signed, count: 3) { studio, rows, signings in
            _ = try await studio.rescue(.table(TableRescueTests.order))
            let first = try studio.jobs().compactMap { $0.files[0].rowLink?.term?.start }
            signings.change { $0 = 0 }
            let early = try await Self.later(3.4 * Self.day, studio).fixture.run(.watch) { agent in
                try await agent.rescuer.renewRowLinks()
            }
            #expect(signings.value == 0 && early.timeIntervalSinceNow > 3.4 * Self.day, "they are not due yet")
            try await Self.later(3.6 * Self.day, studio).fixture.run(.watch) { agent in
                try await eventually("all rows have their new links") {
                    let files = await agent.rescuer.registry.all().map { $0.files[0] }
                    return files.allSatisfy(\.keepsRowLink)
                        && files.allSatisfy { $0.rowLink?.term?.start.timeIntervalSinceNow ?? 0 > Self.day }
                }
            }
            let links = try studio.jobs().compactMap { $0.files[0].rowLink }
            #expect(first.count == 3 && signings.value == 1)
            #expect(rows.column("video_url").sorted() == links.map(\.url).sorted() && links.allSatisfy(\.held.isEmpty))
        }
    }

    /// Ends after the links were signed and recorded: the next run writes them.
    @Test(arguments: [nil, RowServer.refusal(503, "PGRST000", "no database")])
    func aRunThatIsCutOffLosesNoRenewal(refusal: Response?) async throws {
        try await Self.with(.signed) { studio, rows, signings in
            _ = try await studio.rescue(.table(TableRescueTests.order))
            let old = rows.column("video_url")
            // The service's clock stands, so a link of another length shows which one it is.
            var next = Self.later(4 * Self.day, studio)
            next.fixture.settings.rescue.table.linkTime = .seconds(8 * 86_400)
            _ = try await next.fixture.run(.steering) { try await $0.rescuer.renewRowLinks() }
            #expect(rows.column("video_url") == old && signings.value == 2)
            rows.refusals.change { $0 = [refusal] }
            try await Self.later(4 * Self.day + 60, next).fixture.run(.watch) { agent in
                try await eventually("the row has its new link") {
                    await agent.rescuer.registry.all().allSatisfy { $0.files[0].keepsRowLink }
                }
            }
            #expect(signings.value == 2 && rows.column("video_url") != old)
            #expect(try await Self.status(rows.column("video_url")[0], studio) == 200)
        }
    }

    @Test func aRowThatWasEditedMeanwhileIsLeftAndNotRenewedAgain() async throws {
        try await Self.with(.signed) { studio, rows, signings in
            _ = try await studio.rescue(.table(TableRescueTests.order))
            rows.edit(rows.column("video_url")[0], to: "https://elsewhere.example/mine.mp4")
            try await Self.later(4 * Self.day, studio).fixture.run(.watch) { agent in
                try await eventually("the row is left") {
                    await agent.rescuer.registry.all()[0].files[0].row == .left("it holds another link now")
                }
                _ = try await agent.rescuer.renewRowLinks()
            }
            #expect(rows.column("video_url") == ["https://elsewhere.example/mine.mp4"] && signings.value == 2)
            #expect(try studio.jobs()[0].files[0].rowLink == nil)
        }
    }

    @Test func whileLinksCannotBeSignedTheOldOnesStay() async throws {
        try await Self.with(.signed) { studio, rows, _ in
            _ = try await studio.rescue(.table(TableRescueTests.order))
            let (old, jobs) = (rows.column("video_url"), try studio.jobs())
            studio.fixture.faults.change {
                $0 = { $0.path.contains("/object/sign/") ? .answer(Response(status: 503)) : nil }
            }
            await #expect(throws: StorageError.self) {
                try await Self.later(4 * Self.day, studio).fixture.run(.steering) {
                    try await $0.rescuer.renewRowLinks()
                }
            }
            #expect(try studio.jobs() == jobs && rows.column("video_url") == old)
        }
    }

    @Test func whereTheSettingChangedTheNextLinkIsOfTheNewKind() async throws {
        try await Self.with(.signed) { studio, rows, _ in
            _ = try await studio.rescue(.table(TableRescueTests.order))
            var next = Self.later(4 * Self.day, studio)
            next.fixture.settings.rescue.table.link = .path
            try await next.fixture.run(.watch) { agent in
                try await eventually("the row has the address") {
                    let file = await agent.rescuer.registry.all()[0].files[0]
                    return file.row == .written && file.rowLink == nil
                }
            }
            #expect(rows.column("video_url") == [try studio.jobs()[0].files[0].storedURL])
        }
    }
}
