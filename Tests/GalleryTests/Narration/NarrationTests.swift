import Catalog
import Control
import Gallery
import Narration
import Platform
import Records
import Serving
import StorageServer
import Supabase
import Sync
import TestSupport
import Testing
import Text

/// What the log of a watching agent says.
@Suite struct NarrationTests {
    @Test func aWatchSaysWhatItStoredWhatIsRefusedAndWhenThatIsOver() async throws {
        try await AgentFixture.with(["a.jpg": "a", "b.jpg": "b", "bad.jpg": "bad"]) { fixture in
            let isMended = Shared(false)
            fixture.faults.change {
                $0 = { request in
                    guard !isMended.value, request.method == "POST", request.path.hasSuffix("/bad.jpg") else {
                        return nil
                    }
                    return MendedTests.refusal(400, "InvalidMimeType", "mime type image/jpeg is not supported")
                }
            }
            let said = Shared<[Log.Line]>([])
            let heard = Shared<[AgentEvent]>([])
            var fixture = fixture
            fixture.equip = {
                $0.log = Log(level: .debug) { line in said.change { $0.append(line) } }
                $0.hooks.hear = { event in heard.change { $0.append(event) } }
            }
            try await fixture.run(.watch) { [fixture] agent in
                _ = try await agent.adopt(fixture.gallery)
                try await eventually("it says what it did") {
                    said.value.contains { $0.message.hasPrefix("Stored 2 files") && $0.message.hasSuffix("; 1 failed") }
                }
                try await eventually("it says what is refused") {
                    said.value.contains { $0.level == .warning && $0.message.hasPrefix("Pictures/bad.jpg: ") }
                }
                isMended.change { $0 = true }
                _ = try await agent.answer(ReuploadOrder(Selection()))
                try await eventually("it says that this is over") {
                    said.value.contains { $0.message.hasPrefix("No file fails any more with: ") }
                }
            }
            let files = said.value.filter { $0.level == .debug && $0.message == "Stored" }
            #expect(files.count == 3)
            #expect(files.allSatisfy { $0.details.map(\.name) == ["path", "role", "size", "standing", "proof"] })
            #expect(said.value.contains { $0.level == .debug && $0.message == "Failed" })
            #expect(heard.value.count { if case .state = $0 { true } else { false } } == 2)
            #expect(heard.value.contains { if case .batch = $0 { true } else { false } })
        }
    }
}
