import Foundation
import Platform
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Access
@testable import Configuration

@Suite struct SessionTests {
    @Test(
        arguments: [
            ("long before", 0, 3600, false), ("61 s before", 0, 61, false), ("60 s before", 0, 60, true),
            ("91 s before, where it is spread", 1, 91, false), ("90 s before, where it is spread", 1, 90, true),
            ("at the end", 0, 0, true), ("after it", 0, -5, true),
        ] as [(String, Double, Double, Bool)])
    func aTokenIsRenewedShortlyBeforeItsEnd(_ row: (why: String, random: Double, left: Double, renews: Bool))
        async throws
    {
        let stand = try SessionStand(row.renews ? [SessionStand.renewed("1")] : [], random: row.random)
        stand.pass(3600 - row.left)
        #expect(try await stand.token() == (row.renews ? "a1" : "a0"), "\(row.why)")
        #expect(stand.spent == (row.renews ? ["r0"] : []))
    }

    @Test func everyRenewalSpendsTheTokenOfTheOneBefore() async throws {
        let stand = try SessionStand((1...3).map { SessionStand.renewed("\($0)") })
        for round in 1...3 {
            stand.pass(3600)
            #expect(try await stand.token() == "a\(round)")
        }
        #expect(stand.spent == ["r0", "r1", "r2"])
    }

    @Test func manyAskAndOneRenews() async throws {
        let stand = try SessionStand([SessionStand.renewed("1")])
        stand.pass(3600)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await stand.token() } }
            for try await token in group { #expect(token == "a1") }
        }
        #expect(stand.spent == ["r0"])
    }

    @Test func theKeyGoesAlongWithTheToken() async throws {
        let stand = try SessionStand()
        #expect(try await stand.session.source(nil) == StorageCredentials(bearer: "a0", apiKey: "anon"))
        #expect(stand.session.user == AuthUser(id: "u", email: "e@x"))
    }

    @Test(arguments: [
        SessionStand.silence, SessionStand.refusal("x", status: 503), SessionStand.refusal("x", status: 409),
    ])
    func withoutAnAnswerTheOldTokenGoesOn(_ trouble: ScriptedTransport.Answer) async throws {
        let stand = try SessionStand([trouble, SessionStand.renewed("1")])
        stand.pass(3550)
        #expect(try await stand.token() == "a0")
        stand.pass(9.9)
        #expect(try await stand.token() == "a0" && stand.spent == ["r0"])
        stand.pass(0.1)
        #expect(try await stand.token() == "a1" && stand.spent == ["r0", "r0"])
    }

    @Test(arguments: [SessionStand.silence, SessionStand.refusal("x", status: 500)])
    func aTokenThatEndedWaitsForAnAnswer(_ trouble: ScriptedTransport.Answer) async throws {
        let stand = try SessionStand([trouble, SessionStand.renewed("1")])
        stand.pass(3600)
        for _ in 0..<3 {
            let error = await #expect(throws: StorageError.self) { try await stand.token() }
            guard case .noAnswer(let lost) = error else { throw try #require(error) }
            #expect(lost.kind == .unreachable)
        }
        #expect(stand.spent == ["r0"])
        stand.pass(10)
        #expect(try await stand.token() == "a1")
    }

    @Test func aClockThatIsSetBackKeepsNoRenewalWaiting() async throws {
        let stand = try SessionStand([SessionStand.silence, SessionStand.renewed("1")])
        stand.pass(90_000)
        await #expect(throws: StorageError.self) { try await stand.token() }
        stand.pass(3600 - 90_000)
        #expect(try await stand.token() == "a1")
    }

    @Test func aGatewayThatRefusesTheKeyEndsNothing() async throws {
        let refused = ScriptedTransport.Answer.json(#"{"message":"Invalid API key"}"#, status: 401)
        let stand = try SessionStand([refused, SessionStand.renewed("1")])
        stand.pass(3600)
        let error = await #expect(throws: StorageError.self) { try await stand.token() }
        #expect("\(try #require(error))".contains("Invalid API key") && error?.isSignIn == true)
        #expect(try stand.file.read()?.ended == nil)
        stand.pass(10)
        #expect(try await stand.token() == "a1")
    }

    @Test(arguments: [
        ("refresh_token_not_found", 400), ("refresh_token_already_used", 400), ("session_not_found", 403),
        ("session_expired", 400), ("user_banned", 403), ("invalid_grant", 400),
    ])
    func aRefusalForGoodEndsTheSignIn(code: String, status: Int) async throws {
        let stand = try SessionStand([SessionStand.refusal(code, status: status)])
        stand.pass(3600)
        for _ in 0..<2 {
            let error = await #expect(throws: StorageError.self) { try await stand.token() }
            guard case .signedOut(let sentence) = error else { throw try #require(error) }
            #expect(sentence.contains("gallery-sync login"))
            #expect(try stand.file.read()?.ended == sentence)
        }
        #expect(stand.spent == ["r0"])
    }

    @Test func aNewSignInGoesOnWithoutARestart() async throws {
        let stand = try SessionStand([SessionStand.refusal("session_expired")])
        stand.pass(3600)
        await #expect(throws: StorageError.self) { try await stand.token() }
        try stand.file.write(SessionStand.saved("9", until: stand.now.value + 3600))
        #expect(try await stand.token() == "a9")
    }

    @Test(arguments: [SessionStand.silence, SessionStand.refusal("x", status: 503)])
    func aRefusedTokenIsNotUsedAgainUntilItIsRenewed(_ trouble: ScriptedTransport.Answer) async throws {
        let stand = try SessionStand([trouble, SessionStand.renewed("1")])
        for _ in 0..<2 {
            let error = await #expect(throws: StorageError.self) { try await stand.token(refused: "a0") }
            #expect(error?.isSignIn == false)
        }
        // A caller whose request was not refused keeps using the token.
        #expect(try await stand.token() == "a0" && stand.spent == ["r0"])
        stand.pass(10)
        #expect(try await stand.token(refused: "a0") == "a1" && stand.spent == ["r0", "r0"])
    }

    @Test func aRefusedTokenIsRenewedOnceAMinute() async throws {
        let stand = try SessionStand([SessionStand.renewed("1"), SessionStand.renewed("2")])
        #expect(try await stand.token(refused: "a0") == "a1")
        #expect(try await stand.token(refused: "a0") == "a1")
        #expect(try await stand.token(refused: "a1") == "a1" && stand.spent == ["r0"])
        stand.pass(60)
        #expect(try await stand.token(refused: "a1") == "a2" && stand.spent == ["r0", "r1"])
    }
}

/// Several processes, one `session.json`.
@Suite struct SharedSessionTests {
    @Test func whatAnotherProcessRenewedIsTakenOver() async throws {
        let stand = try SessionStand()
        stand.pass(3600)
        try stand.file.write(SessionStand.saved("9", until: stand.now.value + 3600))
        #expect(try await stand.token() == "a9" && stand.spent.isEmpty)
    }

    @Test func aRenewalByAnotherProcessIsWaitedFor() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path.appending("session.lock")
        let other = Shared<FileLock?>(try FileLock.acquire(path))
        let (disk, rounds) = (RecordingDisk(), Shared(0))
        let stand = try SessionStand(disk: disk, lockPath: path) {
            rounds.change { $0 += 1 }
            guard rounds.value == 3 else { return }
            let theirs = SessionStand.saved("9", until: SessionStand.start + 7200)
            try SessionFile(disk: disk, lockPath: nil).write(theirs)
            other.change { $0 = nil }
        }
        stand.pass(3600)
        #expect(try await stand.token() == "a9")
        #expect(rounds.value == 3 && stand.spent.isEmpty)
    }

    @Test func whoIsCancelledWaitsNoLonger() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path.appending("session.lock")
        let other = try #require(try FileLock.acquire(path))
        let stand = try SessionStand(lockPath: path) { throw CancellationError() }
        stand.pass(3600)
        let error = await #expect(throws: StorageError.self) { try await stand.token() }
        guard case .noAnswer(let lost) = error else { throw try #require(error) }
        #expect(lost.kind == .cancelled && stand.spent.isEmpty)
        withExtendedLifetime(other) {}
    }

    @Test func aSignInOfAnotherUserIsNotOurs() async throws {
        let stand = try SessionStand()
        stand.pass(3600)
        try stand.file.write(SessionStand.saved("9", until: stand.now.value + 3600, user: "v"))
        let error = await #expect(throws: StorageError.self) { try await stand.token() }
        #expect("\(try #require(error))".hasPrefix("Another user signed in"))
        #expect(stand.spent.isEmpty)
    }

    @Test func whoSignedOutElsewhereIsSignedOutHere() async throws {
        let stand = try SessionStand()
        try stand.file.remove()
        #expect(try await stand.token() == "a0")
        let error = await #expect(throws: StorageError.self) { try await stand.token(refused: "a0") }
        #expect("\(try #require(error))".hasPrefix("Not signed in any more"))
    }

    @Test func aDamagedFileIsNamed() async throws {
        let disk = RecordingDisk()
        let stand = try SessionStand(disk: disk)
        try disk.replace(SessionFile.name, with: Array("{".utf8))
        stand.pass(3600)
        let error = await #expect(throws: StorageError.self) { try await stand.token() }
        #expect("\(try #require(error))".hasPrefix("session.json cannot be read."))
    }
}

/// The session on disk is never older than the one in use.
@Suite struct SessionDurabilityTests {
    @Test func aTokenIsOnDiskBeforeItIsUsed() async throws {
        let disk = RecordingDisk()
        let stand = try SessionStand([SessionStand.renewed("1")], disk: disk)
        disk.acknowledge("r0")
        stand.pass(3600)
        #expect(try await stand.token() == "a1")
        disk.acknowledge("r1")
        for cut in disk.powerCuts() {
            let file = SessionFile(disk: RecordingDisk(cut.contents), lockPath: nil)
            let found = try file.read()?.session.refreshToken
            if let promised = cut.acknowledged.last { #expect(found == promised || found == "r1", "\(cut)") }
        }
    }

    @Test func aDiskThatFailsDelaysTheTokenAndLosesNothing() async throws {
        for callsBeforeFailure in 0... {
            let contents = RecordingDisk()
            try SessionFile(disk: contents, lockPath: nil).write(
                SessionStand.saved("0", until: SessionStand.start + 3600))
            let disk = FailingDisk(contents, callsBeforeFailure: callsBeforeFailure, afterwards: .recovers)
            let file = SessionFile(disk: disk, lockPath: nil)
            let transport = ScriptedTransport([SessionStand.renewed("1")])
            let now = SessionStand.start + 3600
            let auth = AuthClient(base: SessionStand.server, apiKey: nil, transport: transport) { now }
            let session = Session(
                SessionStand.saved("0", until: now), file: file, auth: auth, clock: { now }, random: 0)
            do {
                #expect(try await session.credentials().bearer == "a1")
            } catch {
                guard case .noAnswer(let lost) = error, case .local = lost.kind else { throw error }
                #expect(disk.hasFailed)
            }
            // The second attempt saves the session that the first one got, since the old token is spent.
            #expect(try await session.credentials().bearer == "a1")
            #expect(try SessionFile(disk: contents, lockPath: nil).read()?.session.accessToken == "a1")
            #expect(transport.requests.count == 1 && transport.unusedAnswers == 0)
            if !disk.hasFailed { break }
        }
    }

    @Test func theFileIsForItsOwnerOnly() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let environment = ["HOME": directory.path.display]
        let locations = try Locations(for: LocationRequest(environment: environment, user: Host.userID))
        #expect(try SessionFile.existing(locations) == nil)
        try SessionFile(locations).write(SessionStand.saved("0", until: SessionStand.start))
        let facts = try FileFacts(of: locations.state.appending("session.json"))
        #expect(facts.mode == 0o600)
        let file = try #require(try SessionFile.existing(locations))
        #expect(try file.read() == SessionStand.saved("0", until: SessionStand.start))
        try file.remove()
        #expect(try file.read() == nil)
    }
}
