import Configuration
import Database
import Gallery
import Platform
import Records
import Reporting
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

/// A state directory that goes away while an agent writes to it.
@Suite struct LostStateTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (FilePath) throws -> Void
    }

    @Test(arguments: [
        Row(testDescription: "deleted") { try Directory.removeTree(at: $0) },
        Row(testDescription: "moved") { try Directory($0.parent).rename(FilePath(bytes: $0.name), to: "elsewhere") },
        Row(testDescription: "replaced by a copy") {
            let folder = try Directory($0.parent)
            try folder.rename(FilePath(bytes: $0.name), to: "elsewhere")
            try FileTree(at: $0.parent.appending("elsewhere")).write(to: $0)
        },
    ])
    func aWatchEndsAtOnceAndSaysWhy(_ row: Row) async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            try await fixture.pass()
            let state = try fixture.locations.state
            let error = await #expect(throws: StateGone.self) {
                try await fixture.run(.watch) { agent in
                    _ = try await agent.report("it watches") { $0.settling == 0 }
                    try row.change(state)
                    try await agent.keepSafe([])
                }
            }
            #expect(error?.description.hasPrefix("\(state.display) was deleted, moved or replaced") == true)
        }
    }

    /// A pass that is about to write says the same.
    @Test func aPassSaysItToo() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            await #expect(throws: StateGone.self) {
                try await fixture.run { agent in
                    try Directory.removeTree(at: fixture.locations.state)
                    _ = try await agent.sync([fixture.gallery])
                }
            }
        }
    }
}
