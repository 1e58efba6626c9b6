import Catalog
import Configuration
import Gallery
import Glibc
import Platform
import Queue
import Records
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

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// How often it fails.
        let failures: Int
        let code: Int32
        var patience = Duration.seconds(100)
        /// How its failure is named; `nil` where it is stored.
        var failure: String?
    }

    @Test(arguments: [
        Row(testDescription: "what passes is tried again in the same run", failures: 3, code: EIO),
        Row(testDescription: "so is one that finds no room for a descriptor", failures: 1, code: EMFILE),
        Row(
            testDescription: "what does not pass within patience is named", failures: .max, code: EIO,
            patience: .seconds(1), failure: "file.EIO"),
        Row(
            testDescription: "what is denied is not tried again", failures: 1, code: EACCES, failure: "file.EACCES"),
        Row(testDescription: "nor what is too long", failures: 1, code: ENAMETOOLONG, failure: "file.ENAMETOOLONG"),
    ])
    func aFileThatCannotBeOpened(_ row: Row) async throws {
        let (ending, report) = try await Self.pass(failures: row.failures, with: row.code, patience: row.patience)
        #expect(ending == (row.failure == nil ? .done : .someFailed(1)))
        #expect(report.assets == (row.failure == nil ? Report.Assets(stored: 1) : Report.Assets(unreadable: 1)))
        #expect(report.failures.map(\.code) == [row.failure].compactMap(\.self))
    }

    @Test(arguments: [
        ("passing", EIO, "retry"), ("the disk is away", ENOMEDIUM, "blocked"), ("denied", EACCES, "refused"),
        ("too many open files", EMFILE, "retry"),
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
