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
        let fixture = try SessionFixture(row.renews ? [SessionFixture.renewed("1")] : [], random: row.random)
        fixture.pass(3600 - row.left)
        #expect(try await fixture.token() == (row.renews ? "a1" : "a0"), "\(row.why)")
        #expect(fixture.spent == (row.renews ? ["r0"] : []))
    }

    @Test func everyRenewalSpendsTheTokenOfTheOneBefore() async throws {
        let fixture = try SessionFixture((1...3).map { SessionFixture.renewed("\($0)") })
        for round in 1...3 {
            fixture.pass(3600)
            #expect(try await fixture.token() == "a\(round)")
        }
        #expect(fixture.spent == ["r0", "r1", "r2"])
    }

    @Test func manyAskAndOneRenews() async throws {
        let fixture = try SessionFixture([SessionFixture.renewed("1")])
        fixture.pass(3600)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await fixture.token() } }
            for try await token in group { #expect(token == "a1") }
        }
        #expect(fixture.spent == ["r0"])
    }

    @Test func theKeyGoesAlongWithTheToken() async throws {
        let fixture = try SessionFixture()
        #expect(try await fixture.session.source(nil) == StorageCredentials(bearer: "a0", apiKey: "anon"))
        #expect(fixture.session.user == AuthUser(id: "u", email: "e@x"))
    }

    @Test(arguments: [
        SessionFixture.silence, SessionFixture.refusal("x", status: 503), SessionFixture.refusal("x", status: 409),
    ])
    func withoutAnAnswerTheOldTokenGoesOn(_ trouble: ScriptedTransport.Answer) async throws {
        let fixture = try SessionFixture([trouble, SessionFixture.renewed("1")])
        fixture.pass(3550)
        #expect(try await fixture.token() == "a0")
        fixture.pass(9.9)
        #expect(try await fixture.token() == "a0" && fixture.spent == ["r0"])
        fixture.pass(0.1)
        #expect(try await fixture.token() == "a1" && fixture.spent == ["r0", "r0"])
    }

    @Test(arguments: [SessionFixture.silence, SessionFixture.refusal("x", status: 500)])
    func aTokenThatEndedWaitsForAnAnswer(_ trouble: ScriptedTransport.Answer) async throws {
        let fixture = try SessionFixture([trouble, SessionFixture.renewed("1")])
        fixture.pass(3600)
        for _ in 0..<3 {
            let error = await #expect(throws: StorageError.self) { try await fixture.token() }
            guard case .noAnswer(let lost) = error else { throw try #require(error) }
            #expect(lost.kind == .unreachable)
        }
        #expect(fixture.spent == ["r0"])
        fixture.pass(10)
        #expect(try await fixture.token() == "a1")
    }

    @Test func aClockThatIsSetBackKeepsNoRenewalWaiting() async throws {
        let fixture = try SessionFixture([SessionFixture.silence, SessionFixture.renewed("1")])
        fixture.pass(90_000)
        await #expect(throws: StorageError.self) { try await fixture.token() }
        fixture.pass(3600 - 90_000)
        #expect(try await fixture.token() == "a1")
    }

    @Test func aGatewayThatRefusesTheKeyEndsNothing() async throws {
        let refused = ScriptedTransport.Answer.json(#"{"message":"Invalid API key"}"#, status: 401)
        let fixture = try SessionFixture([refused, SessionFixture.renewed("1")])
        fixture.pass(3600)
        let error = await #expect(throws: StorageError.self) { try await fixture.token() }
        #expect("\(try #require(error))".contains("Invalid API key") && error?.isSignIn == true)
        #expect(try fixture.file.read()?.ended == nil)
        fixture.pass(10)
        #expect(try await fixture.token() == "a1")
    }

    @Test(arguments: [
        ("refresh_token_not_found", 400), ("refresh_token_already_used", 400), ("session_not_found", 403),
        ("session_expired", 400), ("user_banned", 403), ("invalid_grant", 400),
    ])
    func aRefusalForGoodEndsTheSignIn(code: String, status: Int) async throws {
        let fixture = try SessionFixture([SessionFixture.refusal(code, status: status)])
        fixture.pass(3600)
        for _ in 0..<2 {
            let error = await #expect(throws: StorageError.self) { try await fixture.token() }
            guard case .signedOut(let sentence) = error else { throw try #require(error) }
            #expect(sentence.contains("gallery-sync login"))
            #expect(try fixture.file.read()?.ended == sentence)
        }
        #expect(fixture.spent == ["r0"])
    }

    @Test func aNewSignInGoesOnWithoutARestart() async throws {
        let fixture = try SessionFixture([SessionFixture.refusal("session_expired")])
        fixture.pass(3600)
        await #expect(throws: StorageError.self) { try await fixture.token() }
        try fixture.file.write(SessionFixture.saved("9", until: fixture.now.value + 3600))
        #expect(try await fixture.token() == "a9")
    }

    @Test(arguments: [SessionFixture.silence, SessionFixture.refusal("x", status: 503)])
    func aRefusedTokenIsNotUsedAgainUntilItIsRenewed(_ trouble: ScriptedTransport.Answer) async throws {
        let fixture = try SessionFixture([trouble, SessionFixture.renewed("1")])
        for _ in 0..<2 {
            let error = await #expect(throws: StorageError.self) { try await fixture.token(refused: "a0") }
            #expect(error?.isSignIn == false)
        }
        // A caller whose request was not refused keeps using the token.
        #expect(try await fixture.token() == "a0" && fixture.spent == ["r0"])
        fixture.pass(10)
        #expect(try await fixture.token(refused: "a0") == "a1" && fixture.spent == ["r0", "r0"])
    }

    @Test func aRefusedTokenIsRenewedOnceAMinute() async throws {
        let fixture = try SessionFixture([SessionFixture.renewed("1"), SessionFixture.renewed("2")])
        #expect(try await fixture.token(refused: "a0") == "a1")
        #expect(try await fixture.token(refused: "a0") == "a1")
        #expect(try await fixture.token(refused: "a1") == "a1" && fixture.spent == ["r0"])
        fixture.pass(60)
        #expect(try await fixture.token(refused: "a1") == "a2" && fixture.spent == ["r0", "r1"])
    }
}

/// Several processes, one `session.json`.
@Suite struct SharedSessionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What another process does with the file, an hour after the sign-in.
        let change: @Sendable (SessionFile, RecordingDisk) throws -> Void
        /// The token that is used then, or how its refusal begins.
        let token: String
        var isRefused = false
    }

    private static let later = SessionFixture.start + 7200

    @Test(arguments: [
        Row(
            testDescription: "what it renewed is taken over",
            change: { file, _ in try file.write(SessionFixture.saved("9", until: later)) }, token: "a9"),
        Row(
            testDescription: "a sign-in of another user is not ours",
            change: { file, _ in try file.write(SessionFixture.saved("9", until: later, user: "v")) },
            token: "Another user signed in", isRefused: true),
        Row(
            testDescription: "who signed out there is signed out here", change: { file, _ in try file.remove() },
            token: "Not signed in any more", isRefused: true),
        Row(
            testDescription: "a damaged file is named",
            change: { _, disk in try disk.replace(SessionFile.name, with: Array("{".utf8)) },
            token: "session.json cannot be read.", isRefused: true),
        Row(
            testDescription: "so is an empty one",
            change: { _, disk in try disk.replace(SessionFile.name, with: []) },
            token: "session.json cannot be read.", isRefused: true),
    ])
    func whatLiesInTheFileCounts(_ row: Row) async throws {
        let disk = RecordingDisk()
        let fixture = try SessionFixture(disk: disk)
        try row.change(fixture.file, disk)
        #expect(try await fixture.token() == "a0", "until the token ends")
        fixture.pass(3600)
        if row.isRefused {
            let error = await #expect(throws: StorageError.self) { try await fixture.token() }
            #expect("\(try #require(error))".hasPrefix(row.token))
        } else {
            #expect(try await fixture.token() == row.token)
        }
        #expect(fixture.spent.isEmpty)
    }

    @Test func aRenewalByAnotherProcessIsWaitedFor() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path.appending("session.lock")
        let other = Shared<FileLock?>(try FileLock.acquire(path))
        let (disk, rounds) = (RecordingDisk(), Shared(0))
        let fixture = try SessionFixture(disk: disk, lockPath: path) {
            rounds.change { $0 += 1 }
            guard rounds.value == 3 else { return }
            let theirs = SessionFixture.saved("9", until: SessionFixture.start + 7200)
            try SessionFile(disk: disk, lockPath: nil).write(theirs)
            other.change { $0 = nil }
            try await eventually("no child of another test holds the lock") { try FileLock.holder(path) == nil }
        }
        fixture.pass(3600)
        #expect(try await fixture.token() == "a9")
        #expect(rounds.value == 3 && fixture.spent.isEmpty)
    }

    @Test func whoIsCancelledWaitsNoLonger() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path.appending("session.lock")
        let other = try #require(try FileLock.acquire(path))
        let fixture = try SessionFixture(lockPath: path) { throw CancellationError() }
        fixture.pass(3600)
        let error = await #expect(throws: StorageError.self) { try await fixture.token() }
        guard case .noAnswer(let lost) = error else { throw try #require(error) }
        #expect(lost.kind == .cancelled && fixture.spent.isEmpty)
        withExtendedLifetime(other) {}
    }
}

/// The session on disk is never older than the one in use.
@Suite struct SessionDurabilityTests {
    @Test func aTokenIsOnDiskBeforeItIsUsed() async throws {
        let disk = RecordingDisk()
        let fixture = try SessionFixture([SessionFixture.renewed("1")], disk: disk)
        disk.acknowledge("r0")
        fixture.pass(3600)
        #expect(try await fixture.token() == "a1")
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
                SessionFixture.saved("0", until: SessionFixture.start + 3600))
            let disk = FailingDisk(contents, callsBeforeFailure: callsBeforeFailure, afterwards: .recovers)
            let file = SessionFile(disk: disk, lockPath: nil)
            let transport = ScriptedTransport([SessionFixture.renewed("1")])
            let now = SessionFixture.start + 3600
            let auth = AuthClient(base: SessionFixture.server, apiKey: nil, transport: transport) { now }
            let session = Session(
                SessionFixture.saved("0", until: now), file: file, auth: auth, clock: { now }, random: 0)
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

    /// It counts from the renewal, and not from the time at which the disk took it.
    @Test func aRefusedTokenThatWasSavedLateIsRenewed() async throws {
        var late = 0
        for callsBeforeFailure in 0... {
            let contents = RecordingDisk()
            try SessionFile(disk: contents, lockPath: nil).write(
                SessionFixture.saved("0", until: SessionFixture.start + 3600))
            let disk = FailingDisk(contents, callsBeforeFailure: callsBeforeFailure, afterwards: .recovers)
            let renewals = [SessionFixture.renewed("1"), SessionFixture.renewed("2")]
            guard let fixture = try? SessionFixture(renewals, disk: disk) else { continue }
            fixture.pass(3600)
            _ = try? await fixture.token()
            if !disk.hasFailed { break }
            let isRenewed = !fixture.spent.isEmpty
            fixture.pass(60)
            #expect(try await fixture.token() == "a1")
            guard isRenewed else { continue }
            #expect(try await fixture.token(refused: "a1") == "a2", "after \(callsBeforeFailure) calls")
            late += 1
        }
        #expect(late > 0)
    }

    @Test func theFileIsForItsOwnerOnly() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let environment = ["HOME": directory.path.display]
        let locations = try Locations(for: LocationRequest(environment: environment, user: Host.userID))
        #expect(try SessionFile.existing(locations) == nil)
        try SessionFile(locations).write(SessionFixture.saved("0", until: SessionFixture.start))
        let facts = try FileFacts(of: locations.state.appending("session.json"))
        #expect(facts.mode == 0o600)
        let file = try #require(try SessionFile.existing(locations))
        #expect(try file.read() == SessionFixture.saved("0", until: SessionFixture.start))
        try file.remove()
        #expect(try file.read() == nil)
    }
}
