import Fixtures
import Foundation
import Platform
import Providers
import Supabase
import TestSupport
import Testing

@testable import Queue
@testable import Rescue

/// Which settled jobs a registry may drop, and how many.
@Suite struct JobForgettingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let job: Job
        let mayGo: Bool

        init(_ words: String, _ mayGo: Bool, _ job: Job) {
            (testDescription, self.mayGo, self.job) = (words, mayGo, job)
        }
    }

    private static let intent = SubmitIntent(
        key: .fresh(), provider: .fal, model: "m", input: .null, madeAt: Jobs.now, cost: 5)

    private static func row(_ outcome: RowOutcome?, _ link: Bool) -> Job {
        Jobs.file(Jobs.row()) {
            ($0.stage, $0.row) = (.stored, outcome)
            let term = RowLink.Term(from: Jobs.now, seconds: 60)
            $0.rowLink = link ? RowLink(url: "https://own/a", thumbnail: nil, term: term) : nil
        }
    }

    @Test(arguments: [
        Row("one that is stored", true, Jobs.file(Jobs.link()) { $0.stage = .stored }),
        Row("one that failed", true, Jobs.file(Jobs.link()) { $0.stage = .failed }),
        Row("one that was given up", true, Jobs.with(Jobs.link()) { $0.isCancelled = true }),
        Row("one that ended without a file", true, Jobs.with(Jobs.generation()) { $0.error = JobTests.failed }),
        Row("one that is on its way", false, Jobs.link()),
        Row("one on this disk alone", false, Jobs.file(Jobs.link()) { $0.stage = .safe }),
        Row("one whose cost counts", false, Jobs.with(Job(intent)) { $0.isCancelled = true }),
        Row(
            "one that the inbox waits for", false,
            Jobs.with(Jobs.link()) {
                $0.isCancelled = true
                $0.inbox = InboxClaim(token: "t", until: Jobs.now, isSole: true)
            }),
        Row("one whose row was told for good", true, row(.written, false)),
        Row("one whose row holds a link that ends", false, row(.written, true)),
        Row("one whose row was left", true, row(.left("edited"), true)),
        Row("one whose row is to be told", false, row(.waiting("503"), false)),
    ])
    func whatMayBeForgotten(_ row: Row) async throws {
        #expect(row.job.mayBeForgotten == row.mayGo)
        let disk = RecordingDisk()
        let first = try JobRegistryTests.registry(disk)
        _ = try await first.add([row.job])
        let second = try JobRegistryTests.registry(disk, kept: 0)
        #expect(await second.all().isEmpty == row.mayGo)
    }

    /// The oldest go first, whatever lies between them, and none before there is one too many.
    @Test(arguments: [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (.max, 3)])
    func soManyAreKept(_ row: (kept: Int, left: Int)) async throws {
        let disk = RecordingDisk()
        let first = try JobRegistryTests.registry(disk)
        let names = ["a", "open", "b", "c"]
        _ = try await first.add(names.map { Jobs.link($0) })
        for name in ["a", "b", "c"] { try await first.update(Jobs.link(name).id) { $0.files[0].stage = .stored } }
        let second = try JobRegistryTests.registry(disk, kept: row.kept)
        let gone = ["a", "b", "c"].prefix(3 - row.left)
        #expect(await second.all().map(\.id) == names.filter { !gone.contains($0) }.map { Jobs.link($0).id })
        // What was dropped stays dropped, and what was kept can be changed.
        try await second.update(Jobs.link("open").id) { $0.files[0].received = 7 }
        try await second.close()
        let third = try JobRegistryTests.registry(disk)
        #expect(await third.all() == (await second.all()))
    }
}
