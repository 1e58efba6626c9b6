import Fixtures
import Foundation
import Platform
import Providers
import Queue
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Rescue

@Suite struct InboxTakerTests {
    private static func row(_ number: Int) -> InboxRow {
        let media = RemoteMedia("https://cdn.example/\(number).mp4?sig=1", .video)
        return InboxRow(
            token: "", reference: JobReference(.fal, "\(number)"), status: JobStatus(.succeeded, files: [media]))
    }

    /// A computer with its own registry, which every `taker()` loads anew, as a new process would.
    private struct Computer {
        let state: FilePath
        let inbox: InboxDouble

        func process<Value>(_ body: (InboxTaker, JobRegistry) async throws -> Value) async throws -> Value {
            let registry = try JobRegistry(store: try JobStore(state: state))
            let inbox = inbox
            return try await body(
                InboxTaker(inbox, registry: registry, policy: PollingPolicy()) { inbox.now }, registry)
        }

        /// Stores what is there to fetch; returns the names of the jobs.
        static func store(_ registry: JobRegistry) async throws -> [String] {
            var stored: [String] = []
            for job in await registry.open() {
                try await registry.update(job.id) {
                    $0.files[0].stage = .stored
                    $0.files[0].objectKey = $0.id.rawValue
                }
                stored.append(job.id.rawValue)
            }
            return stored
        }
    }

    private static func with(_ count: Int, _ body: (InboxDouble, [Computer]) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let inbox = InboxDouble((0..<count).map(row), at: Jobs.now)
            let computers = try ["a", "b"].map { name in
                try Directory.create(at: folder.appending(FilePath(name)))
                return Computer(state: folder.appending(FilePath(name)), inbox: inbox)
            }
            try await body(inbox, computers)
        }
    }

    @Test func aRowBecomesAJobThatIsFinishedOnceStored() async throws {
        try await Self.with(1) { inbox, computers in
            try await computers[0].process { taker, registry in
                #expect(try await taker.pass() == 1)
                let first = await registry.all().first
                let added = try #require(first)
                #expect(added.id.rawValue == "fal:0" && added.files.map(\.link) == ["https://cdn.example/0.mp4?sig=1"])
                #expect(added.inbox?.isSole == true && added.redacted.inbox == nil)
                #expect(try await taker.pass() == 0)
                #expect(!inbox.entries[0].isFinished)
                _ = try await Computer.store(registry)
                #expect(try await taker.pass() == 0)
                #expect(inbox.entries[0].key == "fal:0" && inbox.entries[0].isFinished)
                let job = await registry.all()[0]
                #expect(job.inbox == nil)
            }
        }
    }

    /// Each call is lost once, on its way there or back, and the process ends with it.
    @Test(arguments: 1...6, InboxDouble.Fault.allCases)
    func aCrashAtAnyCallLosesNoneAndDoublesNone(call: Int, fault: InboxDouble.Fault) async throws {
        try await Self.with(2) { inbox, computers in
            inbox.lose(fault, of: call)
            var stored: [String] = []
            for round in 0..<8 {
                do {
                    stored += try await computers[0].process { taker, registry in
                        _ = try await taker.pass()
                        return try await Computer.store(registry)
                    }
                } catch is RestError {}
                inbox.advance(by: round.isMultiple(of: 2) ? 60 : 400)
            }
            #expect(inbox.entries.map(\.key) == ["fal:0", "fal:1"] && inbox.entries.allSatisfy(\.isFinished))
            #expect(stored.sorted() == ["fal:0", "fal:1"])
        }
    }

    @Test func twoComputersNeverTakeTheSameOne() async throws {
        try await Self.with(25) { inbox, computers in
            for _ in 0..<4 {
                for computer in computers { try await computer.process { taker, _ in _ = try await taker.pass() } }
            }
            let jobs = try computers.map { try JobStore(state: $0.state).load().entries.map(\.id.rawValue) }
            #expect(jobs[0].count + jobs[1].count == 25 && Set(jobs[0] + jobs[1]).count == 25)
            #expect(inbox.entries.allSatisfy { $0.claims == 1 })
        }
    }

    @Test func whatAnotherTookMeanwhileIsLeftToIt() async throws {
        try await Self.with(1) { inbox, computers in
            try await computers[0].process { taker, _ in _ = try await taker.pass() }
            inbox.advance(by: 601)
            let taken = try await computers[1].process { taker, _ in try await taker.pass() }
            #expect(taken == 1)
            try await computers[0].process { taker, registry in
                let count = try await taker.pass()
                #expect(count == 0)
                let (all, open) = (await registry.all(), await registry.open())
                #expect(all[0].isCancelled && open.isEmpty)
            }
            // The other one is gone for good: the row comes back here.
            inbox.advance(by: 601)
            try await computers[0].process { taker, registry in
                #expect(try await taker.pass() == 1)
                let stored = try await Computer.store(registry)
                #expect(stored == ["fal:0"])
                _ = try await taker.pass()
            }
            #expect(inbox.entries[0].key == "fal:0")
        }
    }

    @Test func aLongDownloadKeepsItsClaim() async throws {
        try await Self.with(1) { inbox, computers in
            for _ in 0..<10 {
                try await computers[0].process { taker, _ in _ = try await taker.pass() }
                inbox.advance(by: 299)
                let taken = try await computers[1].process { taker, _ in try await taker.pass() }
                #expect(taken == 0)
            }
            #expect(inbox.entries[0].claims == 1)
        }
    }

    /// Until the clock gets there again, another computer would have taken the row.
    @Test(arguments: [(299.0, 600.0), (300, 900), (-60, 600), (-100_000, -99_400)])
    func aClaimIsRenewedAtHalfOfItsTimeAndOnceTheClockWasSetBack(after seconds: Double, until: Double) async throws {
        try await Self.with(1) { inbox, computers in
            try await computers[0].process { taker, registry in
                _ = try await taker.pass()
                inbox.advance(by: seconds)
                _ = try await taker.pass()
                #expect(await registry.all().first?.inbox?.until == Jobs.now + until)
            }
        }
    }

    /// The inbox refuses to hear of the first of three rows: the others are ended, and new ones are taken.
    @Test func aRowWhoseEndIsRefusedStopsNoOther() async throws {
        try await Self.with(13) { inbox, computers in
            try await computers[0].process { taker, registry in
                #expect(try await taker.pass() == 10)
                _ = try await Computer.store(registry)
                inbox.refuse(0)
                // The three that waited are told, and the refusal once there is nothing else to tell.
                #expect(try await taker.pass() == 3)
                #expect(inbox.entries.filter { $0.isFinished }.count == 9 && !inbox.entries[0].isFinished)
                _ = try await Computer.store(registry)
                await #expect(throws: RestError.self) { try await taker.pass() }
                #expect(inbox.entries.filter { $0.isFinished }.count == 12)
                inbox.refuse(0, false)
                #expect(try await taker.pass() == 0)
                #expect(inbox.entries.filter { !$0.isFinished }.isEmpty)
                let jobs = await registry.all()
                #expect(jobs.allSatisfy { $0.inbox == nil })
            }
        }
    }

    @Test func aRowWhoseReturnIsRefusedKeepsNoOther() async throws {
        try await Self.with(2) { inbox, computers in
            try await computers[0].process { taker, _ in
                _ = try await taker.pass()
                inbox.refuse(0)
                await #expect(throws: RestError.self) { try await taker.giveBack() }
            }
            inbox.advance(by: 2)
            let taken = try await computers[1].process { taker, _ in try await taker.pass() }
            #expect(taken == 1)
        }
    }

    /// Where no answer comes, the others would get none either.
    @Test func withoutAnAnswerNoOtherRowIsAskedFor() async throws {
        try await Self.with(3) { inbox, computers in
            try await computers[0].process { taker, registry in
                _ = try await taker.pass()
                _ = try await Computer.store(registry)
                inbox.lose(.call, of: inbox.calls + 1)
                let before = inbox.calls
                await #expect(throws: RestError.self) { try await taker.pass() }
                #expect(inbox.calls == before + 1)
            }
        }
    }

    @Test func aStopGivesBackWhatHasNotBegun() async throws {
        try await Self.with(2) { inbox, computers in
            try await computers[0].process { taker, registry in
                _ = try await taker.pass()
                try await registry.update(JobIdentifier(rawValue: "fal:1")) { $0.files[0].received = 7 }
                try await taker.giveBack()
            }
            inbox.advance(by: 2)
            let taken = try await computers[1].process { taker, registry in
                _ = try await taker.pass()
                return await registry.all().map(\.id.rawValue)
            }
            #expect(taken == ["fal:0"])
        }
    }

    @Test func aJobThatTheUserAskedForStaysHis() async throws {
        try await Self.with(1) { inbox, computers in
            try await computers[0].process { taker, registry in
                _ = try await registry.add([Job(JobReference(.fal, "0", model: "fal-ai/veo3.1"), addedAt: Jobs.now)])
                #expect(try await taker.pass() == 1)
                let job = await registry.all()[0]
                #expect(job.files.count == 1 && job.inbox?.isSole == false)
            }
            inbox.advance(by: 601)
            try await computers[1].process { taker, _ in _ = try await taker.pass() }
            try await computers[0].process { taker, registry in
                _ = try await taker.pass()
                let job = await registry.all()[0]
                #expect(!job.isCancelled && job.inbox == nil)
            }
        }
    }

    @Test func whatTheProviderCouldNotMakeIsEndedWithoutAKey() async throws {
        let failed = InboxRow(
            token: "", reference: JobReference(.replicate, "1"),
            status: JobStatus(.failed, error: ProviderError(.refused, "no luck")))
        try await FileTree().withDirectory { folder in
            let inbox = InboxDouble([failed], at: Jobs.now)
            try await Computer(state: folder, inbox: inbox).process { taker, registry in
                _ = try await taker.pass()
                let loss = await registry.all()[0].loss
                #expect(loss?.contains("no luck") == true)
                _ = try await taker.pass()
            }
            #expect(inbox.entries[0].isFinished && inbox.entries[0].key == nil)
        }
    }

    @Test func theInboxIsAskedAsTheDatabaseDefinesIt() async throws {
        let row =
            #"{"id":1,"provider":"fal","provider_job":"7","status":"succeeded","token":"t","error":null,"#
            + #""payload":{"video":{"url":"https://cdn/x.mp4"}}}"#
        let transport = ScriptedTransport([.json("[\(row)]"), .json("true"), .json("false")])
        let inbox = RescueInbox(
            RestClient(base: "https://h/rest/v1", transport: transport) { _ throws(StorageError) in
                StorageCredentials(key: "k")
            })
        let claimed = try await inbox.claim(10, for: 600)
        #expect(claimed.map(\.token) == ["t"] && claimed.map(\.reference) == [JobReference(.fal, "7")])
        #expect(claimed.first?.status.files.map(\.url) == ["https://cdn/x.mp4"])
        #expect(try await inbox.renew("t", for: 600))
        #expect(try await inbox.finish("t", key: nil) == false)
        let sent = transport.requests.map { request in
            guard case .bytes(let bytes) = request.body else { return request.url }
            return "\(request.url) \(String(decoding: bytes, as: UTF8.self))"
        }
        #expect(
            sent == [
                #"https://h/rest/v1/rpc/claim_rescues {"p_lease":"600 seconds","p_limit":10}"#,
                #"https://h/rest/v1/rpc/renew_rescue {"p_lease":"600 seconds","p_token":"t"}"#,
                #"https://h/rest/v1/rpc/finish_rescue {"p_object_key":null,"p_token":"t"}"#,
            ])
    }
}
