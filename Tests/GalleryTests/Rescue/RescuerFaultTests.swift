import Fixtures
import Foundation
import Platform
import Providers
import Supabase
import TestSupport
import Testing

@testable import Configuration
@testable import Gallery
@testable import Queue
@testable import Rescue
@testable import Restoring

/// Disks that fail at the worst moment, and what a stop has left.
@Suite struct RescuerFaultTests {
    private typealias Bench = RescuerTests.Bench

    private static func with(_ body: (Bench) async throws -> Void) async throws {
        try await RescuerTests.with { try await body($0) }
    }

    /// The link ends while the last bytes come: from then on they are all that there is.
    @Test func whateverCallTheDiskRefusesAfterTheLinkHasEndedTheFileIsSafe() async throws {
        for callsBeforeFailure in 0... {
            let hasFailed = Shared(false)
            try await Self.with { bench in
                try Directory.create(at: bench.generated)
                let folder = try FailingFolder(
                    bench.generated, callsBeforeFailure: callsBeforeFailure, code: 28, staysBroken: false,
                    locksParts: false)
                let file = try await bench.run(
                    in: { folder },
                    beforeRequest: { number, registry in
                        guard number >= 6 else { return }
                        try await registry.update(bench.job.id) { $0.files[0].deadline = Deadline(Jobs.now) }
                    })
                #expect(file?.stage == .safe, "after \(callsBeforeFailure) calls: \(file?.failure?.message ?? "")")
                try RescuerTests.expectSafe(file, bench)
                hasFailed.change { $0 = folder.hasFailed }
            }
            if !hasFailed.value { return #expect(callsBeforeFailure > 15) }
        }
    }

    /// A job that was given up leaves nothing, at whichever stage a stop found it.
    @Test(arguments: [JobFile.Stage.downloading, .probed])
    func whatAStopLeftOfACancelledJobGoes(stage: JobFile.Stage) async throws {
        try await Self.with { bench in
            try await Self.leave(bench, at: stage)
            #expect(try Studio.names(in: bench.tree()).isEmpty == false)
            var cancelled = bench
            cancelled.isCancelled = true
            let file = try await cancelled.run(until: { $0.stage == .waiting })
            #expect(try Studio.names(in: bench.tree()) == [])
            #expect(file?.received == 0)
            try RescuerTests.expectSafe(try await bench.run(), bench)
        }
    }

    /// A part that the disk keeps is removed by a later start; it is not forgotten.
    @Test(arguments: [JobFile.Stage.downloading, .probed])
    func whateverCallFailsACancelledJobLeavesNothing(stage: JobFile.Stage) async throws {
        for callsBeforeFailure in 0... {
            let hasFailed = Shared(false)
            try await Self.with { bench in
                try await Self.leave(bench, at: stage)
                var cancelled = bench
                cancelled.isCancelled = true
                let folder = try FailingFolder(
                    bench.generated, callsBeforeFailure: callsBeforeFailure, code: 5, locksParts: false)
                _ = try await cancelled.run(in: { folder }, until: { $0.stage == .waiting || folder.hasFailed })
                hasFailed.change { $0 = folder.hasFailed }
                _ = try await cancelled.run(until: { $0.stage == .waiting })
                #expect(try Studio.names(in: bench.tree()) == [], "after \(callsBeforeFailure) calls")
            }
            if !hasFailed.value { return #expect(callsBeforeFailure > 0) }
        }
    }

    /// Leaves the job's part as a process that was killed does.
    private static func leave(_ bench: Bench, at stage: JobFile.Stage) async throws {
        try Directory.create(at: bench.generated)
        guard stage == .probed else {
            _ = try await bench.run(until: { $0.received >= 1_000 })
            return
        }
        let folder = NoNewNames(folder: LocalRestoreFolder(try Directory(bench.generated), locksParts: false))
        let file = try await bench.run(in: { folder }, until: { $0.stage == .probed })
        #expect(file?.stage == .probed)
    }

    /// Where bytes cost money, a file that needs none is put in its place all the same.
    @Test(
        arguments: [
            (.waiting, nil, 100, false), (.waiting, 60, 100, true), (.waiting, 60, 0, false),
            (.downloading, 60, 1, true), (.downloading, 60, -5, false), (.probed, nil, 0, true), (.probed, 60, 0, true),
        ] as [(JobFile.Stage, Double?, Int64, Bool)])
    func whatMayBeginWhileBytesCostMoney(
        _ row: (stage: JobFile.Stage, deadline: Double?, allowance: Int64, isPermitted: Bool)
    ) async throws {
        try await Self.with { bench in
            let registry = try JobRegistry(store: try bench.store)
            let job = Jobs.file(bench.job) {
                ($0.stage, $0.deadline) = (row.stage, row.deadline.map { Deadline(Jobs.now + $0) })
            }
            _ = try await registry.add([job, Jobs.generation()])
            let locations = try Locations(
                for: LocationRequest(
                    environment: ["HOME": bench.folder.display], stateDirectory: bench.folder.appending("s"), user: 1))
            let setup = Agent.Setup(
                settings: Settings(), locations: locations,
                destination: Destination(endpoint: StorageEndpoint(base: "http://storage"), bucket: "media"),
                credentials: StorageCredentials(key: "k"), transport: bench.fileHost, workers: nil)
            let rescuer = Rescuer(setup.rescuer, registry: registry, receipts: WakeEvent())
            let (fetch, ask) = (RescueAct.fetch(JobPlace(job.id, 0)), RescueAct.ask(Jobs.generation().id))
            #expect(await rescuer.permitted([fetch, ask]) == [fetch, ask], "without a limit")
            rescuer.setAllowance(row.allowance)
            #expect(await rescuer.permitted([fetch, ask]) == (row.isPermitted ? [fetch, ask] : [ask]))
            rescuer.setAllowance(nil)
            #expect(await rescuer.permitted([fetch, ask]) == [fetch, ask])
        }
    }
}

/// Gives no file its final name: what a process that was killed in between leaves.
private struct NoNewNames: ForwardingFolder {
    let folder: any RestoreFolder

    func folder(for call: String) -> any RestoreFolder { folder }
    func place(_ part: FilePath, as path: FilePath) throws(SystemError) {
        throw SystemError(call: "renameat2", code: 5, path: path)
    }
}
