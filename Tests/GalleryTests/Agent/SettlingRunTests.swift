import Catalog
import Configuration
import Foundation
import Platform
import TestSupport
import Testing
import Text

@testable import Gallery

/// Files that may still be written when a pass begins.
@Suite struct SettlingRunTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test(arguments: [
        ("just written", 0.0, Freshness.fresh(until: now + 2)),
        ("a second ago", -1.0, .fresh(until: now + 1)),
        ("as long ago as is asked for", -2.0, .settled),
        ("long ago", -86_400.0, .settled),
        ("a time in the future is somebody's own", 1.0, .settled),
    ])
    func freshness(_ sentence: String, age: Double, freshness: Freshness) {
        let found = Freshness(modifiedAt: FileTime(Self.now + age), settle: .seconds(2), now: Self.now)
        #expect(found == freshness, Comment(rawValue: sentence))
    }

    /// A workshop whose files have to be left alone for an hour; the file there was changed so long ago.
    private static func workshop(
        _ name: FilePath, changed age: Double, _ body: (Workshop) async throws -> Void
    ) async throws {
        try await Workshop.with(FileTree([name: "x"])) { workshop in
            var workshop = workshop
            workshop.settings.scan.settle = .seconds(3_600)
            try Directory(workshop.gallery).open(writing: name).setModified(FileTime(Date() - age))
            try await body(workshop)
        }
    }

    @Test func aFileThatIsStillBeingWrittenIsNotSent() async throws {
        try await Self.workshop("slow.mov", changed: 0) { workshop in
            let ending = try await workshop.sync()
            let sentence = "Pictures/slow.mov is still being written: the next sync takes what is whole by then"
            #expect(ending == .temporary(sentence))
            #expect(try await workshop.objects().isEmpty)
        }
    }

    @Test(arguments: [3_601.0, -86_400.0])
    func aFileOfLongAgoOrOfTheFutureIsSentAtOnce(age: Double) async throws {
        try await Self.workshop("whole.jpg", changed: age) { workshop in
            try await workshop.pass()
            #expect(try await workshop.objects().count == 1)
        }
    }

    /// An hour by the clock that the agent was given, which a test moves.
    @Test func aPassWaitsForAFileUntilItIsLeftAlone() async throws {
        try await Self.workshop("fresh.jpg", changed: 0) { workshop in
            let clock = TestClock(Date())
            var workshop = workshop
            workshop.settings.sync.patience = .seconds(7_200)
            workshop.equip = { $0.time = clock.clock }
            let gallery = workshop.gallery
            let ending = try await workshop.run { agent in
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
            #expect(try await workshop.objects().count == 1)
        }
    }
}
