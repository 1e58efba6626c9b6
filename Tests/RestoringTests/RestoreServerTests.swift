import Catalog
import Fixtures
import Foundation
import Platform
import Records
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Configuration
@testable import Restoring

/// The restorer against the embedded server, over real connections.
@Suite struct RestoreServerTests {
    static func setup(_ client: StorageClient, _ bench: RestoreBench) -> Restorer.Setup {
        bench.setup(HTTPClient()) { $0.storage = client }
    }

    @Test func everyNameTimeAndByteComesBack() async throws {
        try await StoringServer.with(try RestorerTests.things()) { client, requests throws in
            try await RestoreBench.with { bench throws in
                let result = try await Restorer(Self.setup(client, bench)).run()
                #expect(result.restored == RestorerTests.album.count)
                #expect(result.ending == .done)
                let files = try bench.tree.files
                for (index, path) in RestorerTests.album.enumerated() {
                    let place = FilePath("Pictures").appending(path)
                    let expected = path == "empty.jpg" ? "" : "content \(index)"
                    #expect(files[place] == Array(expected.utf8), "\(path)")
                    let seconds = 1_600_000_000_000_000_001 + Int64(index) * 1_000_000_007
                    #expect(try bench.modified(place).nanoseconds == seconds)
                }
                // Two names that may be one on some disks are asked about once more where they meet.
                let asked = Set(requests.value)
                let downloads = asked.count { $0.contains("/object/authenticated/") }
                #expect(downloads == RestorerTests.album.count - 1, "all but the empty one")
                requests.change { $0 = [] }
                #expect(try await Restorer(Self.setup(client, bench)).run().alreadyThere == RestorerTests.album.count)
                #expect(Set(requests.value) == asked.filter { !$0.contains("/object/authenticated/") })
            }
        }
    }

    @Test func aConnectionThatBreaksIsGoneOnWith() async throws {
        let text = String(repeating: "0123456789abcdef", count: 8_192)
        let isBroken = Shared(true)
        let breaks: @Sendable (Request) -> Fault? = { request in
            guard request.target.contains("/object/authenticated/"), isBroken.value else { return nil }
            isBroken.change { $0 = false }
            return .cutAnswer(after: 100_000)
        }
        try await StoringServer.with([try StoredThing("big.jpg", text)], faults: breaks) { client, requests throws in
            try await RestoreBench.with { bench throws in
                let result = try await Restorer(Self.setup(client, bench)).run()
                #expect(result.restored == 1)
                #expect(try bench.tree.files["Pictures/big.jpg"] == Array(text.utf8))
                #expect(result.received >= Int64(text.utf8.count))
                #expect(requests.value.count { $0.contains("/object/authenticated/") } == 2)
            }
        }
    }

    /// A fault that the first request of a route meets.
    @Test(
        arguments: [
            ("info", .unavailable(retryAfter: 7), 7), ("authenticated", .unavailable(retryAfter: 7), 7),
            ("list-v2", .unavailable(retryAfter: 7), 7), ("info", .misreportSize(by: 5), 0),
            ("info", .misreportSize(by: -1), 0),
        ] as [(String, Fault, Int)])
    func whatDoesNotLastIsWaitedFor(route: String, fault: Fault, seconds: Int) async throws {
        let isThere = Shared(true)
        let faults: @Sendable (Request) -> Fault? = { request in
            guard request.target.contains("/object/\(route)/"), isThere.value else { return nil }
            isThere.change { $0 = false }
            return fault
        }
        try await StoringServer.with([try StoredThing("a.jpg", "hello")], faults: faults) { client, _ throws in
            try await RestoreBench.with { bench throws in
                #expect(try await Restorer(Self.setup(client, bench)).run().restored == 1)
                #expect(bench.pauses.value.count == 1)
                #expect(bench.pauses.value.allSatisfy { $0 >= .seconds(seconds) })
                #expect(try bench.tree == ["Pictures": ["a.jpg": "hello"]] && !isThere.value)
            }
        }
    }

    @Test(arguments: [true, false])
    func withoutTheBucketNothingIsRestoredAndTheEndingSaysWhy(isLocal: Bool) async throws {
        try await StoringServer.with([]) { client, _ throws in
            try await RestoreBench.with { bench throws in
                var setup = Self.setup(client, bench)
                setup.destination = Destination(endpoint: client.endpoint, bucket: "medai", isLocal: isLocal)
                let place = isLocal ? "on this computer" : "at \(client.endpoint.address)"
                #expect(
                    try await Restorer(setup).run().ending
                        == .needsHuman("There is no bucket \"medai\" \(place), or it is not yours to see."))
            }
        }
    }
}
