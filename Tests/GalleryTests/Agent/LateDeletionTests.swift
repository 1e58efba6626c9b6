import Catalog
import Configuration
import Gallery
import Platform
import Supabase
import TestSupport
import Testing
import Transfer

/// A deletion that is given up may arrive when something else is stored under the key.
@Suite struct LateDeletionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Leaves an object of `b.jpg` that is to be deleted.
        let prepare: @Sendable (AgentFixture) async throws -> Void
        let delete: @Sendable (AgentFixture) async throws -> Void

        init(
            _ fact: String, delete: @escaping @Sendable (AgentFixture) async throws -> Void,
            _ prepare: @escaping @Sendable (AgentFixture) async throws -> Void
        ) {
            (testDescription, self.prepare, self.delete) = (fact, prepare, delete)
        }
    }

    private static let prune: @Sendable (AgentFixture) async throws -> Void = { fixture in
        _ = try await fixture.run(.steering) { try await $0.prune(deleting: true) }
    }

    /// The server stores the bytes of `b.jpg`, but the answer is lost.
    private static func sendWithoutAnswer(_ fixture: AgentFixture) async throws {
        try fixture.write("two", to: "b.jpg")
        try await fixture.killedPass(at: "/object/media/Pictures/b.jpg")
    }

    private static let rows = [
        Row("the object of a file that is gone", delete: prune) { fixture in
            try fixture.write("two", to: "b.jpg")
            try await fixture.pass()
            try Directory(fixture.gallery).remove(file: "b.jpg")
            try await fixture.pass()
        },
        Row("an object without a receipt", delete: prune) { fixture in
            try await sendWithoutAnswer(fixture)
            try Directory(fixture.gallery).remove(file: "b.jpg")
            try await fixture.pass()
        },
        Row("an object without a receipt, whose file has another name", delete: { try await $0.pass() }) { fixture in
            try await sendWithoutAnswer(fixture)
            try Directory(fixture.gallery).rename("b.jpg", to: "c.jpg")
        },
    ]

    @Test(arguments: rows, [false, true])
    func whatItTakesAwayIsStoredAgain(_ row: Row, isAskedAgain: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.verify.readBack = .never
            try await fixture.pass()
            try await row.prepare(fixture)
            #expect(try await fixture.objects()["Pictures/b.jpg"] == Array("two".utf8))
            let line = LateLine(fixture.client) { $0.method == .delete }
            try await row.delete(fixture.over(line))
            if isAskedAgain {
                try await row.delete(fixture)
                #expect(try await fixture.objects()["Pictures/b.jpg"] == nil)
            }
            try fixture.write("another", to: "b.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects()["Pictures/b.jpg"] == Array("another".utf8))

            try await fixture.expectStoredAgain("Pictures/b.jpg", after: line)
            try await fixture.expectNothingLate()
        }
    }
}
