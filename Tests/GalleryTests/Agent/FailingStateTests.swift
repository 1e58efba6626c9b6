import Configuration
import Database
import Gallery
import Platform
import TestSupport
import Testing

/// What the state's disk refuses ends the run, so that it is said and the next one tries again.
@Suite struct FailingStateTests {
    /// Has the library refuse rows of one table, as a full disk does.
    private static func refuse(_ table: String, in fixture: AgentFixture) throws {
        try Connection(path: fixture.locations.library.display).execute(
            "CREATE TRIGGER refusing BEFORE INSERT ON \(table) BEGIN SELECT RAISE(FAIL, 'the disk is full'); END")
    }

    /// A loop, and what a child of it writes for each file that it finds, or reads.
    @Test(arguments: [
        ("watch", "assets"), ("watch", "contents"), ("sync", "assets"), ("sync", "contents"),
    ])
    func whatCannotBeWrittenEnds(_ command: String, _ table: String) async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            try await fixture.pass()
            try Self.refuse(table, in: fixture)
            try fixture.write("b", to: "b.jpg")
            await #expect(throws: DatabaseError.self) {
                if command == "watch" {
                    try await fixture.run(.watch) { try await $0.keepSafe([]) }
                } else {
                    try await fixture.run { _ = try await $0.sync([]) }
                }
            }
        }
    }
}
