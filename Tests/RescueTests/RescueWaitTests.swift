import Fixtures
import Foundation
import Providers
import Testing

@testable import Rescue

/// Whether a rescue is worth waiting for.
@Suite struct RescueWaitTests {
    static let now = Jobs.now

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let jobs: [Job]
        let meaning: String

        init(_ words: String, _ jobs: [Job], _ meaning: String) {
            (testDescription, self.jobs, self.meaning) = (words, jobs, meaning)
        }
    }

    static func link(_ change: (inout JobFile) -> Void) -> Job { Jobs.file(Jobs.link(), change) }
    static func generation(_ change: (inout Job) -> Void) -> Job { Jobs.with(Jobs.generation(), change) }
    static let trouble = DownloadStep.failure("http.503", "busy")
    static let safe = link { $0.stage = .safe }

    @Test(arguments: [
        Row("nothing", [], "over 0"), Row("stored", [link { $0.stage = .stored }], "over 0"),
        Row("failed", [link { $0.stage = .failed }, generation { $0.error = JobTests.failed }], "over 2"),
        Row("a new link", [Jobs.link()], "working"),
        Row("one that is tried soon", [link { $0.nextAttemptAt = now + 60 }], "working"),
        Row("one that is tried later", [link { $0.nextAttemptAt = now + 61 }], "later"),
        Row("a running generation", [generation { $0.nextQuestionAt = now + 30 }], "working"),
        Row("one that cannot be asked about", [Jobs.generation("r", at: .luma)], "later"),
        Row("an order that was not sent", [Jobs.order()], "later"),
        Row("one of unknown outcome", [Jobs.order().calling], "later"),
        Row("a safe file", [safe], "uploading"), Row("a safe file and a new one", [safe, Jobs.link("b")], "working"),
        Row("a safe file and a late one", [safe, link { $0.nextAttemptAt = now + 99 }], "uploading"),
        Row(
            "a safe file that cannot be stored",
            [
                link {
                    $0.stage = .safe
                    $0.failure = trouble
                }
            ], "over 1"),
        Row("a row to be told", [JobTests.stored(nil)], "working"),
        Row("a told one", [JobTests.stored(.written)], "over 0"),
    ])
    func whetherToWait(_ row: Row) {
        let wait = RescueWait(row.jobs, providers: [.fal], hasRows: true, patience: 60, at: Self.now)
        let meaning =
            switch wait {
            case .over(let failed): "over \(failed)"
            case .working: "working"
            case .uploading: "uploading"
            case .later: "later"
            }
        #expect(meaning == row.meaning)
    }

    @Test(arguments: [
        (Jobs.order(), "it was not taken yet; \"watch\" or \"rescue\" sends it"),
        (Jobs.order().calling, "fal may have taken this job: its answer was lost"),
        (Jobs.order(at: .rendio), "waits: its provider is not configured"),
    ])
    func anOrderWithoutAnAnswerSaysWhatItWaitsFor(job: Job, words: String) {
        let wait = RescueWait([job], providers: [.fal], hasRows: false, patience: 60, at: Self.now)
        guard case .later(let reason) = wait else { return #expect(wait == .later(words)) }
        #expect(reason.contains(words), "\(reason)")
    }

    @Test func withoutADatabaseNoRowIsWaitedFor() {
        let wait = RescueWait([JobTests.stored(nil)], providers: [], hasRows: false, patience: 60, at: Self.now)
        #expect(wait == .over(failed: 0))
    }
}

/// The table a rescue prints.
@Suite struct RescueListingTests {
    static let now = Jobs.now

    @Test func aNewLinkIsItsOwnLine() {
        let row = RescueListing.rows(of: Jobs.link(expires: Self.now), isNew: true)[0]
        #expect(row.state == "new" && row.file == "a.mp4" && row.link == "https://cdn.example/a.mp4?…")
        #expect(row.expires == Self.now && !row.isAssumed)
    }

    @Test func aJobWithoutFilesIsALineToo() {
        #expect(RescueListing.rows(of: Jobs.generation(), isNew: false).map(\.state) == ["queued"])
        let failed = Jobs.with(Jobs.generation()) { $0.error = JobTests.failed }
        #expect(RescueListing.rows(of: failed, isNew: false).map(\.note) == ["no"])
        let cancelled = Jobs.with(Jobs.link()) { $0.isCancelled = true }
        #expect(RescueListing.rows(of: cancelled, isNew: false).map(\.state) == ["cancelled"])
    }

    @Test func whatFitsIsCountedInTheListsOrder() {
        var rows = (0..<4).map { RescueListing.Row(job: "\($0)", state: "new") }
        rows[0].size = 60
        rows[1].size = 60
        rows[3].size = 40
        let listing = RescueListing(rows: rows)
        #expect(listing.fitted(into: 100, isLimited: true).rows.map(\.fits) == [true, false, nil, false])
        #expect(listing.fitted(into: 160, isLimited: true).rows.map(\.fits) == [true, true, nil, true])
        #expect(listing.fitted(into: nil, isLimited: false).rows.map(\.fits) == [true, true, true, true])
    }

    /// Any server may name any size.
    @Test func sizesMayAddUpToMoreThanThereAreNumbers() {
        var rows = (0..<3).map { RescueListing.Row(job: "\($0)", state: "new") }
        for index in rows.indices { rows[index].size = index == 0 ? 60 : .max }
        let fits = RescueListing(rows: rows).fitted(into: 100, isLimited: true).rows.map(\.fits)
        #expect(fits == [true, false, false])
    }
}
