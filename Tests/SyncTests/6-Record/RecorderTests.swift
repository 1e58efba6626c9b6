import Configuration
import Fixtures
import Foundation
import Platform
import Records
import Roots
import Supabase
import TestSupport
import Testing
import Text
import Transfer

@testable import Catalog
@testable import Queue
@testable import Sync
@testable import Uploading

/// What a server says of objects that it has taken, and what is written down of them.
@Suite struct RecorderTests {
    static let destination = Destination(
        endpoint: StorageEndpoint(base: "http://storage.example/storage/v1"), bucket: "media")

    /// One answer of the server to the question about one object, and what comes of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answers: [ScriptedTransport.Answer]
        /// The proof, or the code of the failure.
        let end: String
        /// How many requests count as failed.
        let troubles: Int

        init(_ sentence: String, _ end: String, troubles: Int = 0, _ answers: ScriptedTransport.Answer...) {
            (testDescription, self.answers, self.end, self.troubles) = (sentence, answers, end, troubles)
        }
    }

    static func content(_ name: String) -> String { "the content of \(name)" }
    static func md5(_ name: String) -> String { MD5.hash(content(name).utf8).hexadecimal }

    static func info(_ name: String, eTag: String?, size: Int? = nil, noSize: Bool = false) -> ScriptedTransport.Answer
    {
        var fields = [
            #""id":"id-\#(name)""#, #""name":"Pictures/\#(name)""#, #""bucket_id":"media""#, #""version":"v1""#,
        ]
        if !noSize { fields.append(#""size":\#(size ?? content(name).utf8.count)"#) }
        if let eTag { fields.append(#""etag":"\#(eTag)""#) }
        return .json("{\(fields.joined(separator: ","))}")
    }

    private static let missing = ScriptedTransport.Answer.json(
        #"{"statusCode":"404","error":"not_found","message":"Object not found","code":"NoSuchKey"}"#, status: 400)

    private static func lost(_ kind: TransferError.Kind) -> ScriptedTransport.Answer {
        .failure(TransferError(kind, "words", mayHaveArrived: true))
    }

    static let rows = [
        Row("the MD5 agrees", "md5", info("a.jpg", eTag: md5("a.jpg"))),
        Row(
            "the MD5 agrees in quotes and capitals", "md5",
            info("a.jpg", eTag: #"\""# + md5("a.jpg").uppercased() + #"\""#)),
        Row("nothing but the size can be compared", "size", info("a.jpg", eTag: nil)),
        Row("a tag of parts that nothing is known of", "size", info("a.jpg", eTag: md5("b.jpg") + "-2")),
        Row("a tag of an unknown kind", "size", info("a.jpg", eTag: "0x8D4BCC2E4835CD0")),
        Row("an empty tag", "size", info("a.jpg", eTag: "")),
        Row("the MD5 of other bytes", "verify.hash", info("a.jpg", eTag: md5("b.jpg"))),
        Row(
            "one byte too few", "verify.size", info("a.jpg", eTag: md5("a.jpg"), size: content("a.jpg").utf8.count - 1)),
        Row(
            "one byte too many", "verify.size", info("a.jpg", eTag: md5("a.jpg"), size: content("a.jpg").utf8.count + 1)
        ),
        Row("no bytes at all", "verify.size", info("a.jpg", eTag: md5("a.jpg"), size: 0)),
        Row("the server does not know the size", "verify.size", info("a.jpg", eTag: md5("a.jpg"), noSize: true)),
        Row("it is not there", "verify.missing", missing),
        Row("the server is busy", "http.503", troubles: 1, .json("", status: 503)),
        Row("the sign-in has ended", "auth.refused", troubles: 1, .json(#"{"message":"jwt expired"}"#, status: 401)),
        Row("the plan is used up", "http.402", troubles: 1, .json("", status: 402)),
        Row("a page takes the place of the answer", "http.200", troubles: 1, .json("<html>")),
        Row("nothing takes the place of the answer", "http.200", troubles: 1, .json("")),
        Row(
            "the size is a word", "http.200", troubles: 1,
            .json(#"{"id":"1","name":"n","bucket_id":"media","size":"many"}"#)),
        Row("the answer is lost", "network.lost", troubles: 1, lost(.lost)),
        Row("there is no network", "network.unreachable", troubles: 1, lost(.unreachable)),
    ]

    /// A recorder with its queue, and items that were sent.
    private struct Bench {
        let recorder: Recorder
        let library: Library
        let queue: UploadQueue
        let accepted: [Accepted]
        let transport: ScriptedTransport

        func receipts() async throws -> [String: Receipt.Proof] {
            let all = try await library.receipts(destination: RecorderTests.destination.name, after: "", count: 100)
            return Dictionary(uniqueKeysWithValues: all.map { ($0.key.text, $0.proof) })
        }

        /// The status of each item, by the name of its file.
        func statuses() async -> [String: Item.Status] {
            Dictionary(uniqueKeysWithValues: await queue.all().map { ($0.path, $0.status) })
        }
    }

    private static func with(
        _ names: [String], _ answers: [ScriptedTransport.Answer], _ body: (Bench) async throws -> Void
    ) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            let queue = try UploadQueue(store: try QueueStore(state: folder.appending("queue")), now: Items.now)
            var accepted: [Accepted] = []
            for name in names {
                let text = content(name)
                let item = Item(
                    root: root.name, path: FilePath(name), role: .original, contentType: "image/jpeg",
                    size: Int64(text.utf8.count), sha256: SHA256.hash(text.utf8).hexadecimal,
                    modifiedAt: FileTime(Items.now), bucket: "media",
                    objectKey: ObjectKey(root: root.name, path: FilePath(name)), now: Items.now)
                try await library.see(item, below: root)
                _ = try await queue.add(item, origin: .arrival, now: Items.now)
                let claimed = try #require(try await queue.claim(now: Items.now))
                let sent = try #require(try await queue.finish(claimed.id, .sent, now: Items.now))
                accepted.append(
                    Accepted(item: sent, objectID: "id-\(name)", evidence: Evidence(md5: md5(name)), isUploaded: true))
            }
            let transport = ScriptedTransport(answers)
            let storage = StorageClient(
                endpoint: destination.endpoint, credentials: StorageCredentials(key: "k"), transport: transport)
            let recorder = Recorder(
                storage: storage, library: library, queue: queue, destination: destination, clock: { Items.now })
            try await body(
                Bench(recorder: recorder, library: library, queue: queue, accepted: accepted, transport: transport))
        }
    }

    @Test(arguments: rows)
    func oneObject(_ row: Row) async throws {
        try await Self.with(["a.jpg"], row.answers) { bench in
            let told = Shared<[FileEvent]>([])
            let result = try await bench.recorder.record(bench.accepted) { event in told.change { $0.append(event) } }
            let proof = try await bench.receipts()["Pictures/a.jpg"]
            let code = result.notStored.first?.outcome.failure?.code.text
            #expect((proof?.rawValue ?? code) == row.end)
            #expect(result.troubles.count == row.troubles)
            #expect(bench.transport.unusedAnswers == 0)
            // Told, stored, receipt and completed are one.
            #expect(told.value.count == result.stored.count)
            #expect((proof != nil) == (result.stored.count == 1))
            #expect((await bench.statuses()["a.jpg"] == .completed) == (proof != nil))
            #expect(try await bench.library.counts().stored == result.stored.count)
            // What has no receipt may be stored all the same, and a run after a crash knows that.
            let isKnown = await bench.queue.item(bench.accepted[0].item.id)?.isInDoubt ?? false
            let left = try await bench.library.leftovers(destination: Self.destination.name).total
            #expect(isKnown || left > 0 || proof != nil)
        }
    }

    // MARK: Many at once

    private static func listed(_ name: String, eTag: String? = nil, size: Int? = nil) -> String {
        let tag = eTag.map { #""eTag":"\#($0)","# } ?? ""
        return
            #"{"id":"id-\#(name)","name":"Pictures/\#(name)","metadata":{\#(tag)"size":\#(size ?? content(name).utf8.count)}}"#
    }

    private static func page(_ rows: String..., next: String? = nil) -> ScriptedTransport.Answer {
        let cursor = next.map { #","nextCursor":"\#($0)""# } ?? ""
        return .json(#"{"hasNext":\#(next != nil),"folders":[],"objects":[\#(rows.joined(separator: ","))]\#(cursor)}"#)
    }

    static let names = ["a.jpg", "b.jpg", "c.jpg"]
    private static let (a, b, c) = (
        listed("a.jpg", eTag: md5("a.jpg")), listed("b.jpg", eTag: md5("b.jpg")), listed("c.jpg", eTag: md5("c.jpg"))
    )

    static let listings = [
        Row("all are on the page", "md5 md5 md5", page(a, b, c)),
        Row("others are, too", "md5 md5 md5", page(a, listed("aa.jpg"), b, c, listed("z.jpg"))),
        Row("they are on three pages", "md5 md5 md5", page(a, next: "1"), page(b, next: "2"), page(c)),
        Row("one is missing", "md5 verify.missing md5", page(a, c)),
        Row("all are missing", "verify.missing verify.missing verify.missing", page()),
        Row("one has another size", "md5 verify.size md5", page(a, listed("b.jpg", size: 1), c)),
        Row("one has other bytes", "md5 verify.hash md5", page(a, listed("b.jpg", eTag: md5("c.jpg")), c)),
        Row("one shows no tag", "md5 size md5", page(a, listed("b.jpg"), c)),
        Row(
            "an odd tag is asked about", "md5 md5 md5", page(a, listed("b.jpg", eTag: "odd"), c),
            info("b.jpg", eTag: md5("b.jpg"))),
        Row(
            "an odd tag is asked about, and is odd there, too", "md5 size md5",
            page(a, listed("b.jpg", eTag: "odd"), c),
            info("b.jpg", eTag: "odd")),
        Row(
            "an odd tag is asked about, and nothing is there", "md5 size md5", page(a, listed("b.jpg", eTag: "odd"), c),
            missing),
        Row("an answer is lost, and the next one comes", "md5 md5 md5", lost(.lost), page(a, b, c)),
        Row(
            "two answers are lost, and the third comes", "md5 md5 md5", lost(.lost), .json("", status: 500),
            page(a, b, c)),
        Row(
            "three answers are lost", "network.lost network.lost network.lost", troubles: 1, lost(.lost), lost(.lost),
            lost(.lost)),
        Row(
            "the server asks for a wait", "http.503 http.503 http.503", troubles: 1,
            .json("", status: 503, headers: ["Retry-After": "9"])),
        Row(
            "there is no network", "network.unreachable network.unreachable network.unreachable", troubles: 1,
            lost(.unreachable)),
        Row(
            "the second page is lost for good", "md5 network.lost network.lost", troubles: 1, page(a, next: "1"),
            lost(.lost), lost(.lost), lost(.lost)),
        Row("the pages go in circles", "md5 md5 http.200", troubles: 1, page(a, b, next: "1"), page(a, b, next: "1")),
        Row("the pages go back", "md5 md5 http.200", troubles: 1, page(b, next: "1"), page(a, next: "2")),
        Row(
            "an empty page names a next one", "md5 http.200 http.200", troubles: 1, page(a, next: "1"), page(next: "2")),
        Row(
            "a next page without a cursor", "http.200 http.200 http.200", troubles: 1,
            .json(#"{"hasNext":true,"objects":[]}"#), .json(#"{"hasNext":true,"objects":[]}"#),
            .json(#"{"hasNext":true,"objects":[]}"#)),
    ]

    @Test(arguments: listings)
    func manyObjects(_ row: Row) async throws {
        try await Self.with(Self.names, row.answers) { bench in
            let result = try await bench.recorder.record(bench.accepted)
            let receipts = try await bench.receipts()
            let codes = Dictionary(
                uniqueKeysWithValues: result.notStored.map { ($0.item.path, $0.outcome.failure?.code.text ?? "none") })
            let ends = Self.names.map { receipts["Pictures/\($0)"]?.rawValue ?? codes[$0] ?? "neither" }
            #expect(ends.joined(separator: " ") == row.end)
            #expect(result.troubles.count == row.troubles)
            #expect(bench.transport.unusedAnswers == 0)
            for name in Self.names {
                let isCompleted = await bench.statuses()[name] == .completed
                #expect(isCompleted == (receipts["Pictures/\(name)"] != nil), "\(name)")
            }
        }
    }

    // MARK: Which requests

    struct Plan: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keys: [String]
        var known: [String: Int] = [:]
        let plans: [VerificationPlan]
    }

    private static func keys(_ folder: String, _ count: Int) -> [String] { (0..<count).map { "\(folder)\($0)" } }

    @Test(arguments: [
        Plan(testDescription: "nothing was sent", keys: [], plans: [.ask(keys: [])]),
        Plan(testDescription: "one is asked about by itself", keys: ["p/a"], plans: [.ask(keys: ["p/a"])]),
        Plan(testDescription: "two share a page", keys: ["p/a", "p/b"], plans: [.list(prefix: "p/")]),
        Plan(
            testDescription: "two among too many for a page", keys: ["p/a", "p/b"], known: ["p/": 999],
            plans: [.ask(keys: ["p/a", "p/b"])]),
        Plan(
            testDescription: "two that fill a page", keys: ["p/a", "p/b"], known: ["p/": 998],
            plans: [.list(prefix: "p/")]),
        Plan(
            testDescription: "three share two pages", keys: keys("p/", 3), known: ["p/": 1_997],
            plans: [.list(prefix: "p/")]),
        Plan(
            testDescription: "as many pages as objects", keys: keys("p/", 3), known: ["p/": 2_997],
            plans: [.ask(keys: keys("p/", 3))]),
        Plan(
            testDescription: "two folders below one", keys: ["p/a/1", "p/b/1"], plans: [.list(prefix: "p/")]),
        Plan(
            testDescription: "two folders of a full one", keys: keys("p/a/", 3) + keys("p/b/", 3),
            known: ["p/": 5_000, "p/a/": 0, "p/b/": 0], plans: [.list(prefix: "p/a/"), .list(prefix: "p/b/")]),
        Plan(
            testDescription: "one of them alone", keys: keys("p/a/", 3) + ["p/b/1"], known: ["p/": 3_000],
            plans: [.list(prefix: "p/a/"), .ask(keys: ["p/b/1"])]),
        Plan(
            testDescription: "nothing in common", keys: ["p/a", "q/b"], plans: [.list(prefix: "")]),
        Plan(
            testDescription: "names that only begin alike", keys: ["pp/a", "p/b"], plans: [.list(prefix: "")]),
        Plan(testDescription: "no folder at all", keys: ["a", "b"], plans: [.list(prefix: "")]),
    ])
    func theFewestRequests(_ plan: Plan) {
        let plans = VerificationPlan.plans(for: plan.keys) { plan.known[$0, default: 0] }
        #expect(plans == plan.plans)
    }

    /// Each key is in the one plan that is to show it.
    @Test(arguments: 0..<20)
    func noKeyIsForgotten(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let folders = ["", "p/", "p/a/", "p/a/b/", "q/", "p/ab/"]
        let keys = Set(
            (0..<Int.random(in: 1...40, using: &random)).map { _ in
                folders[Int.random(in: folders.indices, using: &random)] + "\(Int.random(in: 0...99, using: &random))"
            }
        ).sorted()
        let known = Dictionary(
            uniqueKeysWithValues: folders.map { ($0, Int.random(in: 0...4_000, using: &random)) })
        let plans = VerificationPlan.plans(for: keys) { known[$0, default: 0] }
        let shown = keys.filter { key in
            plans.contains { plan in
                switch plan {
                case .list(let prefix): key.hasPrefix(prefix)
                case .ask(let keys): keys.contains(key)
                }
            }
        }
        #expect(shown == keys)
    }
}

@Suite struct ReadBackTests {
    private static let bytes = Array("bytes that only their size proves".utf8)

    private static func part(_ bytes: [UInt8], from start: Int = 0, status: Int = 206, range: String? = nil)
        -> ScriptedTransport.Answer
    {
        let range = range ?? "bytes \(start)-\(start + bytes.count - 1)/\(bytes.count)"
        let headers: HTTPHeaders = status == 206 ? ["Content-Range": range] : HTTPHeaders()
        return .response(HTTPResponse(status: status, headers: headers, body: bytes, received: Int64(bytes.count)))
    }

    private static let missing = ScriptedTransport.Answer.json(
        #"{"statusCode":"404","error":"not_found","message":"Object not found","code":"NoSuchKey"}"#, status: 400)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answers: [ScriptedTransport.Answer]
        let proof: Receipt.Proof
        /// How often it is told that other bytes came.
        let disproofs: Int

        init(_ sentence: String, _ proof: Receipt.Proof, disproofs: Int = 0, _ answers: ScriptedTransport.Answer...) {
            (testDescription, self.answers, self.proof, self.disproofs) = (sentence, answers, proof, disproofs)
        }
    }

    @Test(arguments: [
        Row("the bytes are those that were sent", .readBack, part(bytes)),
        Row("a server that knows no ranges", .readBack, part(bytes, status: 200)),
        Row("damaged once on their way", .readBack, part(bytes.reversed()), part(bytes)),
        Row("other bytes twice", .size, disproofs: 1, part(bytes.reversed()), part(bytes.reversed())),
        Row("fewer bytes", .size, part(bytes.dropLast())),
        Row("it is not there", .size, missing),
        Row(
            "it has no bytes", .size,
            .json(#"{"statusCode":"416","error":"x","message":"y","code":"InvalidRange"}"#, status: 416)),
        Row("another range", .size, part(bytes, range: "bytes 1-33/34")),
        Row("no range in a part", .size, part(bytes, range: "nonsense")),
        Row("the server is busy", .size, .json("", status: 503)),
        Row("the answer is lost", .size, .failure(TransferError(.lost, "words", mayHaveArrived: true))),
    ])
    func oneObject(_ row: Row) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            _ = try await library.root(at: "/home/Pictures")
            let item = Items.with(Items.pending("a.jpg", size: Int64(Self.bytes.count))) { _ in }
            let receipt = Receipt(
                destination: RecorderTests.destination.name, key: item.objectKey, role: .original, item: item.id,
                sha256: SHA256.hash(Self.bytes).hexadecimal, size: Int64(Self.bytes.count), objectID: nil, version: nil,
                eTag: nil, updatedAt: nil, verifiedAt: Items.now, proof: .size)
            try await library.record([(receipt, item)])
            let transport = ScriptedTransport(row.answers)
            let storage = StorageClient(
                endpoint: RecorderTests.destination.endpoint, credentials: StorageCredentials(key: "k"),
                transport: transport)
            let readBack = ReadBack(
                storage: storage, library: library, destination: RecorderTests.destination, policy: .always)
            let disproofs = Shared(0)
            try await readBack.run { _, count in disproofs.change { $0 = count } }
            #expect(transport.unusedAnswers == 0)
            #expect(disproofs.value == row.disproofs)
            let after = try await library.receipt(destination: RecorderTests.destination.name, key: item.objectKey)
            #expect(after?.proof == row.proof)
        }
    }
}
