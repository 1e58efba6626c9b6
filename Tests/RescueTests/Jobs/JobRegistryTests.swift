import Foundation
import Platform
import Providers
import TestSupport
import Testing

@testable import Fixtures
@testable import Queue
@testable import Rescue

@Suite struct JobRegistryTests {
    /// Small enough that a few jobs make it fold.
    static let foldSize = 2_500

    static func registry(_ disk: any Disk, kept: Int = JobRegistry.kept, foldSize: Int = foldSize) throws -> JobRegistry
    {
        try JobRegistry(store: JobStore(disk: disk, quarantine: RecordingDisk()), kept: kept, foldSize: foldSize)
    }

    static func loaded(_ disk: any Disk) throws -> [Job] {
        try JobStore(disk: disk, quarantine: RecordingDisk()).load().entries
    }

    /// The life of a registry: jobs are added, repeated and changed, and the process is killed in between.
    struct Script {
        let disk: any Disk
        let ledger = PromiseLog<Job>()
        let promised: (String) -> Void

        func run() async throws {
            var registry = try registry(disk)
            try await add([Jobs.link("a"), Jobs.link("b")], to: registry)
            try await add([Jobs.generation("r1")], to: registry)
            try await change(Jobs.link("a").id, in: registry) { $0.files[0].received = 8 << 20 }
            try await change(Jobs.generation("r1").id, in: registry) { $0.asked = 1 }
            registry = try JobRegistryTests.registry(disk)
            for stage in [JobFile.Stage.probed, .safe, .stored] {
                try await change(Jobs.link("a").id, in: registry) { $0.files[0].stage = stage }
            }
            try await change(Jobs.generation("r1").id, in: registry) { $0.error = ProviderError(.refused, "no") }
            try await add([Jobs.link("c")], to: registry)
            try await registry.close()
        }

        private func add(_ jobs: [Job], to registry: JobRegistry) async throws {
            for job in jobs { ledger.attempt(job.id, job) }
            #expect(try await registry.add(jobs) == jobs.map { _ in .new })
            for job in jobs { promised(ledger.promise(job.id)) }
        }

        private func change(
            _ id: JobIdentifier, in registry: JobRegistry, _ change: @Sendable @escaping (inout Job) -> Void
        ) async throws {
            var job = try #require(await registry.job(id))
            change(&job)
            ledger.attempt(id, job)
            try await registry.update(id, change)
            promised(ledger.promise(id))
        }
    }

    @Test func afterAPowerCutEverythingPromisedIsThere() async throws {
        let disk = RecordingDisk()
        let script = Script(disk: disk) { disk.acknowledge($0) }
        try await script.run()
        #expect(disk.calls.filter { $0 == "rename jobs.json.new jobs.json" }.count >= 3, "it is to fold in the middle")
        for cut in disk.powerCuts() {
            let promised = PromiseLog<Job>.counts(cut.acknowledged)
            #expect(script.ledger.complaints(about: try Self.loaded(cut.disk), promised: promised) == [], "\(cut)")
        }
    }

    @Test(arguments: [FailingDisk.Afterwards.recovers, .staysBroken])
    func whateverCallFailsWhatWasPromisedStays(afterwards: FailingDisk.Afterwards) async throws {
        for callsBeforeFailure in 0... {
            let contents = RecordingDisk()
            let disk = FailingDisk(contents, callsBeforeFailure: callsBeforeFailure, afterwards: afterwards)
            let script = Script(disk: disk) { _ in }
            do {
                try await script.run()
            } catch let error as SystemError {
                #expect(error.isDiskFull)
            }
            #expect(script.ledger.complaints(about: try Self.loaded(contents)) == [], "call \(callsBeforeFailure)")
            if !disk.hasFailed { return #expect(callsBeforeFailure > 40) }
        }
    }

    @Test func aKnownJobIsNotChangedByBeingOfferedAgain() async throws {
        let disk = RecordingDisk()
        let registry = try Self.registry(disk)
        _ = try await registry.add([Jobs.link()])
        let stored = try #require(try await registry.update(Jobs.link().id) { $0.files[0].stage = .stored })
        let calls = disk.calls
        #expect(try await registry.add([Jobs.link()]) == [.known(stored)])
        #expect(try await registry.add([]) == [])
        #expect(disk.calls == calls)
    }

    @Test func aChangeThatChangesNothingIsNotWritten() async throws {
        let disk = RecordingDisk()
        let registry = try Self.registry(disk)
        _ = try await registry.add([Jobs.link()])
        let calls = disk.calls
        #expect(try await registry.update(Jobs.link().id) { _ in } == Jobs.link())
        #expect(try await registry.update(JobIdentifier(rawValue: "fal:none")) { $0.asked = 9 } == nil)
        #expect(disk.calls == calls)
    }

    @Test func aRegistryThatDoesNotChangeWritesNothing() async throws {
        let disk = RecordingDisk()
        for _ in 0..<2 {
            let registry = try Self.registry(disk)
            _ = try await registry.add([Jobs.link()])
            try await registry.close()
        }
        let calls = disk.calls
        let registry = try Self.registry(disk)
        #expect(await registry.open().map(\.id) == [Jobs.link().id])
        try await registry.close()
        #expect(disk.calls == calls)
    }

    @Test func theOldestSettledJobsAreForgottenAndNoOpenOne() async throws {
        let disk = RecordingDisk()
        let registry = try Self.registry(disk)
        let names = ["a", "b", "c", "d"]
        _ = try await registry.add(names.map { Jobs.link($0) })
        for name in ["a", "c", "d"] { try await registry.update(Jobs.link(name).id) { $0.isCancelled = true } }
        let second = try Self.registry(disk, kept: 1)
        #expect(await second.all().map(\.id) == ["b", "d"].map { Jobs.link($0).id })
    }

    @Test func everythingAboutAJobReadsBackAsItself() async throws {
        var job = Jobs.row()
        job.reference = JobReference(.fal, "r", model: "m", calls: .init(status: "https://queue.fal.run/s"))
        job.error = ProviderError(.insufficientCredits, "no credits")
        job.error?.credits = .init(current: 1, required: 4)
        job.nextQuestionAt = Jobs.now + 0.25
        job.files[0].claim = VideoResult(provider: .fal, videoURL: "u", duration: .nan, fps: .infinity)
        job.files[0].path = "fal/2026-11/ü.mp4"
        job.files[0].failure = Item.Failure(code: "rescue.tooLarge", message: "10 GB", retryable: false)
        job.files[0].row = .waiting("503")
        job.files[0].deadline = Deadline(Jobs.now, isAssumed: true)
        let registry = try Self.registry(RecordingDisk())
        _ = try await registry.add([job])
        let text = String(decoding: job.line(), as: UTF8.self)
        let read = try QueueCoding.decoder.decode(Job.self, from: Data(job.line()))
        #expect(String(decoding: read.line(), as: UTF8.self) == text && !text.contains("\n"))
        #expect(read.files[0].claim?.duration?.isNaN == true)
    }

    @Test func theFileIsOneJobALine() async throws {
        let disk = RecordingDisk()
        let registry = try Self.registry(disk)
        _ = try await registry.add([Jobs.link("a"), Jobs.generation()])
        try await registry.close()
        let lines = String(decoding: disk.contents["jobs.json"] ?? [], as: UTF8.self).split(separator: "\n")
        #expect(
            lines.first?.hasPrefix(#"{"version":1,"journal":"#) == true && lines.first?.hasSuffix(#""jobs":["#) == true)
        #expect(lines.count == 4 && lines.last == "]}")
    }
}
