import Fixtures
import Foundation
import Platform
import Providers
import Queue
import Supabase
import TestSupport
import Testing

@testable import Rescue

/// Jobs from the inbox on a disk that fails, and jobs that the user has given up.
@Suite struct InboxDiskTests {
    private static func row(_ number: Int, _ state: JobState = .succeeded) -> InboxRow {
        let media = RemoteMedia("https://cdn.example/\(number).mp4?sig=1", .video)
        let status =
            state == .succeeded
            ? JobStatus(.succeeded, files: [media])
            : JobStatus(.failed, error: ProviderError(.refused, "no luck"))
        return InboxRow(token: "", reference: JobReference(.fal, "\(number)"), status: status)
    }

    private static func registry(_ disk: any Disk) throws -> JobRegistry {
        try JobRegistry(store: JobStore(disk: disk, quarantine: RecordingDisk()))
    }

    private static func taker(_ inbox: InboxDouble, _ registry: JobRegistry) -> InboxTaker {
        InboxTaker(inbox, registry: registry, policy: PollingPolicy()) { inbox.now }
    }

    /// One run of a process: it takes, stores one file, and tells.
    private static func live(_ inbox: InboxDouble, _ registry: JobRegistry) async throws {
        _ = try await taker(inbox, registry).pass()
        for job in await registry.open().prefix(1) {
            try await registry.update(job.id) {
                ($0.files[0].stage, $0.files[0].objectKey) = (.stored, $0.id.rawValue)
            }
        }
        _ = try await taker(inbox, registry).pass()
        try await registry.close()
    }

    /// The inbox forgets a row only once its job's end is known here, whichever write fails.
    @Test(arguments: [FailingDisk.Afterwards.recovers, .staysBroken])
    func whateverWriteFailsEachRowIsEndedWithItsKey(afterwards: FailingDisk.Afterwards) async throws {
        for callsBeforeFailure in 0... {
            let inbox = InboxDouble((0..<3).map { Self.row($0) }, at: Jobs.now)
            let contents = RecordingDisk()
            let disk = FailingDisk(contents, callsBeforeFailure: callsBeforeFailure, afterwards: afterwards)
            do {
                try await Self.live(inbox, try Self.registry(disk))
            } catch let error as SystemError {
                #expect(error.isDiskFull)
            }
            for (number, entry) in inbox.entries.enumerated() where entry.isFinished {
                #expect(entry.key == "fal:\(number)", "call \(callsBeforeFailure)")
            }
            for _ in 0..<4 {
                inbox.advance(by: 601)
                try await Self.live(inbox, try Self.registry(contents))
            }
            #expect(
                inbox.entries.map(\.key) == ["fal:0", "fal:1", "fal:2"] && inbox.entries.allSatisfy(\.isFinished),
                "call \(callsBeforeFailure)")
            let jobs: [Job] = try await Self.registry(contents).all()
            #expect(jobs.map(\.id.rawValue).sorted() == ["fal:0", "fal:1", "fal:2"])
            #expect(jobs.allSatisfy { $0.isStored && $0.inbox == nil })
            if !disk.hasFailed { return #expect(callsBeforeFailure > 10) }
        }
    }

    private static func job(_ change: (inout Job) -> Void) -> Job {
        var job = Job(JobReference(.fal, "0"), addedAt: Jobs.now)
        change(&job)
        return job
    }

    struct Known: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let job: Job
        let isWanted: Bool

        init(_ words: String, isWanted: Bool, _ change: (inout Job) -> Void) {
            (testDescription, job, self.isWanted) = (words, InboxDiskTests.job(change), isWanted)
        }
    }

    @Test(arguments: [
        Known("one that is asked about", isWanted: true) { _ in },
        Known("one that was given up by its provider", isWanted: true) { $0.error = ProviderError(.missing, "gone") },
        Known("one that the user gave up", isWanted: false) { $0.isCancelled = true },
        Known("one that was left to another computer", isWanted: true) { ($0.isCancelled, $0.isLeft) = (true, true) },
    ])
    func aRowOfAJobThatIsKnown(_ row: Known) async throws {
        let inbox = InboxDouble([Self.row(0)], at: Jobs.now)
        let registry = try Self.registry(RecordingDisk())
        _ = try await registry.add([row.job])
        _ = try await Self.taker(inbox, registry).pass()
        let job = try #require(await registry.all().first)
        #expect(job.isCancelled == !row.isWanted && job.isSettled == !row.isWanted)
        #expect(job.inbox != nil && job.isLeft == nil || !row.isWanted)
        guard !row.isWanted else { return #expect(job.files.map(\.stage) == [.waiting] && job.error == nil) }
        // Nothing waits for it: the row is not offered again and again.
        _ = try await Self.taker(inbox, registry).pass()
        #expect(inbox.entries[0].isFinished && inbox.entries[0].key == nil && inbox.entries[0].claims == 1)
        #expect(await registry.all().first?.inbox == nil)
    }

    /// What a stop gives back: only rows of which nothing has arrived.
    @Test(
        arguments: [
            ("nothing has come", .waiting, 0, true), ("a byte has come", .downloading, 1, false),
            ("all is examined", .probed, 30, false), ("it is on this disk", .safe, 30, false),
            ("it is on this disk, and its bytes were not counted", .safe, 0, false),
            ("it is stored", .stored, 30, false), ("it failed", .failed, 0, false),
        ] as [(String, JobFile.Stage, Int64, Bool)])
    func whatAStopGivesBack(
        _ row: (why: String, stage: JobFile.Stage, received: Int64, isGiven: Bool)
    ) async throws {
        let inbox = InboxDouble([Self.row(0)], at: Jobs.now)
        let registry = try Self.registry(RecordingDisk())
        _ = try await Self.taker(inbox, registry).pass()
        try await registry.update(JobIdentifier(rawValue: "fal:0")) {
            ($0.files[0].stage, $0.files[0].received) = (row.stage, row.received)
        }
        try await Self.taker(inbox, registry).giveBack()
        #expect((inbox.entries[0].until == inbox.now + 1) == row.isGiven, "\(row.why)")
        #expect((await registry.all()[0].inbox?.until == inbox.now) == row.isGiven, "\(row.why)")
    }
}
