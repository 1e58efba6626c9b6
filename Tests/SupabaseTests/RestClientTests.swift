import Platform
import TestSupport
import Testing
import Transfer

@testable import Supabase

@Suite struct RestClientTests {
    private static func client(_ transport: ScriptedTransport) -> RestClient {
        RestClient(base: "https://h/rest/v1/", unixSocket: "/run/s", transport: transport) {
            refused throws(StorageError) in
            StorageCredentials(bearer: refused == nil ? "old" : "new", apiKey: "anon")
        }
    }

    private func rows(_ count: Int) -> [RestClient.Row] { (0..<count).map { ["id": .integer(Int64($0))] } }

    @Test func anUpsertNamesItsConflict() async throws {
        let transport = ScriptedTransport(statuses: 201)
        try await Self.client(transport).upsert([["id": 1, "path": "ü"]], into: "my table", on: ["id", "root"])
        let request = try #require(transport.requests.first)
        #expect(request.method == .post && request.unixSocket == "/run/s")
        #expect(request.url == "https://h/rest/v1/my%20table?on_conflict=id%2Croot")
        #expect(request.headers["prefer"] == "resolution=merge-duplicates,return=minimal")
        #expect(request.headers["authorization"] == "Bearer old" && request.headers["apikey"] == "anon")
        #expect(request.text == #"[{"id":1,"path":"ü"}]"#)
    }

    /// Many networks answer every request with a page to sign in at.
    @Test(arguments: [("", false), ("[]", false), ("<html>Welcome</html>", true)], [false, true])
    func aPageIsNoAnswerOfTheDatabase(_ answer: (body: String, isPage: Bool), isRemoval: Bool) async throws {
        let client = Self.client(ScriptedTransport([.json(answer.body)]))
        do throws(RestError) {
            if isRemoval {
                try await client.delete(from: "t", where: [.equals("id", "1")])
            } else {
                try await client.upsert([["id": 1]], into: "t", on: ["id"])
            }
            #expect(!answer.isPage)
        } catch {
            #expect(answer.isPage && error.isRetryable)
        }
    }

    @Test(arguments: [(0, []), (1, [1]), (3, [3]), (4, [3, 1]), (7, [3, 3, 1])] as [(Int, [Int])])
    func rowsGoInBatches(count: Int, sizes: [Int]) async throws {
        let transport = ScriptedTransport(sizes.map { _ in .json("", status: 201) })
        try await Self.client(transport).upsert(rows(count), into: "t", on: ["id"], batch: 3)
        #expect(transport.requests.map { $0.text?.split(separator: "{").count ?? 0 } == sizes.map { $0 + 1 })
        #expect(transport.unusedAnswers == 0)
    }

    @Test func aBatchThatFailsIsTheLast() async throws {
        let transport = ScriptedTransport([.json("", status: 201), .json("", status: 503)])
        let error = await #expect(throws: RestError.self) {
            try await Self.client(transport).upsert(rows(9), into: "t", on: ["id"], batch: 3)
        }
        #expect(error?.answerClass == .retry(load: true) && transport.requests.count == 2)
    }

    @Test func rowsAreSelected() async throws {
        let transport = ScriptedTransport([.json(#"[{"id":7,"name":null}]"#)])
        let filters: [RestFilter] = [
            .equals("name", "a&b=c/ü"), .equals("gone", nil), .among("id", ["1", "a\"b\\"]), .greater("n", "5"),
        ]
        let rows = try await Self.client(transport)
            .select(["id", "name"], from: "t", where: filters, order: "id.desc", limit: 5)
        #expect(rows == [["id": 7, "name": nil]])
        #expect(
            transport.requests.first?.url
                == "https://h/rest/v1/t?select=id,name&name=eq.a%26b%3Dc%2F%C3%BC&gone=is.null"
                + "&id=in.(%221%22%2C%22a%5C%22b%5C%5C%22)&n=gt.5&order=id.desc&limit=5")
    }

    @Test(arguments: [(#"[{"id":1,"state":"new"}]"#, 1), ("[]", 0)])
    func anUpdateTellsWhetherTheOldValueWasStillThere(answer: String, count: Int) async throws {
        let transport = ScriptedTransport([.json(answer)])
        let changed = try await Self.client(transport)
            .update("t", set: ["state": "new"], where: [.equals("id", "1"), .equals("state", "old")])
        #expect(changed.count == count)
        let request = try #require(transport.requests.first)
        #expect(request.method == .patch && request.url == "https://h/rest/v1/t?id=eq.1&state=eq.old")
        #expect(request.headers["prefer"] == "return=representation" && request.text == #"{"state":"new"}"#)
    }

    @Test func everyRowIsNeverMeant() async throws {
        let transport = ScriptedTransport([])
        await #expect(throws: RestError.self) { try await Self.client(transport).update("t", set: [:], where: []) }
        #expect(transport.requests.isEmpty)
    }

    @Test func anOldTokenIsRenewedOnce() async throws {
        let old = ScriptedTransport.Answer.json(#"{"code":"PGRST303","message":"JWT expired"}"#, status: 401)
        let transport = ScriptedTransport([old, .json("[]")])
        #expect(try await Self.client(transport).select(from: "t").isEmpty)
        #expect(transport.requests.map { $0.headers["authorization"] } == ["Bearer old", "Bearer new"])
    }

    @Test(
        arguments: [
            (.signedOut("over"), .signedOut("over")),
            (
                .noAnswer(TransferError(.lost, "l", mayHaveArrived: false)),
                .noAnswer(TransferError(.lost, "l", mayHaveArrived: false))
            ),
            (.unreadable(status: 1, "x"), .unreadable(status: 1, "x")),
        ] as [(StorageError, RestError)])
    func withoutCredentialsNothingIsAsked(error: StorageError, expected: RestError) async throws {
        let transport = ScriptedTransport([])
        let client = RestClient(base: "http://h", transport: transport) { _ throws(StorageError) in throw error }
        await #expect(throws: expected) { try await client.select(from: "t") }
    }

    @Test(
        arguments: [
            (409, #"{"code":"23505","message":"m"}"#, .duplicate),
            (409, #"{"code":"23503","message":"m"}"#, .permanent),
            (401, #"{"code":"42501","message":"m"}"#, .denied(by: .storage)),
            (403, #"{"code":"42501","message":"m"}"#, .denied(by: .storage)),
            (404, #"{"code":"42P01","message":"m"}"#, .permanent), (404, #"{"code":"PGRST205"}"#, .permanent),
            (400, #"{"code":"PGRST204"}"#, .permanent), (401, #"{"code":"PGRST301"}"#, .signIn),
            (401, #"{"code":"PGRST302"}"#, .signIn), (401, #"{"code":"PGRST303"}"#, .signIn),
            (503, #"{"code":"PGRST000"}"#, .retry(load: false)), (503, #"{"code":"PGRST002"}"#, .retry(load: false)),
            (504, #"{"code":"PGRST003"}"#, .retry(load: true)), (406, #"{"code":"PGRST116"}"#, .permanent),
            (400, #"{"code":"42P10"}"#, .permanent), (500, #"{"code":"53300"}"#, .retry(load: true)),
            (500, #"{"code":"57014"}"#, .retry(load: false)), (400, #"{"code":"40001"}"#, .retry(load: false)),
            (401, #"{"message":"No API key found in request"}"#, .signIn), (402, "", .destinationClosed(.quota)),
            (540, "<html>", .destinationClosed(.projectPaused)), (403, "<html>", .denied(by: .proxy)),
            (413, "<html>", .tooLarge(by: .proxy)), (502, "<html>", .retry(load: false)), (400, "", .permanent),
        ] as [(Int, String, AnswerClass)])
    func aRefusalMeans(status: Int, body: String, meaning: AnswerClass) {
        #expect(RestRefusal(HTTPResponse(status: status, body: Array(body.utf8))).answerClass == meaning)
    }

    @Test func theSentenceHoldsTheHint() {
        let body = #"{"code":"PGRST205","details":null,"hint":"Perhaps 'b'","message":"Could not find 'a'"}"#
        let refusal = RestRefusal(HTTPResponse(status: 404, headers: ["retry-after": "2"], body: Array(body.utf8)))
        #expect("\(refusal)" == "Could not find 'a' (PGRST205). Hint: Perhaps 'b'")
        #expect(refusal.retryAfter == .seconds(2) && refusal.details == nil)
    }
}
