import Catalog
import Gallery
import Platform
import Reporting
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing
import Text

/// A bucket that somebody deleted: what lay in it is not called stored.
@Suite struct BucketLossTests {
    private static let tree: FileTree = ["a.jpg": "a", "b.jpg": "b", "gone.jpg": "c"]

    /// All are stored, one file is deleted, then the bucket is.
    private static func withLoss(_ body: (Workshop) async throws -> Void) async throws {
        try await Workshop.with(tree) { workshop in
            try await workshop.pass()
            try Directory(workshop.gallery).remove(file: "gone.jpg")
            try await workshop.pass()
            try await workshop.storage.emptyBucket("media")
            try await eventually("the bucket is empty") { try await workshop.objects().isEmpty }
            try await workshop.storage.deleteBucket("media")
            try await body(workshop)
        }
    }

    private static func expectStoredAgain(_ workshop: Workshop) async throws {
        #expect(try await workshop.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg"])
        let report = try await workshop.run(.steering) { try await $0.report(.summary) }
        #expect(report.assets == Report.Assets(stored: 2))
        #expect(report.besides.remoteOnly == 0)
    }

    @Test func whatIsHereIsStoredAgainAndTheLossIsSaid() async throws {
        try await Self.withLoss { workshop in
            let said = Shared<[String]>([])
            var workshop = workshop
            workshop.equip = { $0.log = Log(level: .warning) { line in said.change { $0.append(line.message) } } }
            try await workshop.pass()
            let sentence = "Bucket \"media\" was gone with 3 objects in it: what is still here is stored again"
            #expect(said.value == [sentence])
            try await Self.expectStoredAgain(workshop)
        }
    }

    /// The server makes the bucket, and the agent is killed before it hears of that.
    @Test func aKillAfterTheBucketWasMadeLosesNothing() async throws {
        try await Self.withLoss { workshop in
            try await workshop.killedPass(at: "/bucket", by: "POST")
            try await workshop.pass()
            try await Self.expectStoredAgain(workshop)
        }
    }

    /// Beside an answer that lied, the bucket is there: it cannot be made, and its receipts stay.
    @Test func aSlipOfTheServerForgetsNothing() async throws {
        try await Workshop.with(Self.tree) { workshop in
            try await workshop.pass()
            let asked = try await workshop.requests(failing: { request in
                request.method == "GET" && request.path == "/bucket/media"
                    ? MendedTests.refusal(404, "NoSuchBucket", "Bucket not found") : nil
            }) { _ = try await workshop.sync() }
            #expect(asked.count("POST", "/bucket") > 0)
            let again = try await workshop.requests { try await workshop.pass() }
            #expect(again.uploads.isEmpty)
            #expect(!again.lines.contains { $0.path.hasPrefix("/object/info") })
        }
    }

    /// An answer lied, and the line broke before the next one came: whether the bucket was made is not known.
    @Test func aBucketThatHoldsObjectsWasNotMadeAnew() async throws {
        try await Workshop.with(Self.tree) { workshop in
            try await workshop.pass()
            let isOver = Shared(false)
            _ = try await workshop.requests(failing: { request in
                if isOver.value || (request.method == "POST" && request.path == "/bucket") {
                    isOver.change { $0 = true }
                    return .drop(afterReading: 0)
                }
                return request.method == "GET" && request.path == "/bucket/media"
                    ? MendedTests.refusal(404, "NoSuchBucket", "Bucket not found") : nil
            }) { _ = try await workshop.sync() }
            #expect(isOver.value)
            let again = try await workshop.requests { try await workshop.pass() }
            #expect(again.uploads.isEmpty)
            #expect(!again.lines.contains { $0.path.hasPrefix("/object/info") }, "no receipt was forgotten")
        }
    }
}
