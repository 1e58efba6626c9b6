import Fixtures
import Foundation
import Serving
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Configuration
@testable import Diagnosis

@Suite struct DestinationExaminationTests {
    private static let now = Date(timeIntervalSince1970: 1_795_199_805)  // Fri, 20 Nov 2026 18:36:45 GMT

    private static func examination(
        _ transport: any Transport, key: String = "k", base: String = "https://h/storage/v1", allowsPublic: Bool = false
    ) -> DestinationExamination {
        let storage = StorageClient(
            endpoint: StorageEndpoint(base: base), credentials: StorageCredentials(key: key), transport: transport)
        return examination(storage, allowsPublic: allowsPublic)
    }

    private static func examination(_ storage: StorageClient, allowsPublic: Bool = false) -> DestinationExamination {
        DestinationExamination(
            storage: storage, destination: Destination(endpoint: storage.endpoint, bucket: "media"),
            allowsPublic: allowsPublic, name: "n", clock: { now })
    }

    /// The result of each finding by name.
    private static func results(_ findings: [Finding]) -> [String: Finding.Result] {
        Dictionary(findings.map { ($0.name, $0.result) }) { first, _ in first }
    }

    @Test func aServiceKeyAtAGoodBucketIsFine() async throws {
        try await StoringServer.with([]) { client, requests throws in
            let findings = await Self.examination(client).findings()
            #expect(findings.filter { $0.result == .wrong && $0.name != "clock" }.isEmpty, "\(findings)")
            #expect(
                Self.results(findings).filter { $0.value == .fine }.keys.sorted() == [
                    "bucket", "connection", "delete", "insert", "resumable", "select", "upsert",
                ] + (Self.results(findings)["clock"] == .fine ? ["clock"] : []))
            // The key grants access to the whole project.
            #expect(Self.results(findings)["key"] == .doubtful)
            #expect(try await client.list(bucket: "media", prefix: "", limit: 10).objects.isEmpty)
        }
    }

    /// As in a hotel, where each request gets a page to sign in at, or a redirection to it.
    @Test(arguments: [
        (HTTPResponse(status: 302, headers: ["location": "http://portal/login"]), "connection"),
        (HTTPResponse(status: 511), "connection"),
        (HTTPResponse(status: 200, headers: ["content-type": "text/html"], body: Array("<html>Hello".utf8)), "storage"),
    ])
    func whatAnswersInPlaceOfTheStorageIsSaid(_ answer: HTTPResponse, _ name: String) async throws {
        let findings = await Self.examination(ScriptedTransport(Array(repeating: .response(answer), count: 9)))
            .findings()
        let finding = try #require(findings.first { $0.name == name })
        #expect(finding.result == .wrong)
        #expect(finding.sentence.contains("In a hotel or a train, open a page in the browser and sign in"))
    }

    /// As of a mistyped address, or one of another part of the project.
    @Test(arguments: ["", #"{"message":"Route GET:/storage/bucket/media not found","statusCode":404}"#])
    func aServerThatKnowsNoBucketsIsNoStorage(body: String) async throws {
        let answers = Array(repeating: ScriptedTransport.Answer.json(body, status: 404), count: 9)
        let wrong = await Self.examination(ScriptedTransport(answers)).findings().filter { $0.result == .wrong }
        #expect(wrong.map(\.name) == ["storage"])
        #expect(wrong.first.map(ExitMeaning.init) == .needsHuman)
        #expect(wrong.first?.sentence.hasSuffix("such as https://abc.supabase.co (destination.url).") == true)
    }

    /// Who ended an examination waits for no answer that does not come.
    @Test func aSweepEndsThoughNothingAnswers() async throws {
        struct Silence: Transport {
            func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
                try? await Task.sleep(for: .seconds(3600))
                throw TransferError(.lost, "ended", mayHaveArrived: true)
            }
        }
        try await withLimit("the sweep ends") { await Self.examination(Silence()).sweep(within: .milliseconds(1)) }
    }

    @Test(arguments: [
        ("", nil, ".gallery-sync-doctor/n"), ("laptop", nil, "laptop/.gallery-sync-doctor/n"),
        ("", "u7", "u7/.gallery-sync-doctor/n"), ("laptop", "u7", "u7/laptop/.gallery-sync-doctor/n"),
    ])
    func rightsAreTriedWhereTheObjectsWouldLie(prefix: String, user: String?, key: String) async throws {
        try await StoringServer.with([]) { client, requests throws in
            let destination = Destination(endpoint: client.endpoint, bucket: "media", prefix: prefix, userID: user)
            _ = await DestinationExamination(
                storage: client, destination: destination, allowsPublic: false, name: "n"
            ).findings()
            #expect(requests.value.contains { $0.hasPrefix("POST /storage/v1/object/media/\(key)") })
        }
    }

    @Test(
        arguments: [
            ("it is there", ["files": []], nil, Finding.Result.fine, "files can be read"),
            ("it is not there", [:], nil, .wrong, "the project has no such table. Run config/supabase/metadata.sql"),
            (
                "no one may read it", ["files": []], RowServer.refusal(403, "42501", "permission denied"), .wrong,
                "this sign-in may not write it. Run config/supabase/metadata.sql"
            ),
        ] as [(String, [String: [RowServer.Row]], Response?, Finding.Result, String)])
    func theTableForRowsIsLookedAt(
        why: String, tables: [String: [RowServer.Row]], refusal: Response?, result: Finding.Result, words: String
    ) async throws {
        let rows = RowServer(tables, refusals: [refusal])
        try await rows.serve { base throws in
            let client = RestClient(base: base, transport: HTTPClient()) { _ throws(StorageError) in
                StorageCredentials(key: "k")
            }
            let finding = await MetadataExamination(client: client, table: "files").finding()
            #expect(finding.result == result, "\(why)")
            #expect(finding.sentence.contains(words), "\(finding.sentence)")
            #expect(rows.requests.value.allSatisfy { $0.hasPrefix("GET ") }, "nothing is written")
        }
    }

    private static let refused: [(why: String, answer: ScriptedTransport.Answer, name: String, ends: ExitMeaning)] = [
        (
            "no network", .failure(TransferError(.unreachable, "no such host", mayHaveArrived: false)), "connection",
            .temporary
        ),
        (
            "no handshake", .failure(TransferError(.secure, "wrong version", mayHaveArrived: false)),
            "TLS", .temporary
        ),
        (
            "a certificate of another host", .failure(TransferError(.untrusted, "bad name", mayHaveArrived: false)),
            "TLS", .needsHuman
        ),
        ("over the plan", .json("", status: 402), "connection", .full),
        ("paused", .json("<html>", status: 540), "connection", .needsHuman),
        ("overloaded", .json("", status: 503), "connection", .temporary),
        ("a wrong key", .json(#"{"message":"Invalid API key"}"#, status: 401), "key", .notPermitted),
    ]

    @Test(arguments: refused.indices)
    func whatStopsEverythingIsTheOnlyFinding(_ index: Int) async throws {
        let row = Self.refused[index]
        let transport = ScriptedTransport([row.answer, row.answer])
        let wrong = await Self.examination(transport).findings().filter { $0.result == .wrong }
        #expect(wrong.map(\.name) == [row.name], "\(row.why)")
        #expect(wrong.first.map(ExitMeaning.init) == row.ends, "\(row.why)")
        #expect(transport.requests.allSatisfy { $0.url.hasSuffix("/status") })
    }

    @Test(
        arguments: [("Fri, 20 Nov 2026 18:36:05 GMT", Finding.Result.fine), ("Fri, 20 Nov 2026 17:36:45 GMT", .wrong)])
    func theClockIsCompared(date: String, result: Finding.Result) async throws {
        let transport = ScriptedTransport([.json("", status: 503, headers: ["date": date])])
        let findings = await Self.examination(transport).findings()
        #expect(Self.results(findings)["clock"] == result)
    }

    private static let buckets:
        [(why: String, isPublic: Bool, allows: Bool, result: Finding.Result, ends: ExitMeaning)] = [
            ("private", false, false, .fine, .nothing), ("public", true, false, .wrong, .needsHuman),
            ("public, as allowed", true, true, .doubtful, .nothing),
        ]

    @Test(arguments: buckets.indices)
    func aPublicBucketIsTold(_ index: Int) async throws {
        let row = Self.buckets[index]
        let bucket = #"{"id":"media","name":"media","public":\#(row.isPublic),"file_size_limit":50000000}"#
        let refusal = ScriptedTransport.Answer.failure(TransferError(.lost, "l", mayHaveArrived: false))
        let transport = ScriptedTransport([.json(""), .json(bucket), refusal])
        let findings = await Self.examination(transport, allowsPublic: row.allows).findings()
        let finding = try #require(findings.first { $0.name == "bucket" })
        #expect(finding.result == row.result && ExitMeaning(finding) == row.ends, "\(row.why)")
        #expect((finding.sql == ProjectSQL.privateBucket("media")) == (row.result == .wrong))
        #expect(transport.unusedAnswers == 0)
    }

    @Test func aBucketThatUsersMayNotSeeIsTriedAllTheSame() async throws {
        let findings = await Self.examination(PolicyDouble(Set(BucketRight.allCases)), key: "k").findings()
        #expect(Self.results(findings)["bucket"] == .doubtful && Self.results(findings)["delete"] == .fine)
        #expect(findings.first { $0.name == "bucket" }?.sql == ProjectSQL.bucketVisibility("media"))
    }

    @Test func aKeyThatSeesAllSeesThatThereIsNoBucket() async throws {
        let double = PolicyDouble(Set(BucketRight.allCases))
        let findings = await Self.examination(double, key: "sb_secret_x").findings()
        #expect(findings.last?.result == .doubtful && findings.last?.name == "bucket")
        #expect(double.requests == ["GET status", "GET bucket/media"])
    }

    @Test func aKeyThatTheServerCannotReadIsSaidOnce() async throws {
        let jws = #"{"statusCode":"403","error":"Unauthorized","message":"Invalid Compact JWS","code":"AccessDenied"}"#
        let transport = ScriptedTransport([.json(""), .json(jws, status: 400), .json(jws, status: 400)])
        let findings = await Self.examination(transport, key: "sb_publishable_x").findings()
        let wrong = findings.filter { $0.result == .wrong }
        #expect(wrong.map(\.name) == ["key"] && wrong.first.map(ExitMeaning.init) == .notPermitted)
        #expect(wrong.first?.sentence.contains("no gateway that knows a publishable key") == true)
    }

    @Test(
        arguments: [
            ("https://h", Finding.Result.fine), ("http://127.0.0.1:54321", nil), ("http://nas", .doubtful),
        ] as [(String, Finding.Result?)])
    func encryptionIsTold(base: String, result: Finding.Result?) async throws {
        let findings = await Self.examination(PolicyDouble([]), base: base + "/storage/v1").findings()
        #expect(Self.results(findings)["TLS"] == result)
    }

    @Test func whoIsSignedOutIsToldSo() async throws {
        let storage = StorageClient(
            endpoint: StorageEndpoint(base: "https://h"), transport: ScriptedTransport([])
        ) { _ throws(StorageError) in throw .signedOut("over") }
        let findings = await Self.examination(storage).findings()
        #expect(findings.map(\.sentence) == ["over"] && ExitMeaning(findings[0]) == .notPermitted)
    }
}
