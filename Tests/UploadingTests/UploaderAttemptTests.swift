import Fixtures
import Foundation
import Platform
import Records
import Roots
import Supabase
import Synchronization
import TestSupport
import Testing
import Transfer

@testable import Catalog
@testable import Configuration
@testable import Queue
@testable import Uploading

/// One attempt of the sending loop: what becomes of the item, of its room in the budget, and of the loop.
@Suite(.timeLimit(.minutes(5))) struct UploaderAttemptTests {
    /// What happens while the server has the request, before it answers.
    enum Meanwhile: Sendable { case nothing, replaced, cancelled, changed, reopened }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedTransport.Answer
        var meanwhile = Meanwhile.nothing
        /// The state of the item afterwards, and why it waits; `gone` where the queue has it no more.
        let state: String
        /// Bytes of its seven that are kept for it.
        let kept: Int64
        /// Whether the next stage is to prove it.
        var isAccepted = false
        /// Why nothing is sent to the destination.
        var obstacle: Circuit.Reason?
    }

    private static let stored = ScriptedTransport.Answer.json(#"{"Key":"media/Pictures/a.jpg","Id":"id-1"}"#)
    private static func lost(_ kind: TransferError.Kind) -> ScriptedTransport.Answer {
        .failure(TransferError(kind, "words", mayHaveArrived: [.lost, .timedOut, .cancelled].contains(kind)))
    }

    static let rows = [
        Row(
            testDescription: "it is taken, and keeps its room until it is proven", answer: stored,
            state: "uploading, sent", kept: 7, isAccepted: true),
        Row(
            testDescription: "it was asked for anew meanwhile: its object stays until that is stored",
            answer: stored, meanwhile: .replaced, state: "gone", kept: 7),
        Row(
            testDescription: "the file changed meanwhile, and other bytes were sent", answer: stored,
            meanwhile: .changed, state: "gone", kept: 7),
        Row(
            testDescription: "it is being sent, so that no order withdraws it", answer: stored, meanwhile: .cancelled,
            state: "uploading, sent", kept: 7, isAccepted: true),
        Row(
            testDescription: "the server asks for patience", answer: .json("", status: 429),
            state: "pending, http.429", kept: 0),
        Row(
            testDescription: "the server is busy, or a gateway that has passed the bytes on says so",
            answer: .json("", status: 503), state: "pending, http.503", kept: 7),
        Row(
            testDescription: "a gateway has given up on the server, which may have taken the bytes",
            answer: .json("", status: 504), state: "pending, http.504", kept: 7),
        Row(
            testDescription: "the answer is lost, and the bytes may be there", answer: lost(.lost),
            state: "pending, network.lost", kept: 7),
        Row(
            testDescription: "no answer within the time", answer: lost(.timedOut), state: "pending, network.timedOut",
            kept: 7),
        Row(
            testDescription: "no server is there", answer: lost(.unreachable),
            state: "pending, offline, network.unreachable", kept: 0, obstacle: .offline),
        Row(
            testDescription: "another one answers", answer: lost(.untrusted),
            state: "pending, offline, network.untrusted", kept: 0, obstacle: .untrusted),
        Row(
            testDescription: "the plan is used up", answer: .json("", status: 402), state: "pending, budget, http.402",
            kept: 0, obstacle: .quota),
        Row(
            testDescription: "all was to be tried again meanwhile, so this answer is out of date",
            answer: .json("", status: 402), meanwhile: .reopened, state: "pending", kept: 0),
        Row(
            testDescription: "all was to be tried again meanwhile, and the server is not there",
            answer: lost(.unreachable), meanwhile: .reopened, state: "pending, offline, network.unreachable", kept: 0,
            obstacle: .offline),
        Row(
            testDescription: "the project sleeps", answer: .json("", status: 540), state: "pending, offline, http.540",
            kept: 0, obstacle: .projectPaused),
        Row(
            testDescription: "the agent stops", answer: lost(.cancelled), state: "pending", kept: 7),
    ]

    /// An uploader of one file, on which it may make one attempt.
    private final class Bench: Sendable {
        let queue: UploadQueue
        let library: Library
        let item: Item
        let budget = BudgetReservations(StorageBudget(limit: 100))
        let activity: Activity
        let accepted = Shared<[Accepted]>([])
        let uploader: Uploader

        init(
            _ folder: FilePath, _ transport: Meddler, on disk: (any Disk)? = nil,
            clock: @escaping @Sendable () -> Date = { Items.now }
        ) async throws {
            library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: folder.appending("Pictures")).root
            let facts = try FileFacts(of: folder.appending("Pictures/a.jpg"))
            item = Item(
                root: root.name, path: "a.jpg", role: .original, contentType: "image/jpeg", size: facts.size,
                sha256: SHA256.hash("content".utf8).hexadecimal, modifiedAt: facts.modifiedAt, bucket: "media",
                objectKey: ObjectKey(root: root.name, path: "a.jpg"), now: Items.now)
            let store = disk.map { QueueStore(disk: $0, quarantine: RecordingDisk()) }
            queue = try UploadQueue(
                store: try store ?? QueueStore(state: folder.appending("queue")), now: Items.now)
            try await library.see(item, below: root)
            _ = try await queue.add(item, origin: .arrival, now: Items.now)
            let storage = StorageClient(
                endpoint: UploadBench.destination.endpoint, credentials: StorageCredentials(key: "k"),
                transport: transport)
            let sender = Sender(
                storage: storage, library: library, queue: queue, destination: UploadBench.destination,
                roots: RootRegistry([Root(known: root)]), cache: ThumbnailCache(folder: folder.appending("cache")),
                settings: Settings.Upload(), clock: { Items.now })
            let wake = WakeEvent()
            activity = Activity(wake: wake)
            uploader = Uploader(
                sender: sender, queue: queue, library: library, activity: activity, wake: wake,
                limit: SendingLimit(start: 1, minimum: 1, maximum: 1), budget: budget, circuit: Circuit(),
                clock: clock, checkBucket: {},
                accepted: { [accepted] one in accepted.change { $0.append(one) } })
        }

        /// An uploader that is to send nothing, since the bucket is not in order or there is no room.
        func uploader(checkBucket: @escaping @Sendable () async throws -> Void) -> Uploader {
            Uploader(
                sender: uploader.sender, queue: queue, library: library, activity: activity, wake: WakeEvent(),
                limit: SendingLimit(start: 4, minimum: 1, maximum: 4), budget: budget, circuit: Circuit(),
                clock: { Items.now }, checkBucket: checkBucket, accepted: { _ in Issue.record("nothing was sent") })
        }

        var state: String {
            get async {
                guard let item = await queue.item(item.id) else { return "gone" }
                let words = [
                    item.status.rawValue, item.blocked?.rawValue, item.lastError?.code.text, item.sent ? "sent" : nil,
                ]
                return words.compactMap(\.self).joined(separator: ", ")
            }
        }
    }

    /// A server that takes its time to answer.
    private final class Meddler: Transport {
        private let answers: DrainingTransport
        let before = Shared<(@Sendable () async throws -> Void)?>(nil)

        init(_ answers: ScriptedTransport.Answer...) { self.answers = DrainingTransport(answers) }

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            do {
                try await before.value?()
            } catch {
                throw TransferError(.lost, "\(error)", mayHaveArrived: false)
            }
            return try await answers.send(request)
        }
    }

    @Test(arguments: rows)
    func oneAttempt(_ row: Row) async throws {
        let tree: FileTree = ["Pictures": ["a.jpg": "content"]]
        try await tree.withDirectory { folder in
            let transport = Meddler(row.answer)
            let bench = try await Bench(folder, transport)
            transport.before.change { before in
                before = {
                    #expect(bench.budget.room == 93)
                    #expect(!bench.activity.snapshot.isQuiet)
                    try await Self.meddle(row.meanwhile, bench, folder)
                    // Nothing is claimed after this one.
                    bench.uploader.stop()
                }
            }
            try await bench.uploader.run()
            #expect(await bench.state == row.state)
            #expect(bench.budget.room == 100 - row.kept)
            #expect(bench.accepted.value.map(\.item.id) == (row.isAccepted ? [bench.item.id] : []))
            #expect(bench.uploader.obstacle?.reason == row.obstacle)
            #expect(bench.activity.snapshot.isQuiet)
            #expect(!bench.uploader.isBusy)
        }
    }

    private static func meddle(_ meanwhile: Meanwhile, _ bench: Bench, _ folder: FilePath) async throws {
        switch meanwhile {
        case .nothing: return
        case .reopened: try await bench.uploader.reopen()
        case .replaced:
            var again = bench.item
            again = Item(
                root: again.root, path: "a.jpg", role: .original, contentType: again.contentType, size: again.size,
                sha256: again.sha256, modifiedAt: again.modifiedAt, bucket: again.bucket, objectKey: again.objectKey,
                forcedAt: Items.now + 1, now: Items.now + 1)
            let admission = try await bench.queue.add(again, origin: .named, now: Items.now + 1)
            #expect(admission == .added)
        case .cancelled:
            let withdrawn = try await bench.uploader.withdraw([RootedPath(root: bench.item.root, path: "a.jpg")])
            #expect(withdrawn.isEmpty)
        case .changed:
            // In place: a file that replaces it would leave the one that is being sent as it is.
            let file = try Directory(folder.appending("Pictures")).open(writing: "a.jpg")
            try file.write(Array("CONTENT".utf8), at: 0)
        }
    }

    /// Another attempt would reserve its room, and lose it to the end of this one.
    @Test func theRoomOfAnAttemptIsFreeBeforeTheQueueHearsOfItsEnd() async throws {
        let tree: FileTree = ["Pictures": ["a.jpg": "content"]]
        try await tree.withDirectory { folder in
            let (disk, transport) = (GatedDisk(), Meddler(.json("", status: 429)))
            let bench = try await Bench(folder, transport, on: disk)
            transport.before.change { before in
                before = {
                    disk.close()
                    bench.uploader.stop()
                }
            }
            async let end: Void = bench.uploader.run()
            try await eventually("its end is being written down") { disk.isWaiting }
            #expect(bench.budget.room == 100)
            disk.open()
            try await end
            #expect(await bench.state == "pending, http.429")
        }
    }

    /// The others that end look at what waits by then, and that is not known yet.
    @Test func anItemGoesOnWhereRoomComesBackBeforeItWaits() async throws {
        let tree: FileTree = ["Pictures": ["a.jpg": "content"]]
        try await tree.withDirectory { folder in
            let disk = GatedDisk()
            let bench = try await Bench(folder, Meddler(Self.stored), on: disk)
            let other = Items.pending("b.jpg", size: 95)
            #expect(bench.budget.reserve(other, replacing: 0) == nil)
            let uploader = bench.uploader(checkBucket: { disk.close() })
            async let end: Void = uploader.run()
            try await eventually("it is being written down that it waits") { disk.isWaiting }
            uploader.stop()
            bench.budget.count(Occupancy(), ending: [other.id])
            #expect(bench.budget.takeRoomNotice(), "something waits for room")
            disk.open()
            try await end
            #expect(await bench.state == "pending, limit.budget", "it waits no more")
        }
    }

    /// The answer to another request closes the circuit before the queue has heard of this one's end.
    @Test func anItemGoesOnWhereTheServerIsBackBeforeItWaits() async throws {
        let tree: FileTree = ["Pictures": ["a.jpg": "content"]]
        try await tree.withDirectory { folder in
            let transport = Meddler(Self.lost(.unreachable), Self.stored)
            let (looks, isAnswered, hold) = (Shared(0), Shared(false), Hold())
            let bench = try await Bench(
                folder, transport,
                clock: {
                    looks.change { $0 += 1 }
                    // The attempt has used the library, and does so again before the queue hears of its end.
                    if isAnswered.value {
                        isAnswered.change { $0 = false }
                        hold.begin()
                    }
                    return Items.now
                })
            hold.library.change { $0 = bench.library }
            transport.before.change { before in
                before = {
                    transport.before.change { $0 = nil }
                    // By then the loop waits for this attempt.
                    try await eventually("it has looked for more to send") { looks.value >= 4 }
                    isAnswered.change { $0 = true }
                }
            }
            async let end: Void = bench.uploader.run()
            try await eventually("no server is there") { bench.uploader.obstacle != nil }
            async let isBack: Void = bench.uploader.heard(.sent)
            try await eventually("the server is back") { bench.uploader.obstacle == nil }
            hold.end()
            try await isBack
            try await eventually("it is sent") { !bench.accepted.value.isEmpty }
            bench.uploader.stop()
            try await end
        }
    }

    /// Keeps a library from doing anything else for a while.
    private final class Hold: Sendable {
        let library = Shared<Library?>(nil)
        private let isHeld = DispatchSemaphore(value: 0)
        private let isOver = DispatchSemaphore(value: 0)

        /// Returns once the library does nothing else.
        func begin() {
            guard let library = library.value else { return }
            Task {
                try await library.durably { _ in
                    self.isHeld.signal()
                    self.isOver.wait()
                }
            }
            isHeld.wait()
        }

        func end() { isOver.signal() }
    }

    /// Before the bucket is known to be in order nothing is sent; where no clear answer came the item waits.
    @Test(
        arguments: [
            Fact(
                "no server is there", StorageError.noAnswer(TransferError(.unreachable, "w", mayHaveArrived: false)),
                "pending, offline, network.unreachable"),
            Fact(
                "the answer is lost", .noAnswer(TransferError(.lost, "w", mayHaveArrived: true)),
                "pending, network.lost"),
            Fact("no one is signed in", .signedOut("words"), "pending, signIn, auth.signedOut"),
            Fact("a page takes the place of the answer", .unreadable(status: 200, "words"), "pending, http.200"),
        ] as [Fact<StorageError, String>])
    func anUnclearLookAtTheBucketSendsNothing(_ fact: Fact<StorageError, String>) async throws {
        let tree: FileTree = ["Pictures": ["a.jpg": "content"]]
        try await tree.withDirectory { folder in
            let transport = Meddler(Self.stored)
            let bench = try await Bench(folder, transport)
            let stop = Shared<(@Sendable () -> Void)>({})
            let uploader = bench.uploader(checkBucket: {
                stop.value()
                throw fact.input
            })
            stop.change { stop in stop = { uploader.stop() } }
            try await uploader.run()
            #expect(await bench.state == fact.output)
            #expect(bench.budget.room == 100)
            let left = try await bench.library.attempts(
                at: bench.item.objectKey, destination: UploadBench.destination.name)
            #expect(left.isEmpty, "what was not sent takes no room at its next attempt either")
        }
    }
}
