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

    /// The text of every file on the disk, as a program reads it that looks for secrets.
    private static func text(_ state: FilePath) throws -> String {
        try Directory(state).names().filter { $0.display.hasPrefix("jobs") }.map { name in
            let file = try OpenFile(reading: state.appending(name))
            return String(decoding: try file.readAll(), as: UTF8.self)
        }.joined()
    }

    /// A link works for who has it: it is kept as long as the file may have to be fetched, and no longer.
    @Test(arguments: JobFile.Stage.allCases)
    func aLinkIsKeptWholeUntilItsFileIsStored(stage: JobFile.Stage) async throws {
        try await FileTree().withDirectory { state in
            let job = Jobs.link()
            var registry = try JobRegistry(store: try JobStore(state: state))
            _ = try await registry.add([job])
            try await registry.update(job.id) { $0.files[0].stage = stage }
            let kept = try #require(await registry.job(job.id)?.files.first)
            #expect(kept.link == (stage == .stored ? "https://cdn.example/a.mp4?…" : job.files[0].link))
            #expect(kept.identity == job.files[0].identity)
            // The former file is kept as well, so the second fold shows what stays.
            for _ in 0..<2 {
                try await registry.close()
                registry = try JobRegistry(store: try JobStore(state: state))
                try await registry.update(job.id) { $0.asked += 1 }
            }
            try await registry.close()
            #expect(try Self.text(state).contains("secret") == (stage != .stored), "\(stage)")
            #expect(await registry.job(job.id)?.files.first == kept)
        }
    }

    /// A row is found again by the link that it holds, until it was told.
    @Test(
        arguments: [
            (nil, true), (.waiting("503"), true), (.written, false), (.left("edited"), false),
        ] as [(RowOutcome?, Bool)])
    func aRowsLinkIsKeptUntilItWasTold(outcome: RowOutcome?, isKept: Bool) async throws {
        try await FileTree().withDirectory { state in
            let job = Jobs.row()
            let registry = try JobRegistry(store: try JobStore(state: state))
            _ = try await registry.add([job])
            try await registry.update(job.id) {
                $0.files[0].stage = .stored
                $0.files[0].row = outcome
            }
            let now = try #require(await registry.job(job.id))
            #expect((now.row == job.row) == isKept)
            #expect(now.row?.link == (isKept ? job.row?.link : "https://cdn.example/a.mp4?…"))
            // The same row with another signature is the same job, and is stored already.
            #expect(try await registry.add([Jobs.row("https://cdn.example/a.mp4?sig=2")]) == [.known(now)])
        }
    }

    /// What the provider claimed has the link as well, and jobs of former versions are cleansed as they are read.
    @Test func whatFormerVersionsKeptGoes() async throws {
        try await FileTree().withDirectory { state in
            let file = JobFile(RemoteMedia("https://cdn.example/a.mp4?sig=secret", .video), by: .fal)
            let stored = Jobs.with(Jobs.generation()) {
                $0.files = [file]
                $0.files[0].stage = .stored
            }
            let line = String(decoding: stored.line(), as: UTF8.self)
            try OpenFile(creating: state.appending("jobs.json"))
                .append(Array("{\"version\":1,\"journal\":1,\"jobs\":[\n\(line)\n]}\n".utf8))
            for _ in 0..<3 {
                let registry = try JobRegistry(store: try JobStore(state: state))
                let known = await registry.job(stored.id)
                #expect(known?.files.first?.claim?.videoURL == "https://cdn.example/a.mp4?…")
                try await registry.update(stored.id) { $0.asked += 1 }
                try await registry.close()
            }
            #expect(!(try Self.text(state).contains("secret")))
        }
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
            job = job.withoutUsedLinks
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
