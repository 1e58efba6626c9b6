import Fixtures
import Foundation
import Glibc
import Platform
import Records
import Supabase
import TestSupport
import Testing
import Text
import Transfer

@testable import Catalog
@testable import Queue
@testable import Restoring
@testable import Sync

@Suite struct RestoreFailureTests {
    static func busy(retryAfter seconds: Int) -> BucketDouble.Fault {
        .answer(HTTPResponse(status: 503, headers: ["retry-after": String(seconds)]))
    }

    static func refusal(_ status: Int, _ inBody: Int, _ code: String) -> BucketDouble.Fault {
        .answer(
            BucketDouble.json(
                status, #"{"statusCode":"\#(inBody)","error":"x","message":"in words","code":"\#(code)"}"#))
    }

    static func hello() throws -> StoredThing { try StoredThing("a.jpg", "hello") }

    // MARK: What passes

    @Test(
        arguments: [
            ("busy", busy(retryAfter: 0)), ("no connection", .fails(.unreachable)), ("a timeout", .fails(.timedOut)),
            ("an answer without sense", .answer(BucketDouble.json(200, "<html>"))),
            ("a broken server", refusal(500, 500, "InternalError")),
        ] as [(String, BucketDouble.Fault)])
    func whatPassesIsTriedAgain(_ row: (why: String, fault: BucketDouble.Fault)) async throws {
        for number in 0..<2 {
            try await RestoreBench.with { bench throws in
                let result = try await bench.restore(
                    BucketDouble([try Self.hello()]) { call, _ in call == number ? row.fault : nil })
                #expect(result.ending == .done, "\(row.why), request \(number)")
                #expect(try bench.tree == ["Pictures": ["a.jpg": "hello"]])
                #expect(bench.pauses.value.count == 1)
            }
        }
    }

    /// Nothing is listed yet, so that nothing else shows that it works.
    @Test(
        arguments: [
            .fails(.unreachable),
            .answer(BucketDouble.json(503, #"{"statusCode":"503","error":"x","message":"It is busy."}"#)),
        ] as [BucketDouble.Fault])
    func thatTheStorageCannotBeListedYetIsSaidOnce(_ fault: BucketDouble.Fault) async throws {
        try await RestoreBench.with { bench throws in
            let said = Shared<[String]>([])
            let result = try await bench.restore(
                BucketDouble([try Self.hello()]) { call, _ in [0, 1, 3].contains(call) ? fault : nil }
            ) { $0.log = Log(level: .info) { line in said.change { $0.append(line.message) } } }
            #expect(result.ending == .done)
            #expect(said.value.count == 1)
            let words = try #require(said.value.first)
            #expect(words.contains(/[^.]\. Trying again for a minute or two$/), "\(words)")
        }
    }

    @Test func aServersWishIsHonoured() async throws {
        try await RestoreBench.with { bench throws in
            _ = try await bench.restore(
                BucketDouble([try Self.hello()]) { call, _ in call < 2 ? Self.busy(retryAfter: 40) : nil })
            #expect(bench.pauses.value.count == 2)
            #expect(bench.pauses.value.allSatisfy { $0 >= .seconds(40) })
        }
    }

    @Test func aWishForMoreThanOurPatienceEndsTheFile() async throws {
        try await RestoreBench.with { bench throws in
            let result = try await bench.restore(
                BucketDouble([try Self.hello()]) { call, _ in call > 0 ? Self.busy(retryAfter: 301) : nil })
            #expect(bench.pauses.value.isEmpty)
            #expect(result.failed.count == 1)
            guard case .temporary = result.ending else { return #expect(Bool(false), "\(result.ending)") }
        }
    }

    @Test func attemptsEnd() async throws {
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble([try Self.hello(), try StoredThing("b.jpg", "other")]) { _, call in
                call.key == "Pictures/a.jpg" ? .fails(.lost) : nil
            }
            let result = try await bench.restore(bucket)
            #expect(bucket.calls(.info).count { $0.key == "Pictures/a.jpg" } == 6)
            #expect(result.failed.map(\.place) == ["Pictures/a.jpg"])
            #expect(try bench.tree == ["Pictures": ["b.jpg": "other"]])
        }
    }

    @Test func aServerThatIsGoneEndsTheRunAndNotFileAfterFile() async throws {
        let things = try (0..<200).map { try StoredThing(FilePath("\($0).jpg"), "hello") }
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble(things) { number, _ in number > 20 ? .fails(.unreachable) : nil }
            let result = try await bench.restore(bucket) { $0.concurrency = 1 }
            #expect(result.ending == .temporary("8 files in a row did not come: made to fail"))
            // One listing, ten files with two requests each, then eight with six attempts each.
            #expect(bucket.calls.count == 1 + 10 * 2 + 8 * 6)
        }
    }

    /// When the eighth failure is reported, seven files were replaced by others and eight are under way; of those
    /// seven may end, and be replaced, before the eighth failure takes effect.
    @Test func whatIsInHandMeanwhileIsBounded() async throws {
        let things = try (0..<200).map { try StoredThing(FilePath("\($0).jpg"), "hello") }
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble(things) { number, _ in number > 0 ? .fails(.unreachable) : nil }
            let result = try await bench.restore(bucket)
            #expect(result.ending == .temporary("8 files in a row did not come: made to fail"))
            #expect(Set(bucket.calls(.info).map(\.key)).count <= 7 + 8 + 7)
        }
    }

    @Test func filesThatComeInBetweenKeepTheRunGoing() async throws {
        let things = try (0..<40).map { try StoredThing(FilePath("\($0).jpg"), "hello") }
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble(things) { _, call in
                call.verb == .get && call.key.hasSuffix("5.jpg") ? .fails(.lost) : nil
            }
            let result = try await bench.restore(bucket) {
                $0.misfortunes = 2; $0.concurrency = 1
            }
            #expect(result.failed.count == 4)
            #expect(result.restored == 36)
        }
    }

    @Test func whatIsWaitedForIsShown() async throws {
        try await RestoreBench.with { bench throws in
            let shown = Shared<Sync.Progress?>(nil)
            let restorer = Shared<Restorer?>(nil)
            let setup = bench.setup(BucketDouble([try Self.hello()]) { call, _ in call < 1 ? .fails(.lost) : nil }) {
                $0.pause = { _ in shown.change { $0 = restorer.value?.progress } }
            }
            restorer.change { $0 = Restorer(setup) }
            _ = try await restorer.value?.run()
            #expect(shown.value?.note == "made to fail")
            #expect(shown.value?.retriesWaiting == 1)
            #expect(restorer.value?.progress.note == nil)
        }
    }

    // MARK: What lasts

    struct Alone: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let thing: @Sendable () throws -> StoredThing
        /// What each request for it meets.
        var fault: BucketDouble.Fault?
        /// The requests that meet it; `nil` for all.
        var verb: BucketDouble.Call.Verb?
        let failure: Item.Failure
        /// How often it is downloaded.
        let downloads: Int
        /// Whether storage has lost bytes, which only another upload brings back.
        var isDamage = false
    }

    @Test(arguments: [
        Alone(
            testDescription: "an object that is gone meanwhile", thing: hello, fault: .answer(BucketDouble.missing),
            failure: Item.Failure(code: "storage.NoSuchKey", message: "Object not found", retryable: false),
            downloads: 0),
        Alone(
            testDescription: "an object that is gone once it is asked for", thing: hello,
            fault: .answer(BucketDouble.missing), verb: .get,
            failure: Item.Failure(code: "storage.NoSuchKey", message: "Object not found", retryable: false),
            downloads: 1),
        Alone(
            testDescription: "damaged bytes do not become a file",
            thing: { try hello().with { $0.bytes = Array("jello".utf8) } },
            failure: Item.Failure(
                code: "restore.damaged",
                message: "what is stored is damaged: its bytes are not those that its SHA-256 names",
                retryable: false), downloads: 2, isDamage: true),
        Alone(
            testDescription: "an object that has lost bytes in storage", thing: hello,
            fault: refusal(500, 500, "ObjectDamaged"), verb: .get,
            failure: Item.Failure(code: "storage.ObjectDamaged", message: "in words", retryable: false), downloads: 1,
            isDamage: true),
        Alone(
            testDescription: "a name too long for the file system, which is found out before the download",
            thing: { StoredThing(key: "Pictures/" + String(repeating: "n", count: 256), "x") },
            failure: Item.Failure(
                code: "file.ENAMETOOLONG", message: "The name is too long for the file system it is to lie on",
                retryable: false), downloads: 0),
    ])
    func whatIsWrongWithAnObjectFailsItAlone(_ row: Alone) async throws {
        try await RestoreBench.with { bench throws in
            let thing = try row.thing()
            let bucket = BucketDouble([thing, try StoredThing("z.jpg", "other")]) { _, call in
                call.key == thing.key && call.verb == row.verb ?? call.verb ? row.fault : nil
            }
            let result = try await bench.restore(bucket) { $0.concurrency = 1 }
            #expect(result.failed.map(\.key) == [thing.key])
            #expect(result.failed.map(\.outcome) == [.failed(row.failure)])
            #expect((result.nextStep != nil) == row.isDamage)
            #expect(result.restored == 1 && result.ending == .someFailed(1))
            #expect(try bench.tree == ["Pictures": ["z.jpg": "other"]])
            #expect(bucket.calls(.get).count { $0.key == thing.key } == row.downloads)
        }
    }

    private static let keyRefused =
        "The key is refused. Set a new GALLERY_SYNC_KEY, or run \"gallery-sync login\". The server says: in words"

    @Test(
        arguments: [
            (
                "signed out while listing", 0, refusal(401, 401, "AccessDenied"),
                .notPermitted(keyRefused)
            ),
            ("signed out later", 1, refusal(401, 401, "AccessDenied"), .notPermitted(keyRefused)),
            (
                "over the plan", 0, refusal(402, 402, "Nonsense"),
                .full(
                    "The organisation is over its plan's quota: reading, sending and deleting are all refused until "
                        + "that is settled in the dashboard.")
            ),
            ("not permitted to list", 0, refusal(400, 403, "AccessDenied"), .notPermitted("in words (AccessDenied)")),
            (
                "no bucket", 0, refusal(400, 404, "NoSuchBucket"),
                .needsHuman("The bucket is not there: in words (NoSuchBucket)")
            ),
            (
                "another service", 0, refusal(404, 404, "Nonsense"),
                .needsHuman("The bucket cannot be listed: in words (Nonsense)")
            ),
            (
                "a page without an end", 0, .fails(.tooLarge),
                .temporary("The server's answer makes no sense: the bucket's listing is too long for one page")
            ),
            ("the host is down", 0, .fails(.unreachable), .temporary("made to fail")),
        ] as [(String, Int, BucketDouble.Fault, Ending)])
    func whatConcernsAllFilesEndsTheRun(_ row: (why: String, from: Int, fault: BucketDouble.Fault, ending: Ending))
        async throws
    {
        try await RestoreBench.with { bench throws in
            let result = try await bench.restore(
                BucketDouble([try Self.hello()]) { number, _ in number >= row.from ? row.fault : nil }
            ) { $0.selection = RestoreSelection(paths: ["Pictures"]) }
            #expect(result.ending == row.ending, "\(row.why)")
            #expect(try bench.tree == [:])
        }
    }

    @Test(arguments: [4, 6, 500])
    func aWrongSizeInTheAnswerIsFound(claimed: Int) async throws {
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble([try Self.hello().with { $0.claimedSize = claimed }])
            let result = try await bench.restore(bucket)
            #expect(result.failed.count == 1)
            #expect(try bench.tree.files.keys.allSatisfy(\.isPart))
            bucket.put(try Self.hello())
            #expect(try await bench.restore(bucket).restored == 1)
            #expect(try bench.tree == ["Pictures": ["a.jpg": "hello"]])
        }
    }

    @Test func aFileThatAnotherRunHasInHandIsTriedLater() async throws {
        try await RestoreBench.with { bench throws in
            let thing = try Self.hello()
            let part = try RestoreTarget(try thing.read, key: thing.key, prefix: "").part
            let folder = LocalRestoreFolder(try Directory(bench.directory))
            try folder.makeDirectories("Pictures")
            let held = Shared(try folder.openPart(part))
            let result = try await bench.restore(BucketDouble([thing])) { setup in
                setup.pause = { _ in held.change { $0 = nil } }
            }
            #expect(result.restored == 1)
        }
    }

    // MARK: Hostile directories

    @Test(
        arguments: [
            ("a symlink has its name", ["a.jpg": .symlink(to: "../../out/x")], "a.jpg", "a symlink has its name"),
            ("so has one that leads nowhere", ["a.jpg": .symlink(to: "none")], "a.jpg", "a symlink has its name"),
            ("on its way", ["sub": .symlink(to: "../../out")], "sub/x", "a symlink lies on the way to it"),
            (
                "further on", ["sub": .symlink(to: "../../out")], "sub/deeper/y.jpg",
                "a symlink lies on the way to it"
            ),
            ("one to inside", ["b": [:], "sub": .symlink(to: "b")], "sub/x", "a symlink lies on the way to it"),
        ] as [(String, FileTree, FilePath, String)])
    func nothingIsWrittenWhereOthersLie(
        _ row: (why: String, tree: FileTree, path: FilePath, reason: String)
    ) async throws {
        let tree: FileTree = ["in": ["Pictures": .directory(row.tree)], "out": ["x": "precious"]]
        try await RestoreBench.with(tree) { bench throws in
            let things = try [row.path, "fine.jpg"].map { try StoredThing($0, "hello") }
            let result = try await bench.restore(BucketDouble(things)) {
                $0.directory = bench.directory.appending("in")
            }
            #expect(result.restored == 1 && result.refused.map(\.outcome) == [.refused(row.reason)], "\(row.why)")
            var expected = row.tree
            expected.nodes["fine.jpg"] = "hello"
            #expect(
                try bench.tree == ["in": ["Pictures": .directory(expected)], "out": ["x": "precious"]], "\(row.why)")
        }
    }

    @Test(arguments: [
        "Pictures/../../escaped.jpg", "../escaped.jpg", "/escaped.jpg", "Pictures/./a.jpg", "Pictures//a.jpg",
        "Pictures/", "Pictures/a\0b",
    ])
    func aKeyThatLeadsAstrayIsRefusedAlone(key: String) async throws {
        try await RestoreBench.with(["in": [:]]) { bench throws in
            let bucket = BucketDouble([StoredThing(key: key, "evil"), try Self.hello()])
            let result = try await bench.restore(bucket) { $0.directory = bench.directory.appending("in") }
            #expect(result.refused.map(\.key) == [key])
            #expect(try bench.tree == ["in": ["Pictures": ["a.jpg": "hello"]]])
        }
    }

    @Test func metadataThatLeadsAstrayIsNotFollowed() async throws {
        try await RestoreBench.with(["in": [:]]) { bench throws in
            let paths: [FilePath] = ["../../escaped.jpg", "/escaped.jpg", "../.."]
            let things = try paths.enumerated().map { index, path in
                try StoredThing(path, "evil \(index)").with { $0.key = "Pictures/!!\(index)0123456789abcdef.jpg" }
            }
            let result = try await bench.restore(BucketDouble(things)) {
                $0.directory = bench.directory.appending("in")
            }
            #expect(result.restored == 3)
            #expect(try bench.tree.names == ["in"])
            #expect(try bench.tree.files.count == 3)
        }
    }
}
