import Fixtures
import Foundation
import Platform
import Providers
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Configuration
@testable import Gallery
@testable import Queue
@testable import Rescue
@testable import Restoring

/// The rescue's loop without the agent: from the link to the file on this disk.
@Suite struct RescuerTests {
    static let movie = Reels.movie(2_500)

    /// A rescuer's environment: a state directory, a host, and a clock that skips every wait.
    struct Bench: Sendable {
        let folder: FilePath
        let fileHost: FileHostDouble
        var job = Job(RescueLink("https://cdn.example/a.mp4"), addedAt: Jobs.now)
        var providers: [ProviderName: any Provider] = [:]
        var isCancelled = false
        /// In place of one that skips every wait.
        var clock: (@Sendable () -> Date)?
        private let ticks = Shared(0)

        var generated: FilePath { folder.appending("generated") }

        init(_ folder: FilePath, _ fileHost: FileHostDouble) {
            (self.folder, self.fileHost) = (folder, fileHost)
        }

        var store: JobStore {
            get throws {
                try Directory.create(at: folder.appending("state"))
                return try JobStore(state: folder.appending("state"))
            }
        }

        /// Runs the rescuer until `isEnough`; returns the file.
        func run(
            in opened: (@Sendable () throws -> any RestoreFolder)? = nil,
            until isEnough: @escaping @Sendable (JobFile) -> Bool = { $0.isSafe || $0.stage == .failed },
            beforeRequest: @escaping @Sendable (Int, JobRegistry) async throws -> Void = { _, _ in }
        ) async throws -> JobFile? {
            let locations = try Locations(
                for: LocationRequest(
                    environment: ["HOME": folder.display], stateDirectory: folder.appending("s"), user: 1))
            var setup = Agent.Setup(
                settings: Settings(), locations: locations,
                destination: Destination(endpoint: StorageEndpoint(base: "http://storage"), bucket: "media"),
                credentials: StorageCredentials(key: "k"), transport: fileHost, workers: nil)
            setup.rescue.folder = generated
            setup.rescue.chunk = 1_000
            setup.rescue.providers = providers
            // Every backoff has passed by the next reading.
            setup.clock =
                clock ?? {
                    Jobs.now
                        + Double(
                            ticks.change {
                                $0 += 1_000; return $0
                            })
                }
            let registry = try JobRegistry(store: try store)
            _ = try await registry.add([job])
            try await registry.update(job.id) { [isCancelled] in $0.isCancelled = isCancelled }
            fileHost.beforeRequest.change { $0 = { try await beforeRequest($0, registry) } }
            // The host may outlive the registry.
            defer { fileHost.beforeRequest.change { $0 = { _ in } } }
            let wake = WakeEvent()
            let rescuer = Rescuer(setup.rescuer, registry: registry, receipts: wake, openFolder: opened)
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { try await rescuer.run { _ in false } }
                // A child, so that it ends when the loop fails.
                group.addTask {
                    defer { rescuer.stop() }
                    try await withLimit("the file is as the test wants it") {
                        while !Task.isCancelled {
                            let wakeups = wake.wakeups
                            if let file = await registry.job(job.id)?.files.first, isEnough(file) { return }
                            await wake.wait(after: wakeups)
                        }
                    }
                }
            }
            return await registry.job(job.id)?.files.first
        }

        func tree() throws -> FileTree { try FileTree(at: generated) }
    }

    static func with(
        _ fileHost: FileHostDouble = FileHostDouble(movie), _ body: (Bench) async throws -> Void
    ) async throws {
        try await FileTree().withDirectory { try await body(Bench($0, fileHost)) }
    }

    /// A wait by a clock that was set back since would be longer by as much: what waits is tried once more.
    @Test func noFileWaitsForATimeOfAnotherClock() async throws {
        try await Self.with { bench async throws in
            var bench = bench
            let now = Shared(Jobs.now + 86_400)
            bench.clock = { now.value }
            var waiting = Job(RescueLink("https://cdn.example/b.mp4"), addedAt: Jobs.now).files[0]
            waiting.nextAttemptAt = now.value + 3_600
            bench.job.files.insert(waiting, at: 0)
            // While the other file is asked for.
            let file = try await bench.run(beforeRequest: { number, _ in
                if number == 1 { now.change { $0 = Jobs.now } }
            })
            #expect(file?.isSafe == true)
        }
    }

    /// Fails unless the file is in its place, whole, with its sidecar and nothing else.
    static func expectSafe(
        _ file: JobFile?, _ bench: Bench, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = try #require(file, sourceLocation: sourceLocation)
        let path = try #require(file.path, sourceLocation: sourceLocation)
        #expect(file.stage == .safe, sourceLocation: sourceLocation)
        let names = try Studio.names(in: bench.tree()).sorted()
        #expect(names == [path.display.dropLast(4) + ".json", path.display].sorted(), sourceLocation: sourceLocation)
        let bytes = try OpenFile(reading: bench.generated.appending(path)).readAll()
        #expect(bytes == bench.fileHost.bytes.value, sourceLocation: sourceLocation)
        #expect(file.sha256 == SHA256.hash(bytes).hexadecimal, sourceLocation: sourceLocation)
    }

    @Test func aFileIsFetchedRangeByRange() async throws {
        try await Self.with { bench in
            try Self.expectSafe(try await bench.run(), bench)
            #expect(
                bench.fileHost.ranges
                    == [(0, 124), (125, 249), (250, 499), (500, 999), (1_000, 1_999), (2_000, 2_499)].map {
                        "bytes=\($0)-\($1)"
                    })
            #expect(
                bench.fileHost.requests.map { $0.headers["if-range"] } == [nil] + Array(repeating: "\"1\"", count: 5))
        }
    }

    @Test func aHostWithoutRangesGivesAllOfIt() async throws {
        try await Self.with(FileHostDouble(Self.movie, givesRanges: false)) { bench in
            try Self.expectSafe(try await bench.run(), bench)
            #expect(bench.fileHost.ranges.count == 1)
        }
    }

    @Test func afterAStopItGoesOnWhereItWas() async throws {
        try await Self.with { bench in
            let half = try await bench.run(until: { $0.received >= 1_000 })
            #expect(half?.stage == .downloading)
            try Self.expectSafe(try await bench.run(), bench)
            #expect(bench.fileHost.ranges.filter { $0.hasPrefix("bytes=0-") }.count == 1)
            #expect(bench.fileHost.mostAsked <= 2)
        }
    }

    @Test func aFileThatChangesOnTheWayIsNeverMixed() async throws {
        try await Self.with { bench in
            _ = try await bench.run(until: { $0.received >= 1_000 })
            bench.fileHost.bytes.change { $0 = Reels.movie(3_000, seed: 9) }
            bench.fileHost.tag.change { $0 = "\"2\"" }
            try Self.expectSafe(try await bench.run(), bench)
        }
    }

    @Test func aFileThatChangesBehindItsTagIsFetchedAnew() async throws {
        try await Self.with(FileHostDouble(Self.movie, tag: nil)) { bench in
            _ = try await bench.run(until: { $0.received >= 1_000 })
            bench.fileHost.bytes.change { $0 = Reels.movie(3_000, seed: 9) }
            try Self.expectSafe(try await bench.run(), bench)
            #expect(bench.fileHost.ranges.last == "all")
        }
    }

    @Test func lossesMakeSmallerRangesAndNoGaps() async throws {
        try await Self.with { bench in
            bench.fileHost.script.change { $0 = [nil, .failure(.lost), .status(503), .failure(.unreachable)] }
            try Self.expectSafe(try await bench.run(), bench)
            #expect(
                bench.fileHost.ranges.prefix(5) == [
                    "bytes=0-124", "bytes=125-249", "bytes=125-186", "bytes=125-155", "bytes=125-155",
                ])
        }
    }

    @Test func aDeadLinkThatIsNotRenewedHasFailed() async throws {
        try await Self.with { bench in
            bench.fileHost.script.change { $0 = [.status(410)] }
            let file = try await bench.run()
            #expect(file?.stage == .failed && file?.failure?.code == "rescue.expired")
            #expect(try Studio.names(in: bench.tree()) == [])
        }
    }

    /// Its signature is another one, its file the same.
    @Test(arguments: [FileHostDouble.Answer.status(410), .status(503), nil])
    func aFreshLinkThatIsNamedMeanwhileIsFollowed(_ answer: FileHostDouble.Answer?) async throws {
        try await Self.with { bench in
            let fresh = "https://cdn.example/a.mp4?Signature=2"
            bench.fileHost.script.change { $0 = [answer] }
            let id = bench.job.id
            let file = try await bench.run(beforeRequest: { number, registry in
                guard number == 1 else { return }
                let offer = Job(RescueLink(fresh), addedAt: Jobs.now)
                try await registry.update(id) { $0 = $0.requested(with: offer) }
            })
            try Self.expectSafe(file, bench)
            #expect(file?.link == fresh)
            #expect(bench.fileHost.requests.dropFirst().allSatisfy { $0.url == fresh })
        }
    }

    @Test func aNameThatIsTakenIsLeftToWhoHasIt() async throws {
        try await Self.with { bench in
            let path = bench.generated.appending(RescuedPlace(bench.job, 0).named(".mp4"))
            try Directory.create(at: path.parent)
            try OpenFile(creating: path).append([1, 2, 3])
            let file = try await bench.run()
            #expect(file?.path?.display.contains("--\(file?.sha256?.prefix(8) ?? "")") == true)
            #expect(try OpenFile(reading: path).readAll() == [1, 2, 3])
        }
    }

    /// A hole of zeros would pass for the bytes that were there.
    @Test(arguments: [0, 999])
    func aPartThatWasTakenAwayIsFetchedAnew(left: Int) async throws {
        try await Self.with { bench in
            _ = try await bench.run(until: { $0.received >= 1_000 })
            let part = bench.generated.appending(RescuedPlace(bench.job, 0).part)
            let bytes = try OpenFile(reading: part).readAll()
            _ = try Directory(part.parent).remove(file: FilePath(bytes: part.name))
            if left > 0 { try OpenFile(creating: part).append(Array(bytes.prefix(left))) }
            try Self.expectSafe(try await bench.run(), bench)
        }
    }

    // MARK: Giving up

    @Test func whatWasFetchedOfAJobGoesWithIt() async throws {
        try await Self.with { bench in
            _ = try await bench.run(until: { $0.received >= 1_000 })
            #expect(try Studio.names(in: bench.tree()).count == 1)
            var cancelled = bench
            cancelled.isCancelled = true
            let file = try await cancelled.run(until: { $0.received == 0 })
            #expect(try Studio.names(in: bench.tree()) == [])
            #expect(file?.stage == .waiting)
            // Added again, it starts at its first byte.
            try Self.expectSafe(try await bench.run(), bench)
        }
    }

    @Test func whatIsBeingFetchedGoesWhenItEnds() async throws {
        try await Self.with { bench in
            let file = try await bench.run(
                until: { $0.received == 0 && bench.fileHost.requests.count >= 3 },
                beforeRequest: { number, registry in
                    if number == 3 { try await registry.update(bench.job.id) { $0.isCancelled = true } }
                })
            #expect(bench.fileHost.requests.count == 3)
            #expect(file?.received == 0)
            #expect(try Studio.names(in: bench.tree()) == [])
        }
    }

    // MARK: Faults

    @Test func whateverCallTheDiskRefusesTheFileIsSafeInTheEnd() async throws {
        for callsBeforeFailure in 0... {
            let hasFailed = Shared(false)
            try await Self.with { bench in
                try Directory.create(at: bench.generated)
                let folder = try FailingFolder(
                    bench.generated, callsBeforeFailure: callsBeforeFailure, code: 28, staysBroken: false,
                    locksParts: false)
                try Self.expectSafe(try await bench.run(in: { folder }), bench)
                hasFailed.change { $0 = folder.hasFailed }
            }
            if !hasFailed.value { return #expect(callsBeforeFailure > 15) }
        }
    }

    @Test func whateverCallAStopFallsAfterTheNextStartGoesOn() async throws {
        for callsBeforeFailure in 0... {
            let hasFailed = Shared(false)
            try await Self.with { bench in
                try Directory.create(at: bench.generated)
                let folder = try FailingFolder(
                    bench.generated, callsBeforeFailure: callsBeforeFailure, code: 5, locksParts: false)
                _ = try await bench.run(in: { folder }, until: { $0.isSafe || folder.hasFailed })
                try Self.expectSafe(try await bench.run(), bench)
                // Nothing that was recorded is fetched again, except the range that the stop interrupted.
                #expect(bench.fileHost.mostAsked <= 2)
                hasFailed.change { $0 = folder.hasFailed }
            }
            if !hasFailed.value { return #expect(callsBeforeFailure > 15) }
        }
    }
}
