import Catalog
import Configuration
import Gallery
import Platform
import Queue
import Reporting
import Roots
import Supabase
import Sync
import TestSupport
import Testing
import Transfer
import Uploading

/// Errors of the local disk that pass by themselves, and those that do not.
@Suite struct PassingTroubleTests {
    private static let io: Int32 = 5
    private static let denied: Int32 = 13

    /// A pass over one file that fails to open with `code` for the first `failures` times.
    ///
    /// - Parameter patience: Short only where nothing ever succeeds; otherwise a slow machine would give up.
    private static func pass(
        failures: Int, with code: Int32, patience: Duration = .seconds(100)
    ) async throws -> (ending: Ending, report: Report) {
        let left = Shared(failures)
        var result: (Ending, Report)?
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            var fixture = fixture
            fixture.settings.sync.patience = patience
            fixture.settings.scan.settle = .zero
            fixture.equip = {
                $0.identifier = Identifier { root, path throws(SystemError) in
                    var fails = false
                    left.change { count in
                        fails = count > 0
                        count -= 1
                    }
                    if fails { throw SystemError(call: "openat2", code: code, path: path) }
                    return try root.open(path)
                }
            }
            let ending = try await fixture.sync()
            result = (ending, try await fixture.run(.steering) { try await $0.report(.summary) })
        }
        return try #require(result)
    }

    @Test func whatPassesIsTriedAgainInTheSameRun() async throws {
        let (ending, report) = try await Self.pass(failures: 3, with: Self.io)
        #expect(ending == .done)
        #expect(report.assets == Report.Assets(stored: 1))
    }

    @Test func whatDoesNotPassWithinPatienceIsNamed() async throws {
        let (ending, report) = try await Self.pass(failures: .max, with: Self.io, patience: .seconds(1))
        #expect(ending == .someFailed(1))
        #expect(report.assets == Report.Assets(unreadable: 1))
        #expect(report.failures.map(\.code) == ["file.EIO"])
    }

    @Test func whatIsDeniedIsNotTriedAgain() async throws {
        let (ending, report) = try await Self.pass(failures: 1, with: Self.denied)
        #expect(ending == .someFailed(1))
        #expect(report.failures.map(\.code) == ["file.EACCES"])
    }

    @Test(arguments: [
        ("passing", Int32(5), "retry"), ("the disk is away", 123, "blocked"), ("denied", 13, "refused"),
        ("too many open files", 24, "retry"),
    ])
    func aSourceThatCannotBeOpenedToBeSent(_ sentence: String, code: Int32, outcome: String) {
        let found: String =
            switch UploadOutcome(reading: SystemError(call: "openat2", code: code)) {
            case .retry: "retry"
            case .blocked(.away, _): "blocked"
            case .refused: "refused"
            default: "something else"
            }
        #expect(found == outcome, Comment(rawValue: sentence))
    }
}
