import Catalog
import Fixtures
import Platform
import Queue
import TestSupport
import Testing
import Transfer

@testable import Uploading

/// What is under way, as progress shows it and as the end of a pass depends on it.
@Suite struct ActivityTests {
    private struct Trouble: Error {}

    /// Each stage is counted by itself, and something in hand of any is no quiet.
    @Test(arguments: Activity.Stage.allCases)
    func aStageCountsWhatItHas(stage: Activity.Stage) {
        let activity = Activity(wake: WakeEvent())
        #expect(activity.snapshot.isQuiet)
        activity.begin(stage, count: 3)
        activity.end(stage, count: 2)
        let snapshot = activity.snapshot
        let inHand = [snapshot.scanning, snapshot.identifying, snapshot.thumbnailing, snapshot.recording]
        #expect(inHand == Activity.Stage.allCases.map { $0 == stage ? 1 : 0 })
        #expect(snapshot.identified == (stage == .identify ? 2 : 0))
        #expect(snapshot.thumbnailed == (stage == .thumbnail ? 2 : 0))
        #expect(!snapshot.isQuiet && activity.isScanning == (stage == .scan))
        activity.end(stage)
        #expect(activity.snapshot.isQuiet && !activity.isScanning)
    }

    /// Work that fails is not in hand any more.
    @Test(arguments: Activity.Stage.allCases)
    func whatFailsHasEnded(stage: Activity.Stage) async {
        let activity = Activity(wake: WakeEvent())
        await #expect(throws: Trouble.self) {
            try await activity.counting(stage) {
                #expect(!activity.snapshot.isQuiet)
                throw Trouble()
            }
        }
        #expect(activity.snapshot.isQuiet)
    }

    /// While other files are under way, the end of one's reading concerns the sender only: a thousand files would wake
    /// every loop a thousand times.
    @Test(
        arguments: [
            Fact("reading, beside others", (.identify, true), false),
            Fact("the last reading", (.identify, false), true),
            Fact("a picture, beside others", (.thumbnail, true), false),
            Fact("the last picture", (.thumbnail, false), true),
            Fact("a walk, beside others", (.scan, true), true), Fact("a receipt, beside others", (.record, true), true),
        ] as [Fact<(stage: Activity.Stage, isBusy: Bool), Bool>])
    func anEndWakesThoseThatItConcerns(_ fact: Fact<(stage: Activity.Stage, isBusy: Bool), Bool>) async throws {
        let wake = WakeEvent()
        let activity = Activity(wake: wake)
        activity.begin(fact.input.stage)
        if fact.input.isBusy { activity.begin(.record) }
        let before = wake.wakeups
        activity.end(fact.input.stage)
        #expect(wake.wakeups == before + 1)
        // The sender hears of each; the others of what is for all.
        await wake.wait(after: before, as: .sending)
        let heard = Shared(false)
        try await withLimit("those that it concerns are awake") {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await wake.wait(after: before, as: .watching)
                    heard.change { $0 = !Task.isCancelled }
                }
                if fact.output { await group.next() } else { group.cancelAll() }
            }
        }
        #expect(heard.value == fact.output)
    }

    /// What an attempt sent is counted once it has ended, too; what the server took counts whole.
    @Test(
        arguments: [
            Fact("a part, and a failure", (400, .ended(.interrupted)), 400),
            Fact(
                "nothing, since it was there",
                (0, .accepted(Accepted(item: item, objectID: nil, evidence: Evidence()))), 0),
            Fact(
                "all of it, told or not",
                (900, .accepted(Accepted(item: item, objectID: nil, evidence: Evidence(), isUploaded: true))), 1_000),
        ] as [Fact<(sent: Int64, end: Sending), Int64>])
    func bytesAreCountedOnce(_ fact: Fact<(sent: Int64, end: Sending), Int64>) async {
        let activity = Activity(wake: WakeEvent())
        for round in 1...2 {
            let end = await activity.sending(Self.item) { progress in
                #expect(activity.isSending && !activity.snapshot.isQuiet)
                #expect(activity.snapshot.current == [Activity.Current(path: "a.jpg", size: 1_000, sent: 0)])
                progress(TransferProgress(sent: fact.input.sent, received: 9))
                #expect(activity.snapshot.current.map(\.sent) == [fact.input.sent])
                #expect(activity.snapshot.bytesSent == fact.output * Int64(round - 1) + fact.input.sent)
                return fact.input.end
            }
            #expect(end == fact.input.end)
            #expect(activity.snapshot.bytesSent == fact.output * Int64(round))
            #expect(activity.snapshot.attempts == round && !activity.isSending)
        }
    }

    private static let item = Items.pending("a.jpg", size: 1_000)

    /// Progress that comes late is of no attempt any more.
    @Test func lateProgressChangesNothing() async throws {
        let activity = Activity(wake: WakeEvent())
        let late = Shared<(@Sendable (TransferProgress) -> Void)?>(nil)
        await #expect(throws: Trouble.self) {
            _ = try await activity.sending(Self.item) { progress in
                progress(TransferProgress(sent: 7, received: 0))
                late.change { $0 = progress }
                throw Trouble()
            }
        }
        late.value?(TransferProgress(sent: 500, received: 0))
        #expect(activity.snapshot.bytesSent == 7)
        #expect(activity.snapshot.current.isEmpty && activity.snapshot.isQuiet)
    }
}
