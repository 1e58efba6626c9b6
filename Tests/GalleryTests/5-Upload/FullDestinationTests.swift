import Catalog
import Configuration
import Platform
import Queue
import Records
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
            let causes = try QueueSnapshot(state: fixture.locations.state).causes
            #expect(Array(causes.keys) == [BlockedCause(.budget, code: .http(507))])
            try await fixture.run(.steering) { agent in
                let items = await agent.queue.all()
                #expect(items.map(\.retryCount) == [0, 0])
                let report = try await agent.report(.summary)
                #expect(report.reasons().first?.kind == .full)
            }
            // Its disk has room again.
            try await fixture.pass()
            #expect(try await fixture.objects().count == 2)
        }
    }

    @Test func whatIsSmallIsStoredThoughOneFileDoesNotFit() async throws {
        var tree: FileTree = ["large.jpg": .file([UInt8](repeating: 1, count: 5_000))]
        for number in 1...12 { tree.nodes[FilePath("\(number).jpg")] = .file([UInt8(number)]) }
        try await AgentFixture.with(tree) { fixture in
            var ending = Ending.done
            _ = try await fixture.requests(failing: { request in
                (request.body.length ?? 0) >= 5_000 ? .answer(Self.full) : nil
            }) { ending = try await fixture.sync() }
            #expect(ending == .full("The disk of the destination is full: make room there. 1 of 13 files waits"))
            #expect(try await fixture.objects().count == 12)
            try await fixture.pass()
            #expect(try await fixture.objects().count == 13)
        }
    }

    /// The file that did not fit is not sent once more before those that came since.
    @Test func whatComesLaterIsStoredThoughAnEarlierFileDidNotFit() async throws {
        try await AgentFixture.with(["large.jpg": .file([UInt8](repeating: 1, count: 5_000))]) { fixture in
            let asked = try await fixture.requests(failing: { request in
                (request.body.length ?? 0) >= 5_000 ? .answer(Self.full) : nil
            }) {
                try await fixture.run { agent in
                    #expect(try await agent.sync([fixture.gallery]).kind == .full)
                    for number in 1...3 { try fixture.write("\(number)", to: FilePath("\(number).jpg")) }
                    let ending = try await agent.sync([fixture.gallery])
                    #expect(ending == .full("The disk of the destination is full: make room there. 1 of 4 files waits"))
                }
            }
            #expect(try await fixture.objects().count == 3)
            #expect(asked.uploads.count == 4)
        }
    }
}
