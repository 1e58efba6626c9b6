import Fixtures
import Foundation
import Platform
import Queue
import TestSupport
import Testing

@testable import Rescue

/// The counts of all jobs, as `status` reads them without a running agent.
@Suite struct JobSnapshotTests {
    static let now = Jobs.now

    /// 150 links with time left, 120 that failed, and some of every other kind.
    static let jobs: [Job] = {
        var jobs = (0..<150).map { Jobs.link("open\($0 + 100)", expires: now + 90_000 - Double($0)) }
        jobs += (0..<120).map { number in
            Jobs.file(Jobs.link("lost\(number + 100)", expires: now - Double(number))) { $0.stage = .failed }
        }
        jobs += [
            Jobs.generation(), Jobs.file(Jobs.link("safe")) { $0.stage = .safe },
            Jobs.file(Jobs.link("stored")) { $0.stage = .stored }, Jobs.with(Jobs.link("c")) { $0.isCancelled = true },
        ]
        return jobs
    }()

    static func with(_ jobs: [Job], _ body: (FilePath, JobRegistry) async throws -> Void) async throws {
        try await FileTree().withDirectory { state in
            let registry = try JobRegistry(store: try JobStore(state: state))
            _ = try await registry.add(jobs)
            try await body(state, registry)
        }
    }

    @Test func withoutJobsThereIsNothing() async throws {
        try await Self.with([]) { state, registry in
            try await registry.close()
            #expect(try JobSnapshot(state: state).report(at: Self.now) == nil)
        }
    }

    @Test(arguments: [0, 3_590, 90_000])
    func itSaysWhatAllJobsSay(after seconds: Double) async throws {
        try await Self.with(Self.jobs) { state, registry in
            let now = Self.now + seconds
            let expected = RescueSummary(Self.jobs, now: now)
            // First from the journal, then from the head of the file.
            #expect(try JobSnapshot(state: state).report(at: now) == expected)
            try await registry.close()
            #expect(try JobSnapshot(state: state).report(at: now) == expected)
        }
    }

    @Test func theHeadIsEnough() async throws {
        try await Self.with(Self.jobs) { state, registry in
            try await registry.close()
            let path = state.appending("jobs.json")
            let bytes = try OpenFile(reading: path).readAll()
            let head = bytes.prefix { $0 != UInt8(ascii: "\n") }
            try OpenFile(creating: path).write(Array(head) + Array("\nnothing of this is read".utf8), at: 0)
            #expect(try JobSnapshot(state: state).report(at: Self.now)?.open == 150)
        }
    }

    @Test func whatCameSinceCounts() async throws {
        try await Self.with(Self.jobs) { state, registry in
            try await registry.close()
            let next = try JobRegistry(store: try JobStore(state: state))
            _ = try await next.add([Jobs.link("new")])
            #expect(try JobSnapshot(state: state).report(at: Self.now)?.open == 151)
        }
    }
}
