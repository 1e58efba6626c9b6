import Foundation
import Platform
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Access
@testable import Catalog
@testable import Configuration

/// A profile in a temporary folder, and a scripted Auth server.
struct SignInStand {
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
        let auth = AuthClient(base: SessionStand.server, apiKey: "anon", transport: transport) { SessionStand.start }
        return SignIn(auth: auth, locations: locations)
    }

    func find(_ url: String = "https://h") throws -> Session? {
        try Session.find(locations, url: url, apiKey: "anon", transport: transport) { SessionStand.start }
    }

    var saved: SavedSession? { get throws { try SessionFile.existing(locations)?.read() } }
}

@Suite struct SignInTests {
    @Test func aPasswordIsEnough() async throws {
        let stand = try SignInStand(SessionStand.renewed("1"))
        defer { stand.directory.remove() }
        #expect(try await stand.signIn.run(email: "e@x", password: "p") == AuthUser(id: "u", email: "e@x"))
        #expect(try stand.saved == SessionStand.saved("1", until: SessionStand.start + 3600))
    }

    @Test(
        arguments: [
            ("123 456\n", #"{"email":"e@x","token":"123456","type":"email"}"#),
            ("https://h/auth/v1/verify?token=t&type=magiclink", #"{"token_hash":"t","type":"magiclink"}"#),
        ])
    func soIsWhatTheMailHolds(answer: String, body: String) async throws {
        let stand = try SignInStand(.json("{}"), SessionStand.renewed("1"))
        defer { stand.directory.remove() }
        try await stand.signIn.sendCode(to: "e@x")
        _ = try await stand.signIn.run(email: "e@x", answer: answer)
        guard case .bytes(let sent)? = stand.transport.requests.last?.body else { throw CancellationError() }
        #expect(String(decoding: sent, as: UTF8.self) == body)
        #expect(try stand.saved != nil)
    }

    @Test(arguments: ["", "  ", "https://app/#access_token=x", "https://app/?error=x"])
    func aLinkThatWasOpenedIsExplained(answer: String) async throws {
        let stand = try SignInStand()
        defer { stand.directory.remove() }
        let refusal = await #expect(throws: Refusal.self) { try await stand.signIn.run(email: "e@x", answer: answer) }
        guard case .notPermitted(let sentence) = refusal?.ending else { throw try #require(refusal) }
        #expect(sentence.contains("without opening it"))
    }

    @Test(
        arguments: [
            (SessionStand.refusal("invalid_credentials"), .notPermitted("The e-mail or the password is wrong.")),
            (
                SessionStand.refusal("otp_expired", status: 403),
                .notPermitted("The code or link is wrong or too old: ask for a new one.")
            ),
            (
                SessionStand.refusal("over_request_rate_limit", status: 429),
                .temporary("Too many attempts: wait a few minutes, then try again.")
            ),
            (SessionStand.silence, .temporary("nobody")),
            (.json("<html>"), nil),
            (.json("", status: 540), .needsHuman("The project is paused: wake it in the dashboard.")),
            (.json("", status: 402), .full("Signing in failed: HTTP 402 (HTTP 402)")),
        ] as [(ScriptedTransport.Answer, Ending?)])
    func aRefusalLeavesTheFormerSignIn(answer: ScriptedTransport.Answer, ending: Ending?) async throws {
        let stand = try SignInStand(answer)
        defer { stand.directory.remove() }
        let former = SessionStand.saved("0", until: SessionStand.start)
        try SessionFile(stand.locations).write(former)
        let refusal = await #expect(throws: Refusal.self) { try await stand.signIn.run(email: "e@x", password: "p") }
        if let ending { #expect(refusal?.ending == ending) }
        #expect(try stand.saved == former)
    }

    @Test func aSignInIsFoundWhereItWasMade() async throws {
        let stand = try SignInStand(SessionStand.renewed("1"))
        defer { stand.directory.remove() }
        #expect(try stand.find() == nil)
        _ = try await stand.signIn.run(email: "e@x", password: "p")
        #expect(try stand.find("https://h")?.user.id == "u")
        #expect(try stand.find("https://h/storage/v1/")?.user.id == "u")
        #expect(try stand.find("https://other") == nil)
        #expect(try stand.find("https://h/bare") == nil)
    }

    @Test func aDamagedFileIsARefusal() throws {
        let stand = try SignInStand()
        defer { stand.directory.remove() }
        try Directory.create(at: stand.locations.state)
        try LocalDisk(directory: stand.locations.state).replace("session.json", with: [])
        let refusal = #expect(throws: Refusal.self) { try stand.find() }
        guard case .notPermitted(let sentence) = refusal?.ending else { throw try #require(refusal) }
        #expect(sentence.contains("session.json cannot be read. Run \"gallery-sync login\""))
    }

    @Test(
        arguments: [
            ([.json("")], true), ([SessionStand.silence], false), ([SessionStand.refusal("x", status: 500)], false),
        ] as [([ScriptedTransport.Answer], Bool)])
    func whoSignsOutIsForgottenInAnyCase(answers: [ScriptedTransport.Answer], isEnded: Bool) async throws {
        let stand = try SignInStand()
        defer { stand.directory.remove() }
        try SessionFile(stand.locations).write(SessionStand.saved("0", until: SessionStand.start + 3600))
        let transport = ScriptedTransport(answers)
        let session = try #require(
            try Session.find(stand.locations, url: "https://h", apiKey: nil, transport: transport) {
                SessionStand.start
            })
        #expect(try await session.end() == isEnded)
        #expect(transport.requests.first?.headers["authorization"] == "Bearer a0")
        #expect(try stand.saved == nil)
    }

    @Test func whatEndedAlreadyIsEnded() async throws {
        let stand = try SignInStand()
        defer { stand.directory.remove() }
        try SessionFile(stand.locations).write(SessionStand.saved("0", until: SessionStand.start, ended: "over"))
        #expect(try await #require(try stand.find()).end())
        #expect(try stand.saved == nil && stand.transport.requests.isEmpty)
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
}
