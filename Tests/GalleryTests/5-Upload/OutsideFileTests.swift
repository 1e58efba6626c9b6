import Fixtures
import FoundationEssentials
import Platform
import Queue
import Records
import TestSupport
import Testing

@testable import Gallery

/// Items of an edited queue.json that name files outside of their root.
@Suite struct OutsideFileTests {
    @Test(arguments: ["../secret.jpg", "2026/../../secret.jpg", "/etc/passwd", "2026/.."] as [FilePath])
    func whatLiesOutsideOfItsRootIsNeitherSentNorAFailure(_ path: FilePath) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            try await fixture.run(.steering) {
                _ = try await $0.queue.add(Items.pending(path), origin: .backlog, now: Date())
            }
            #expect(try await fixture.sync() == .done)
            try await fixture.run(.steering) {
                #expect(await $0.queue.all().map(\.filePath) == ["a.jpg"])
            }
            #expect(try await fixture.objects().count == 1)
        }
    }
}
