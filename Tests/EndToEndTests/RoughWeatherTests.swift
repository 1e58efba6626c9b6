import Foundation
import Platform
import Queue
import Reporting
import TestSupport
import Testing

/// A server that fails a fifth of all requests, and is unreachable for a while.
@Suite struct RoughWeatherTests {
    private static let effects = [
        "status: 503", "status: 429, retryAfter: 1", "status: 544", "status: 409", "reset: 2000", "stall: 2",
        "truncate: 5",
    ]

    /// All effects together hit a fifth of all requests, each an equal share.
    private static let rules =
        (effects.map { "{rate: \(0.2 / Double(effects.count)), \($0)}" } + ["{path: '/object/*', latency: 0.05}"])
        .joined(separator: ",")

    private static func tree(_ count: Int) -> FileTree {
        var random = SeededGenerator(seed: 3)
        var files: [FilePath: FileTree.Node] = [:]
        for number in 0..<count {
            let size = number % 20 == 0 ? 7_000_000 : [0, 200, 5_000, 60_000, 300_000][number % 5]
            let bytes = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
            files[FilePath("\(Int.random(in: 0..<5, using: &random))-\(number).jpg")] = .file(bytes)
        }
        return FileTree(files)
    }

    /// The attempts in the queue on disk: how many failed, and when the last one began.
    private static func attempts(_ fixture: ProgramFixture) throws -> (failed: Int, last: Date) {
        let items = try QueueStore(state: fixture.state.appending("state/default")).load().entries
        return (items.reduce(0) { $0 + $1.retryCount }, items.compactMap(\.lastAttemptAt).max() ?? .distantPast)
    }

    @Test func allIsStoredOnceAndBeingAwayConsumesNoAttempt() async throws {
        let tree = Self.tree(60 * Built.scale)
        try await ProgramFixture.served(tree, rules: Self.rules) { fixture, server in
            var fixture = fixture
            fixture.common += [
                "--set", "sync.patience=60s", "--set", "upload.idleTimeout=1s", "--set", "retry.factor=2",
            ]
            let sync = try fixture.start("sync", fixture.gallery.display)
            try await eventually("it is half way") { try server.requests.stored.count > tree.nodes.count / 3 }
            try await server.cut()
            try await eventually("the agent finds out") {
                let report = try await fixture.status()
                return report.agent.reason == "offline" && report.queue.uploading == 0
            }
            let before = try Self.attempts(fixture)
            #expect(before.failed > 0, "the weather was rough")
            var (last, knocks) = (before.last, 0)
            try await eventually("it knocks in vain twice") {
                let now = try Self.attempts(fixture).last
                if now > last { (last, knocks) = (now, knocks + 1) }
                return knocks == 2
            }
            #expect(try Self.attempts(fixture).failed == before.failed)

            try await server.bringBack(rules: Self.rules)
            let end = try await sync.end()
            #expect(end.code == 0, "\(end.notes)")
            let report = try await fixture.status()
            #expect(report.assets == Report.Assets(stored: tree.nodes.count), "\(report.failures)")
            #expect(try server.requests.stored.values.allSatisfy { $0 == 1 }, "once in effect")
            try await server.cut()
            try await server.bringBack()
            #expect(try await fixture.restored() == tree)
        }
    }
}
