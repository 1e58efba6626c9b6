import Catalog
import Configuration
import Gallery
import Platform
import Supabase
import TestSupport
import Testing
import Transfer

/// Gives up the first deletion, which can still be sent on later.
struct LateDeletion: Transport {
    let server: any Transport
    let held = Shared<HTTPRequest?>(nil)

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        guard request.method == .delete, held.value == nil else { return try await server.send(request) }
        held.change { $0 = request }
        throw TransferError(.timedOut, "no answer in time", mayHaveArrived: true)
    }
}

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
            var slow = fixture
            let line = LateDeletion(server: fixture.client)
            slow.equip = { $0.transport = line }
            try await row.delete(slow)
            if isAskedAgain {
                try await row.delete(fixture)
                #expect(try await fixture.objects()["Pictures/b.jpg"] == nil)
            }
            try fixture.write("another", to: "b.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects()["Pictures/b.jpg"] == Array("another".utf8))

            _ = try await fixture.client.send(try #require(line.held.value))
            #expect(try await fixture.objects()["Pictures/b.jpg"] == nil)
            try await fixture.pass()
            #expect(try await fixture.objects()["Pictures/b.jpg"] == Array("another".utf8))
            for _ in 0..<2 { try await fixture.later.pass() }
            let name = fixture.destination.name
            let (attempts, deletions) = try await fixture.run(.steering) {
                (
                    try await $0.library.attempts(destination: name, after: "", count: 9),
                    try await $0.library.deletions(destination: name)
                )
            }
            #expect(attempts.isEmpty)
            #expect(deletions.isEmpty)
        }
    }
}
