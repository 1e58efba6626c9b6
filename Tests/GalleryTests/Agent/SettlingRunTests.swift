import Catalog
import Configuration
import Fixtures
import Foundation
import Platform
import Records
import TestSupport
import Testing
import Text

@testable import Gallery

/// Files that may still be written when a pass begins.
@Suite struct SettlingRunTests {
    /// A fixture whose files must be left alone for an hour; its file was changed `age` seconds ago.
    private static func fixture(
        _ name: FilePath, changed age: Double, _ body: (AgentFixture) async throws -> Void
    ) async throws {
        try await AgentFixture.with(FileTree([name: "x"])) { fixture in
            var fixture = fixture
            fixture.settings.scan.settle = .seconds(3_600)
            try Directory(fixture.gallery).open(writing: name).setModified(FileTime(Date() - age))
            try await body(fixture)
        }
    }

    @Test func aFileThatIsStillBeingWrittenIsNotSent() async throws {
        try await Self.fixture("slow.mov", changed: 0) { fixture in
            let ending = try await fixture.sync()
            let sentence = "Pictures/slow.mov is still being written: the next sync takes what is whole by then"
            #expect(ending == .temporary(sentence))
            #expect(try await fixture.objects().isEmpty)
        }
    }

    @Test(arguments: [3_601.0, -86_400.0])
    func aFileOfLongAgoOrOfTheFutureIsSentAtOnce(age: Double) async throws {
        try await Self.fixture("whole.jpg", changed: age) { fixture in
            try await fixture.pass()
            #expect(try await fixture.objects().count == 1)
        }
    }

    /// An hour by the agent's clock, which the test advances.
    @Test func aPassWaitsForAFileUntilItIsLeftAlone() async throws {
        try await Self.fixture("fresh.jpg", changed: 0) { fixture in
            let clock = TestClock(Date())
            var fixture = fixture
            fixture.settings.sync.patience = .seconds(7_200)
            fixture.equip = { $0.time = clock.clock }
            let gallery = fixture.gallery
            let ending = try await fixture.run { agent in
                async let ending = agent.sync([gallery])
                let isOver = Shared(false)
                async let passing: Void = eventually("the pass ends") {
                    clock.advance(by: 10)
                    return isOver.value
                }
                let result = try await ending
                isOver.change { $0 = true }
                try await passing
                return result
            }
            #expect(ending == .done)
            #expect(clock.now.timeIntervalSince(Date()) > 3_000, "it waited until then")
            #expect(try await fixture.objects().count == 1)
        }
    }
}
