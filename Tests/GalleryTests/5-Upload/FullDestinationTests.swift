import Catalog
import Platform
import Queue
import Reporting
import Serving
import StorageServer
import TestSupport
import Testing

@testable import Gallery

/// A second copy whose disk is full.
@Suite struct FullDestinationTests {
    private static let full = Response(
        status: 507, headers: ["Content-Type": "application/json"],
        body: .bytes(Array(#"{"statusCode":"507","code":"InsufficientStorage","message":"The disk is full"}"#.utf8)))

    @Test func itsFilesWaitWithoutAFailureOfTheirOwn() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "other"]) { fixture in
            var ending = Ending.done
            _ = try await fixture.requests(failing: { request in
                request.path.hasPrefix("/object/media/Pictures/") ? .answer(Self.full) : nil
            }) { ending = try await fixture.sync() }
            #expect(ending.kind == .full)
            #expect(ending.description.contains("The disk of the destination is full"))
            try await fixture.run(.steering) { agent in
                let items = await agent.queue.all()
                #expect(items.map(\.retryCount) == [0, 0])
                #expect(items.contains { $0.blocked == .budget && $0.lastError?.code == .http(507) })
                let report = try await agent.report(.summary)
                #expect(report.reasons().first?.kind == .full)
            }
            // The disk has room again.
            try await fixture.pass()
            #expect(try await fixture.objects().count == 2)
        }
    }
}
