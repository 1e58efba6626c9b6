import Foundation
import Platform
import Records
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Access
@testable import Catalog
@testable import Configuration

/// A profile in a temporary folder, and a scripted Auth server.
struct SignInFixture {
    let directory: TemporaryDirectory
    let locations: Locations
    let transport: ScriptedTransport

    init(_ answers: ScriptedTransport.Answer...) throws {
        directory = try TemporaryDirectory()
        let environment = ["HOME": directory.path.display]
        locations = try Locations(for: LocationRequest(environment: environment, user: Host.userID))
        transport = ScriptedTransport(answers)
    }

    var signIn: SignIn {
        let auth = AuthClient(base: SessionFixture.server, apiKey: "anon", transport: transport) {
            SessionFixture.start
        }
        return SignIn(auth: auth, locations: locations)
    }

    func find(_ url: String = "https://h") throws -> Session? {
        try Session.find(locations, url: url, apiKey: "anon", transport: transport) { SessionFixture.start }
    }

    var saved: SavedSession? { get throws { try SessionFile.existing(locations)?.read() } }
}

@Suite struct SignInTests {
    @Test func aPasswordIsEnough() async throws {
        let fixture = try SignInFixture(SessionFixture.renewed("1"))
        defer { fixture.directory.remove() }
        #expect(try await fixture.signIn.run(email: "e@x", password: "p") == AuthUser(id: "u", email: "e@x"))
        #expect(try fixture.saved == SessionFixture.saved("1", until: SessionFixture.start + 3600))
    }

    @Test(
        arguments: [
            ("123 456\n", #"{"email":"e@x","token":"123456","type":"email"}"#),
            ("https://h/auth/v1/verify?token=t&type=magiclink", #"{"token_hash":"t","type":"magiclink"}"#),
        ])
    func soIsWhatTheMailHolds(answer: String, body: String) async throws {
        let fixture = try SignInFixture(.json("{}"), SessionFixture.renewed("1"))
        defer { fixture.directory.remove() }
        try await fixture.signIn.sendCode(to: "e@x")
        _ = try await fixture.signIn.run(email: "e@x", answer: answer)
        guard case .bytes(let sent)? = fixture.transport.requests.last?.body else { throw CancellationError() }
        #expect(String(decoding: sent, as: UTF8.self) == body)
        #expect(try fixture.saved != nil)
    }

    @Test(arguments: ["", "  ", "https://app/#access_token=x", "https://app/?error=x"])
    func aLinkThatWasOpenedIsExplained(answer: String) async throws {
        let fixture = try SignInFixture()
        defer { fixture.directory.remove() }
        let refusal = await #expect(throws: Refusal.self) { try await fixture.signIn.run(email: "e@x", answer: answer) }
        guard case .notPermitted(let sentence) = refusal?.ending else { throw try #require(refusal) }
        #expect(sentence.contains("without opening it"))
    }

    @Test(
        arguments: [
            (SessionFixture.refusal("invalid_credentials"), .notPermitted("The e-mail or the password is wrong.")),
            (
                SessionFixture.refusal("otp_expired", status: 403),
                .notPermitted("The code or link is wrong or too old: ask for a new one.")
            ),
            (
                SessionFixture.refusal("over_request_rate_limit", status: 429),
                .temporary("Too many attempts: wait a few minutes, then try again.")
            ),
            (SessionFixture.silence, .temporary("no answer")),
            (.json("<html>"), nil),
            (.json("", status: 540), .needsHuman("The project is paused: wake it in the dashboard.")),
            (.json("", status: 402), .full("Signing in failed: HTTP 402 (HTTP 402)")),
        ] as [(ScriptedTransport.Answer, Ending?)])
    func aRefusalLeavesTheFormerSignIn(answer: ScriptedTransport.Answer, ending: Ending?) async throws {
        let fixture = try SignInFixture(answer)
        defer { fixture.directory.remove() }
        let former = SessionFixture.saved("0", until: SessionFixture.start)
        try SessionFile(fixture.locations).write(former)
        let refusal = await #expect(throws: Refusal.self) { try await fixture.signIn.run(email: "e@x", password: "p") }
        if let ending { #expect(refusal?.ending == ending) }
        #expect(try fixture.saved == former)
    }

    @Test func aSignInIsFoundWhereItWasMade() async throws {
        let fixture = try SignInFixture(SessionFixture.renewed("1"))
        defer { fixture.directory.remove() }
        #expect(try fixture.find() == nil)
        _ = try await fixture.signIn.run(email: "e@x", password: "p")
        #expect(try fixture.find("https://h")?.user.id == "u")
        #expect(try fixture.find("https://h/storage/v1/")?.user.id == "u")
        #expect(try fixture.find("https://other") == nil)
        #expect(try fixture.find("https://h/bare") == nil)
    }

    @Test func aDamagedFileIsARefusal() throws {
        let fixture = try SignInFixture()
        defer { fixture.directory.remove() }
        try Directory.create(at: fixture.locations.state)
        try LocalDisk(directory: fixture.locations.state).replace("session.json", with: [])
        let refusal = #expect(throws: Refusal.self) { try fixture.find() }
        guard case .notPermitted(let sentence) = refusal?.ending else { throw try #require(refusal) }
        #expect(sentence.contains("session.json cannot be read. Run \"gallery-sync login\""))
    }

    @Test(
        arguments: [
            ([.json("")], true), ([SessionFixture.silence], false), ([SessionFixture.refusal("x", status: 500)], false),
        ] as [([ScriptedTransport.Answer], Bool)])
    func whoSignsOutIsForgottenInAnyCase(answers: [ScriptedTransport.Answer], isEnded: Bool) async throws {
        let fixture = try SignInFixture()
        defer { fixture.directory.remove() }
        try SessionFile(fixture.locations).write(SessionFixture.saved("0", until: SessionFixture.start + 3600))
        let transport = ScriptedTransport(answers)
        let session = try #require(
            try Session.find(fixture.locations, url: "https://h", apiKey: nil, transport: transport) {
                SessionFixture.start
            })
        #expect(try await session.end() == isEnded)
        #expect(transport.requests.first?.headers["authorization"] == "Bearer a0")
        #expect(try fixture.saved == nil)
    }

    @Test func whatEndedAlreadyIsEnded() async throws {
        let fixture = try SignInFixture()
        defer { fixture.directory.remove() }
        try SessionFile(fixture.locations).write(SessionFixture.saved("0", until: SessionFixture.start, ended: "over"))
        #expect(try await #require(try fixture.find()).end())
        #expect(try fixture.saved == nil && fixture.transport.requests.isEmpty)
    }
}

@Suite struct AuthPlaceTests {
    @Test(
        arguments: [
            ("https://abc.supabase.co", "https://abc.supabase.co"),
            ("https://abc.supabase.co/", "https://abc.supabase.co"),
            ("https://abc.supabase.co/storage/v1", "https://abc.supabase.co"),
            ("https://abc.storage.supabase.co/storage/v1/", "https://abc.supabase.co"),
            ("http://nas:8000/sub/storage/v1", "http://nas:8000/sub"),
            ("http://127.0.0.1:5000", "http://127.0.0.1:5000"),
            ("http://nas:5000/bare", nil), ("", nil),
        ] as [(String, String?)])
    func aProjectsAuthIsBesideItsStorage(url: String, gateway: String?) {
        #expect(AuthPlace.base(for: url) == gateway.map { $0 + "/auth/v1" })
        #expect(AuthPlace.database(for: url) == gateway.map { $0 + "/rest/v1" })
    }
}

@Suite struct PasswordFileTests {
    @Test(
        arguments: [
            ("hunter 2\r\nrest", 0o600, "hunter 2"), (" lead", 0o400, " lead"), ("", 0o600, nil), ("\nx", 0o600, nil),
            ("x", 0o640, nil), ("x", 0o604, nil), (nil, 0o600, nil),
        ] as [(String?, UInt32, String?)])
    func itIsTheFirstLineOfAPrivateFile(content: String?, mode: UInt32, password: String?) throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let file = directory.path.appending("p")
        if let content { try OpenFile(creating: file, mode: mode).append(Array(content.utf8)) }
        if let password {
            #expect(try PasswordFile.read(file, user: Host.userID) == password)
        } else {
            #expect(throws: SettingsError.self) { try PasswordFile.read(file, user: Host.userID) }
        }
        #expect(throws: SettingsError.self) { try PasswordFile.read(file, user: Host.userID + 1) }
    }

    /// The mode of a device is not the user's to change, nor that of another one's file.
    @Test(arguments: [
        ("/dev/null", "/dev/null is no file of yours: name one that you alone can read, or - for standard input."),
        (nil, #"DIR/p must be readable by you alone. Run "chmod 600 DIR/p"."#),
    ])
    func whatCanBeDoneIsSaid(path: FilePath?, words: String) throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let file = path ?? directory.path.appending("p")
        if path == nil { try OpenFile(creating: file, mode: 0o644).append([0x78]) }
        let error = #expect(throws: SettingsError.self) { try PasswordFile.read(file, user: Host.userID) }
        #expect(error?.description.replacing(directory.path.display, with: "DIR") == words)
    }
}
