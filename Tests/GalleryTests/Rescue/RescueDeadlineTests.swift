import Catalog
import Fixtures
import Foundation
import Platform
import Records
import Supabase
import TestSupport
import Testing

@testable import Configuration
@testable import Gallery
@testable import Queue
@testable import Rescue

/// Files whose links expire while others are fetched; only downloads take time.
@Suite struct RescueDeadlineTests {
    /// One file to rescue: its bytes, and the seconds its link works.
    struct File: Hashable, Sendable {
        let name: String
        let size: Int
        let lives: Double

        init(_ name: String, _ size: Int, lives: Double) { (self.name, self.size, self.lives) = (name, size, lives) }

        var link: String { "https://cdn.example/\(name).mp4" }
    }

    /// Files in the order in which they are added.
    struct Race: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [File]

        /// Bytes per second.
        static let rate = 1_000.0

        /// The files that are late when fetched one after the other in `order`.
        static func late(_ order: [File]) -> [String] {
            var end = 0.0
            return order.filter { file in
                end += Double(file.size) / rate
                return end > file.lives
            }.map(\.name)
        }

        func with(_ body: (LineDouble, [Job]) async throws -> Void) async throws {
            let linked = files.enumerated().map { number, file in
                let dies = Jobs.now + file.lives
                return (
                    file.link, LineDouble.LinkedFile(bytes: Reels.movie(file.size, seed: UInt64(number)), dies: dies)
                )
            }
            let line = LineDouble(Dictionary(uniqueKeysWithValues: linked), rate: Self.rate, from: Jobs.now)
            let jobs = files.map { Job(RescueLink($0.link, expires: Jobs.now + $0.lives), addedAt: Jobs.now) }
            try await body(line, jobs)
        }
    }

    /// Fetches as much as arrives in time; returns the files by name.
    static func run(_ race: Race) async throws -> [String: JobFile] {
        var found: [String: JobFile] = [:]
        try await race.with { line, jobs in
            try await FileTree().withDirectory { folder in
                let ended = try await fetched(jobs, over: line, in: folder)
                for (file, job) in zip(race.files, ended) { found[file.name] = job.files.first }
            }
        }
        return found
    }

    private static func fetched(_ jobs: [Job], over line: LineDouble, in folder: FilePath) async throws -> [Job] {
        let locations = try Locations(
            for: LocationRequest(environment: ["HOME": folder.display], stateDirectory: folder.appending("s"), user: 1))
        var setup = Agent.Setup(
            settings: Settings(), locations: locations,
            destination: Destination(endpoint: StorageEndpoint(base: "http://storage"), bucket: "media"),
            credentials: StorageCredentials(key: "k"), transport: line, workers: nil)
        setup.rescue.folder = folder.appending("generated")
        setup.rescue.chunk = 1_000
        setup.clock = { line.now }
        try Directory.create(at: folder.appending("state"))
        let registry = try JobRegistry(store: try JobStore(state: folder.appending("state")))
        _ = try await registry.add(jobs)
        let wake = WakeEvent()
        let rescuer = Rescuer(setup.rescuer, registry: registry, receipts: wake)
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await rescuer.run { _ in false } }
            group.addTask {
                defer { rescuer.stop() }
                try await eventually("all files are safe or failed") {
                    await registry.all().flatMap(\.files).allSatisfy { $0.isSafe || $0.stage == .failed }
                }
            }
        }
        return await registry.all()
    }

    // MARK: What the line can bring

    static let possible = [
        Race(
            testDescription: "equal files, the last to die first",
            files: (1...6).reversed().map { File("\($0)", 8_000, lives: Double($0) * 8 + 3) }),
        Race(
            testDescription: "large before small, small before large",
            files: [
                File("d", 20_000, lives: 51), File("b", 4_000, lives: 15), File("e", 6_000, lives: 57),
                File("a", 8_000, lives: 11), File("c", 16_000, lives: 31),
            ]),
        Race(
            testDescription: "two that may not share the line",
            files: [File("b", 20_000, lives: 43), File("a", 20_000, lives: 23)]),
    ]

    @Test(arguments: possible)
    func noneIsLateWhereTheRateAllowsIt(_ race: Race) async throws {
        let files = try await Self.run(race)
        #expect(race.files.filter { files[$0.name]?.isSafe != true }.map(\.name) == [])
    }

    /// Checks the test above: the order of the deadlines brings all files, and no other order does.
    @Test(arguments: possible)
    func everyOtherOrderLosesSome(_ race: Race) {
        let best = race.files.sorted { $0.lives < $1.lives }
        #expect(Race.late(best) == [])
        for order in Self.orders(race.files) where order != best { #expect(Race.late(order) != []) }
    }

    private static func orders(_ files: [File]) -> [[File]] {
        guard !files.isEmpty else { return [[]] }
        return files.indices.flatMap { index in
            var rest = files
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }

    /// The same through the agent: into storage, and nothing requested twice.
    @Test func allOfThemAreStored() async throws {
        let race = Self.possible[1]
        try await race.with { line, jobs in
            try await Studio.with { studio in
                var studio = studio
                studio.equip { setup in
                    setup.rescue.downloads = line
                    setup.rescue.chunk = 1_000
                    setup.clock = { line.now }
                }
                let links = race.files.map { RescueLink($0.link, expires: Jobs.now + $0.lives) }
                let (listing, ending) = try await studio.rescue(.links(links))
                #expect(ending == .done && listing.rows.map(\.state) == Array(repeating: "stored", count: 5))
                #expect(try await studio.fixture.objects().count == 5)
            }
        }
    }

    // MARK: What it cannot

    static let impossible = [
        Race(
            testDescription: "the lost one would die first",
            files: [
                File("c", 8_000, lives: 28), File("lost", 30_000, lives: 9), File("b", 8_000, lives: 20),
                File("a", 8_000, lives: 12),
            ]),
        Race(
            testDescription: "the lost one would die between others",
            files: [
                File("lost", 30_000, lives: 21), File("c", 8_000, lives: 28), File("b", 8_000, lives: 20),
                File("a", 8_000, lives: 12),
            ]),
    ]

    @Test(arguments: impossible)
    func whatCannotComeInTimeTakesNoOthersWithIt(_ race: Race) async throws {
        let files = try await Self.run(race)
        #expect(files.filter { $0.value.isSafe }.map(\.key).sorted() == ["a", "b", "c"])
        let lost = try #require(files["lost"])
        #expect(lost.stage == .failed && lost.failure?.code == "rescue.expired")
        #expect(lost.failure?.message.contains("It was kept until") == true)
        // In the order of the deadlines, more than one file would be late.
        #expect(Race.late(race.files.sorted { $0.lives < $1.lives }).count > 1)
    }

    @Test(arguments: impossible)
    func theReportNamesItBeforeItIsLost(_ race: Race) async throws {
        try await race.with { _, jobs in
            var jobs = jobs
            for (index, file) in race.files.enumerated() { jobs[index].files[0].size = Int64(file.size) }
            let report = try #require(RescueSummary(jobs, rate: Race.rate, now: Jobs.now))
            #expect(report.files.filter { $0.danger == .late }.map(\.file) == ["https://cdn.example/lost.mp4"])
        }
    }
}
