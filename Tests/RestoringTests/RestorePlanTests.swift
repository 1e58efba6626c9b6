import Fixtures
import Platform
import Sync
import TestSupport
import Testing

@testable import Restoring

/// A dry run: what the listing tells is not asked for again.
@Suite struct RestorePlanTests {
    private static let there: FileTree = [
        "Pictures": [
            "same.jpg": "hello", "other.jpg": "jello", "longer.jpg": "hello, world", "empty.jpg": "",
            "folder.jpg": ["x": "y"], "link.jpg": .symlink(to: "same.jpg"), "file": "a file",
        ]
    ]

    private static func things() throws -> [StoredThing] {
        let long = FilePath(Array(repeating: String(repeating: "d", count: 120), count: 8).joined(separator: "/"))
        let paths: [FilePath] = [
            "new.jpg", "a/b/new.jpg", "same.jpg", "other.jpg", "longer.jpg", "empty.jpg", "folder.jpg", "link.jpg",
            "file/below.jpg", ".thumbnails/512/x.jpg", long,
        ]
        return try paths.map { try StoredThing($0, "hello") }
    }

    @Test func onlyWhatADecisionNeedsIsAskedFor() async throws {
        try await RestoreBench.with(Self.there) { bench in
            let bucket = BucketDouble(try Self.things())
            _ = try await bench.restore(bucket) { $0.isDryRun = true }
            let asked = Set(bucket.calls(.info).map { $0.key.split(separator: "/").last.map(String.init) ?? "" })
            // A shortened key's path, a thumbnail's or not, the same or not, and a name that is made from the hash.
            #expect(asked.count == 5)
            #expect(asked.isSuperset(of: ["same.jpg", "other.jpg", "folder.jpg", "x.jpg"]))
            #expect(bucket.calls(.get).isEmpty)
        }
    }

    /// Whatever it leaves out, a plan and what is done then are the same.
    @Test(arguments: [there, [:], ["Pictures": "a file has the root's name"]])
    func whatIsPlannedIsWhatIsDone(_ tree: FileTree) async throws {
        try await RestoreBench.with(tree) { bench in
            let bucket = BucketDouble(try Self.things())
            let plan = try await bench.restore(bucket) { $0.isDryRun = true }
            #expect(try bench.tree == tree)
            bench.told.change { $0 = [] }
            let done = try await bench.restore(bucket)
            let restored = bench.told.value.filter { $0.outcome == .restored }
            #expect(Set(plan.planned.map(\.place)) == Set(restored.map(\.place)))
            #expect(plan.restored == done.restored && plan.restoredBytes == done.restoredBytes)
            #expect(plan.alreadyThere == done.alreadyThere)
            #expect(plan.refused.map(\.place) == done.refused.map(\.place))
            #expect(plan.renamed.map(\.place) == done.renamed.map(\.place))
            #expect(plan.unproven == done.unproven)
        }
    }

    /// When a file changed only its metadata tell.
    @Test func withADateEveryObjectIsAskedFor() async throws {
        try await RestoreBench.with { bench in
            let old = try StoredThing("old.jpg", "1", at: FileTime(nanoseconds: 5))
            let bucket = BucketDouble([old, try StoredThing("new.jpg", "2")])
            let plan = try await bench.restore(bucket) {
                $0.isDryRun = true
                $0.selection = RestoreSelection(since: FileTime(nanoseconds: 6))
            }
            #expect(plan.planned.map(\.place) == ["Pictures/new.jpg"])
            #expect(bucket.calls(.info).count == 2)
        }
    }

    @Test func aPathWithoutAnObjectIsToldWithoutARequestForOne() async throws {
        try await RestoreBench.with { bench in
            let bucket = BucketDouble(try Self.things())
            let plan = try await bench.restore(bucket) {
                $0.isDryRun = true
                $0.selection = RestoreSelection(paths: ["a/b", "c"])
            }
            #expect(plan.planned.map(\.place) == ["Pictures/a/b/new.jpg"])
            #expect(plan.unmatched == ["c"])
        }
    }

    /// Nothing is said to be downloaded.
    @Test(arguments: [(true, [.scan, .plan]), (false, [.scan, .download])] as [(Bool, [Progress.Step])])
    func theProgressNamesWhatIsDone(_ isDryRun: Bool, _ steps: [Progress.Step]) async throws {
        try await RestoreBench.with { bench in
            let bucket = BucketDouble([try StoredThing("a.jpg", "hello")])
            let restorer = Restorer(bench.setup(bucket) { $0.isDryRun = isDryRun })
            _ = try await restorer.run()
            #expect(restorer.progress.counts.map(\.step) == steps)
            #expect(restorer.progress.counts.map(\.done) == [1, 1])
        }
    }
}
