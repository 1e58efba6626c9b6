import Configuration
import Foundation
import Platform
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Access

/// Answers with what a closure says, which may change the world before.
private struct ActingTransport: Transport {
    let answer: @Sendable (HTTPRequest) async throws(TransferError) -> HTTPResponse

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse { try await answer(request) }
}

/// What another process does with `session.json` while the answer to a renewal is on its way.
@Suite struct RenewalRaceTests {
    private static let end = SessionFixture.start + 3600

    /// A session whose token has ended.
    private static func session(_ file: SessionFile, _ transport: any Transport) -> Session {
        let auth = AuthClient(base: SessionFixture.server, apiKey: "anon", transport: transport) { end }
        return Session(SessionFixture.saved("0", until: end), file: file, auth: auth, clock: { end }, random: 0)
    }

    private static func response(_ answer: ScriptedTransport.Answer) throws(TransferError) -> HTTPResponse {
        switch answer {
        case .response(let response): return response
        case .failure(let error): throw error
        }
    }

    /// What is done to the file, how the renewal ends, and what the file holds then: its token, or nothing.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let act: @Sendable (SessionFile) throws -> Void
        /// The token that is used then, or how the refusal begins.
        let token: String
        var isRefused = false
        let kept: String?
    }

    private static let rows = [
        Row(
            testDescription: "who signs out stays signed out", act: { try $0.remove() },
            token: "Not signed in any more",
            isRefused: true, kept: nil),
        Row(
            testDescription: "a new sign-in stays", act: { try $0.write(SessionFixture.saved("9", until: end + 3600)) },
            token: "a9", kept: "a9"),
        Row(
            testDescription: "so does another user's",
            act: { try $0.write(SessionFixture.saved("9", until: end + 3600, user: "v")) },
            token: "Another user signed in", isRefused: true, kept: "a9"),
    ]

    @Test(arguments: rows, [SessionFixture.renewed("1"), SessionFixture.refusal("refresh_token_not_found")])
    func whatIsDoneDuringARenewalIsNotUndone(_ row: Row, _ answer: ScriptedTransport.Answer) async throws {
        let file = SessionFile(disk: RecordingDisk(), lockPath: nil)
        try file.write(SessionFixture.saved("0", until: Self.end))
        let transport = ActingTransport { _ throws(TransferError) in
            do { try row.act(file) } catch { Issue.record(error) }
            return try Self.response(answer)
        }
        let session = Self.session(file, transport)
        // What is done is still there after a second call, too.
        for _ in 1...2 {
            if row.isRefused {
                let error = await #expect(throws: StorageError.self) { try await session.credentials() }
                #expect("\(try #require(error))".hasPrefix(row.token), "\(error.map { "\($0)" } ?? "-")")
            } else {
                #expect(try await session.credentials().bearer == row.token)
            }
            let kept = try file.read()
            #expect(kept?.session.accessToken == row.kept && kept?.ended == nil)
        }
    }

    /// The renewed session could not be saved; another sign-in is written before it is tried again.
    @Test func aSignInAfterAFailedWriteStays() async throws {
        for callsBeforeFailure in 0... {
            let contents = RecordingDisk()
            let theirs = SessionFile(disk: contents, lockPath: nil)
            try theirs.write(SessionFixture.saved("0", until: Self.end))
            let disk = FailingDisk(contents, callsBeforeFailure: callsBeforeFailure, afterwards: .recovers)
            let transport = ActingTransport { _ throws(TransferError) in
                try Self.response(SessionFixture.renewed("1"))
            }
            let session = Self.session(SessionFile(disk: disk, lockPath: nil), transport)
            _ = try? await session.credentials()
            if !disk.hasFailed { break }
            try theirs.write(SessionFixture.saved("9", until: Self.end + 3600))
            #expect(try await session.credentials().bearer == "a9", "after \(callsBeforeFailure) calls")
            #expect(try theirs.read()?.session.accessToken == "a9", "after \(callsBeforeFailure) calls")
        }
    }
}

/// Nothing comes between reading and writing `session.json`.
@Suite struct SessionChangeTests {
    private static let end = SessionFixture.start + 3600

    /// A disk in memory that tells of what is about to change.
    private struct TellingDisk: Disk {
        let base = RecordingDisk()
        let change: @Sendable () -> Void

        func read(_ name: String) throws(SystemError) -> [UInt8]? { base.read(name) }
        func names() throws(SystemError) -> [String] { base.names() }
        func create(_ name: String) throws(SystemError) -> any DiskFile {
            change()
            return base.create(name)
        }
        func append(_ name: String) throws(SystemError) -> any DiskFile { base.append(name) }
        func open(_ name: String) throws(SystemError) -> any DiskFile { try base.open(name) }
        func link(_ source: String, to target: String) throws(SystemError) { try base.link(source, to: target) }
        func rename(_ source: String, to target: String) throws(SystemError) {
            change()
            try base.rename(source, to: target)
        }
        func remove(_ name: String) throws(SystemError) {
            change()
            base.remove(name)
        }
        func synchronizeDirectory() throws(SystemError) { base.synchronizeDirectory() }
    }

    /// A renewal, one that ends the sign-in, and a sign-out.
    @Test(arguments: [
        (SessionFixture.renewed("1"), false), (SessionFixture.refusal("refresh_token_not_found"), false),
        (SessionFixture.refusal("refresh_token_not_found"), true),
    ])
    func whoChangesTheFileIsAlone(_ answer: ScriptedTransport.Answer, isSignOut: Bool) async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let lock = directory.path.appending(SessionFile.changeLockName)
        let looks = Shared<[Bool]>([])
        let disk = TellingDisk {
            let isFree = (try? FileLock.acquire(lock, attempts: 1)) != nil
            looks.change { $0.append(isFree) }
        }
        let fixture = try SessionFixture(
            [answer], disk: disk, lockPath: directory.path.appending("session.lock"))
        // The first one is of the fixture itself.
        looks.change { $0 = [] }
        fixture.pass(3600)
        if isSignOut { _ = try await fixture.session.end() } else { _ = try? await fixture.token() }
        #expect(!looks.value.isEmpty && looks.value.allSatisfy { !$0 })
    }

    /// What could not lock does not write.
    @Test func aSignInWaitsForItsMoment() async throws {
        let fixture = try SignInFixture(SessionFixture.renewed("1"))
        defer { fixture.directory.remove() }
        // A directory is no lock.
        try Directory.create(at: fixture.locations.state.appending(SessionFile.changeLockName))
        await #expect(throws: SystemError.self) { try await fixture.signIn.run(email: "e@x", password: "p") }
        #expect(try fixture.saved == nil)
    }

    /// A sign-out ends one's own sign-in: another user who signed in while the server was asked stays.
    @Test(arguments: [("u", nil), ("v", "a9")] as [(String, String?)])
    func anotherUsersSignInSurvivesASignOut(user: String, kept: String?) async throws {
        let file = SessionFile(disk: RecordingDisk(), lockPath: nil)
        try file.write(SessionFixture.saved("0", until: Self.end))
        let transport = ActingTransport { _ throws(TransferError) in
            do {
                try file.write(SessionFixture.saved("9", until: Self.end, user: user))
            } catch {
                Issue.record(error)
            }
            return HTTPResponse(status: 204)
        }
        let auth = AuthClient(base: SessionFixture.server, apiKey: nil, transport: transport) { SessionFixture.start }
        let session = Session(
            SessionFixture.saved("0", until: Self.end), file: file, auth: auth, clock: { SessionFixture.start },
            random: 0)
        #expect(try await session.end())
        #expect(try file.read()?.session.accessToken == kept)
    }
}

/// Who is cancelled leaves the others what they wait for.
@Suite struct RenewalCancellationTests {
    /// An Auth server whose first answer comes only when its asker is cancelled, and is then none.
    private final class Held: Transport {
        let asked = Shared(0)

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            let number = asked.change { asked in
                asked += 1
                return asked
            }
            guard number == 1 else {
                guard case .response(let response) = SessionFixture.renewed("1") else { fatalError("unreachable") }
                return response
            }
            let (forever, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in forever {}
            withExtendedLifetime(end) {}
            throw TransferError(.cancelled, "Cancelled.", mayHaveArrived: true)
        }
    }

    @Test func theNextOneRenewsWhereTheFirstIsCancelled() async throws {
        let (transport, now) = (Held(), SessionFixture.start + 3600)
        let file = SessionFile(disk: RecordingDisk(), lockPath: nil)
        try file.write(SessionFixture.saved("0", until: now))
        let auth = AuthClient(base: SessionFixture.server, apiKey: nil, transport: transport) { now }
        let session = Session(SessionFixture.saved("0", until: now), file: file, auth: auth, clock: { now }, random: 0)
        let first = Task { try await session.credentials() }
        try await eventually("the renewal is under way") { transport.asked.value == 1 }
        let (second, third) = (Task { try await session.credentials() }, Task { try await session.credentials() })
        // One that only waits goes at once, and ends no other renewal.
        third.cancel()
        let gone = await #expect(throws: StorageError.self) { try await third.value }
        guard case .noAnswer(let lost) = gone, lost.kind == .cancelled else { throw try #require(gone) }
        #expect(transport.asked.value == 1)
        first.cancel()
        await #expect(throws: StorageError.self) { try await first.value }
        #expect(try await second.value.bearer == "a1")
        #expect(transport.asked.value == 2)
        #expect(try file.read()?.session.accessToken == "a1")
    }
}
