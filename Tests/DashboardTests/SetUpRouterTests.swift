import Serving
import Synchronization
import TestSupport
import Testing
import Text

@testable import Dashboard

@Suite struct SetUpRouterTests {
    private let host = SetUpDouble()
    private let gate = Gate.opened()

    private func ask(_ target: String, body: String? = nil, cookie: String? = nil) async throws -> Response {
        let router = SetUpRouter(entrance: Entrance(gate: gate, log: .silent), host: host)
        let request = Request.ofPage(target, cookie: try cookie ?? gate.cookie(), body: body)
        return await router.answer(request)
    }

    static let answers =
        #"{"folders":["~/a"],"url":"local","place":"media","budget":"","key":"k","makesBucket":false}"#

    @Test func itsPageIsTheSetUp() async throws {
        #expect(try await ask("/").text.contains("Keep your photos safe"))
        #expect(try await ask("/", cookie: "gallery-sync-4000=AAAA").status == 401)
        #expect(try await ask("/api/1/timeline").status == 404)
    }

    @Test func answersAreTriedThenWrittenAndTheKeyIsNotSentBack() async throws {
        let verdict = try await ask("/api/1/setup/trial", body: Self.answers).text
        #expect(verdict.contains(#""isRight":true"#) && verdict.contains(#""sentence":"it answers""#))
        let outcome = try await ask("/api/1/setup/start", body: Self.answers).text
        #expect(outcome.contains(#""command":"gallery-sync watch""#))
        #expect(!(verdict + outcome).contains(#""k""#))
        #expect(host.started.map(\.key) == ["k"])
    }

    @Test(arguments: [
        ("", "", SetUpSignIn.Way.email), ("p4ss", "", .password), ("", "c0de", .code), ("p4ss", "c0de", .code),
    ])
    func aCodeComesBeforeAPasswordAndNeitherIsSentBack(password: String, code: String, way: SetUpSignIn.Way)
        async throws
    {
        let body =
            #"{"answers":\#(Self.answers),"email":"a@b","password":"\#(password)","code":"\#(code)"}"#
        let text = try await ask("/api/1/setup/sign-in", body: body).text
        #expect(text.contains(#""isSignedIn":true"#) && !text.contains("p4ss") && !text.contains("c0de"))
        #expect(host.signedIn.map(\.way) == [way])
    }

    @Test(arguments: ["", "{}", #"{"key":"secret"}"#])
    func whatCannotBeReadIsRefusedWithoutBeingRepeated(body: String) async throws {
        for route in ["trial", "start", "sign-in"] {
            let answer = try await ask("/api/1/setup/\(route)", body: body)
            #expect(try answer.status == 400 && !answer.text.contains("secret"))
        }
    }

    @Test func whatWasFoundSoFarIsToldMeanwhile() async throws {
        let router = SetUpRouter(entrance: Entrance(gate: gate, log: .silent), host: host)
        let cookie = try gate.cookie()
        #expect(await router.answer(.ofPage("/api/1/setup/trial", cookie: cookie, body: Self.answers)).status == 200)
        let findings = try await router.answer(.ofPage("/api/1/setup/trial", cookie: cookie)).text
        #expect(findings.contains(#"[{"name":"connection","result":"fine","sentence":"it answers"}]"#))
    }
}

/// A program that finds every answer right.
final class SetUpDouble: SetUpHost {
    private let state = Mutex<[SetUpAnswers]>([])
    private let entered = Mutex<[SetUpSignIn]>([])

    var started: [SetUpAnswers] { state.withLock { $0 } }
    var signedIn: [SetUpSignIn] { entered.withLock { $0 } }

    func signIn(_ typed: SetUpSignIn) async throws -> SetUpSignInOutcome {
        entered.withLock { $0.append(typed) }
        return SetUpSignInOutcome(sentence: "Signed in.", isSignedIn: true)
    }

    func beginning() async throws -> SetUpBeginning {
        SetUpBeginning(
            profile: "default", configuration: "/c", folders: [], offers: [], url: "", place: "media", keyOrigin: nil)
    }

    func folders(_ text: String) throws -> [String] { [text + "x"] }

    func trial(
        _ answers: SetUpAnswers, tell: @escaping @Sendable (SetUpFinding) -> Void
    ) async throws -> SetUpVerdict {
        let finding = SetUpFinding(name: "connection", result: "fine", sentence: "it answers", sql: nil)
        tell(finding)
        return SetUpVerdict([finding])
    }

    func start(_ answers: SetUpAnswers) async throws -> SetUpOutcome {
        state.withLock { $0.append(answers) }
        return SetUpOutcome(sentences: ["Done."], command: "gallery-sync watch")
    }

    func agentPage() async throws -> String? { nil }
}
