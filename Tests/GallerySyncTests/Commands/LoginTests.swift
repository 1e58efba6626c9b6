import Catalog
import Output
import Platform
import TestSupport
import Testing

@testable import GallerySync

/// `login` and `logout` against a scripted Auth server.
@Suite struct LoginTests {
    private static let session =
        #"{"access_token":"secret-a","refresh_token":"secret-r","expires_in":3600,"user":{"id":"u7","email":"e@x"}}"#

    /// The requests so far, and a fixture whose destination is the scripted server.
    private struct Scene {
        let server: RawServer
        let asked: Shared<[String]>
        var fixture: CommandFixture

        init(answers: [String]? = nil, status: Int = 200, _ body: String = session) throws {
            let asked = Shared<[String]>([])
            self.asked = asked
            server = try RawServer { connection in
                connection.serve { head, sent in
                    asked.change {
                        $0.append(
                            "\(head.method) \(head.target) \(head.value(of: "apikey") ?? "-") \(String(decoding: sent, as: UTF8.self))"
                        )
                    }
                    connection.answer(status, body)
                }
            }
            fixture = try CommandFixture(answers: answers)
            fixture.environment["GALLERY_SYNC_DESTINATION_URL"] = server.url
            fixture.environment["GALLERY_SYNC_KEY"] = "anon-key"
        }

        func close() {
            server.stop()
            fixture.remove()
        }

        var sessionPath: FilePath { fixture.home.appending(".local/state/gallery-sync/default/session.json") }

        func isSignedIn() throws -> Bool { try FileFacts.existing(sessionPath) != nil }
    }

    @Test func aPasswordIsAskedForAndShownNowhere() async throws {
        let scene = try Scene(answers: ["e@x", "hunter2hunter2"])
        defer { scene.close() }
        #expect(await scene.fixture.run("login") == .success)
        #expect(
            scene.asked.value == [
                #"POST /auth/v1/token?grant_type=password anon-key {"email":"e@x","password":"hunter2hunter2"}"#
            ])
        #expect(try scene.fixture.results == "Signed in as e@x.\nNext: gallery-sync sync\n")
        let said = try scene.fixture.results + scene.fixture.notes
        #expect(!said.contains("hunter2") && !said.contains("secret-"))
        #expect(try FileFacts(of: scene.sessionPath).mode == 0o600)
        let saved = String(decoding: try OpenFile(reading: scene.sessionPath).readAll(), as: UTF8.self)
        #expect(saved.contains("secret-r") && !saved.contains("hunter2"))
    }

    /// What this profile has stored is with a key, or another user: storing as this user is refused.
    @Test func whereThatIsAnotherDestinationTheNextStepIsToSayWhich() async throws {
        let scene = try Scene(answers: ["p"])
        defer { scene.close() }
        try Directory.create(at: scene.sessionPath.parent)
        let library = try Library(path: scene.sessionPath.parent.appending("library.sqlite"))
        try await library.setDestination("https://a.example media")
        try await library.close()
        #expect(await scene.fixture.run("login --email e@x") == .success)
        #expect(try scene.fixture.results == "Signed in as e@x.\n")
        #expect(try scene.fixture.notes.contains("This profile stores into https://a.example media, and another"))
    }

    @Test(arguments: [("login --email e@x --code", ["123456"]), ("login --email e@x", ["", "123456"])])
    func aCodeTakesThePasswordsPlace(line: String, answers: [String]) async throws {
        let scene = try Scene(answers: answers)
        defer { scene.close() }
        #expect(await scene.fixture.run(line + " --state-dir ~/st") == .success)
        #expect(try scene.fixture.results.hasSuffix("Next: gallery-sync sync --state-dir HOME/st\n"))
        #expect(scene.asked.value.map { $0.split(separator: " ")[1] } == ["/auth/v1/otp", "/auth/v1/verify"])
        #expect(scene.asked.value.last?.hasSuffix(#"{"email":"e@x","token":"123456","type":"email"}"#) == true)
    }

    @Test func aPasswordMayLieInAFile() async throws {
        let scene = try Scene()
        defer { scene.close() }
        try scene.fixture.write("from a file\n", to: scene.fixture.home.appending("pw"))
        #expect(await scene.fixture.run("login --email e@x --password-file pw --json") == .success)
        #expect(scene.asked.value.last?.contains(#""password":"from a file""#) == true)
        let results = try scene.fixture.results
        #expect(results.contains("gallery-sync/login/1") && results.contains("\"id\" : \"u7\""))
        #expect(!results.contains("secret-"))
    }

    @Test func aFileThatOthersCanReadIsRefused() async throws {
        let scene = try Scene()
        defer { scene.close() }
        try scene.fixture.write("p", to: scene.fixture.home.appending("pw"), mode: 0o644)
        #expect(await scene.fixture.run("login --email e@x --password-file pw") == .configuration)
        #expect(scene.asked.value.isEmpty)
    }

    @Test(
        arguments: [
            (
                400, #"{"code":"invalid_credentials","message":"m"}"#, ExitCode.denied,
                "The e-mail or the password is wrong."
            ),
            (429, "{}", .temporary, "Signing in failed"), (503, "", .temporary, "Signing in failed"),
            (540, "", .configuration, "paused"), (402, "", .full, "402"), (200, "<html>", .temporary, "makes no sense"),
        ])
    func aRefusalHasItsSentenceAndCode(status: Int, body: String, code: ExitCode, sentence: String) async throws {
        let scene = try Scene(answers: ["p"], status: status, body)
        defer { scene.close() }
        #expect(await scene.fixture.run("login --email e@x") == code)
        #expect(try scene.fixture.notes.contains(sentence))
        #expect(try !scene.isSignedIn())
    }

    @Test(arguments: [
        ("login", ExitCode.usage), ("login --email ada", .usage), ("login --email e@x", .usage),
        ("login --code --password-file x --email e@x", .usage), ("login --email e@x --local", .configuration),
        ("logout now", .usage), ("logout", .success),
    ])
    func whatNeedsNoServer(line: String, code: ExitCode) async throws {
        let scene = try Scene()
        defer { scene.close() }
        #expect(await scene.fixture.run(line) == code)
        #expect(scene.asked.value.isEmpty)
    }

    /// What was said once, with a first `sync --local`, is the destination.
    @Test func aSecondCopyOnThisComputerNeedsNoSignIn() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("sync Pictures --local -q --set thumbnails.enabled=false") == .success)
            #expect(await fixture.run("login --email e@x") == .configuration)
            let notes = try fixture.notes
            #expect(notes.hasSuffix("Storage on this computer has no users: there is nothing to sign in to.\n"))
        }
    }

    @Test func withoutADestinationThereIsNowhereToSignIn() async throws {
        let fixture = try CommandFixture(answers: ["e@x", "p"])
        defer { fixture.remove() }
        #expect(await fixture.run("login") == .configuration)
        #expect(try fixture.notes.contains("No destination."))
    }

    @Test func aHostThatIsDownIsTemporary() async throws {
        let scene = try Scene(answers: ["p"])
        defer { scene.close() }
        scene.server.stop()
        #expect(await scene.fixture.run("login --email e@x") == .temporary)
    }

    @Test func signingOutForgets() async throws {
        let scene = try Scene(answers: ["p"])
        defer { scene.close() }
        #expect(await scene.fixture.run("login --email e@x") == .success)
        #expect(await scene.fixture.run("logout --json") == .success)
        #expect(scene.asked.value.last?.hasPrefix("POST /auth/v1/logout?scope=local") == true)
        #expect(try scene.fixture.results.contains("\"endedOnServer\" : true"))
        #expect(try !scene.isSignedIn())
    }
}
