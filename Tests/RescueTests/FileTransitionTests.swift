import Fixtures
import Foundation
import Platform
import Providers
import Testing
import Transfer

@testable import Queue
@testable import Rescue

/// Every stage of a file that is on its way, with every outcome of a step.
@Suite struct FileTransitionTests {
    static let now = Jobs.now
    static let ladder = RetryLadder(base: .seconds(10), attempts: 3)

    /// Where a file stands before a step.
    enum Start: String, CaseIterable, Sendable {
        case waiting, half, complete, probed

        var file: JobFile {
            Jobs.file(Jobs.link()) {
                switch self {
                case .waiting: break
                case .half: ($0.stage, $0.received, $0.total, $0.validator) = (.downloading, 10, 30, "\"a\"")
                case .complete: ($0.stage, $0.received, $0.total, $0.validator) = (.downloading, 30, 30, "\"a\"")
                case .probed: ($0.stage, $0.received, $0.total, $0.sha256) = (.probed, 30, 30, "ab")
                }
            }.files[0]
        }
    }

    static func failure(_ code: FailureCode) -> Item.Failure {
        DownloadStep.failure(code, "words", isRetryable: true)
    }

    /// What this disk refuses, in the code that `Item.Failure` gives it.
    static let disk = DownloadStep.missed(Item.Failure(SystemError(call: "write", code: 28)))
    static let line = DownloadStep.missed(failure(.rescue(.unreachable)))
    static let busy = DownloadStep.retry(failure(.http(503)))

    static func after(
        _ step: DownloadStep, _ file: JobFile, deadline: Double? = nil, isAssumed: Bool = false, canRenew: Bool = false
    ) -> JobFile {
        var file = file
        file.deadline = deadline.map { Deadline(now + $0, isAssumed: isAssumed) }
        return file.after(step, at: now, ladder: ladder, random: 0.5, canRenew: canRenew)
    }

    /// A full disk says nothing about a link; giving the file up would remove bytes that may be all there are.
    @Test(arguments: Start.allCases, [-90_000.0, -1, 0, 1, nil])
    func whatThisDiskRefusesEndsNoFile(start: Start, deadline: Double?) {
        for canRenew in [false, true] {
            var file = start.file
            for miss in 1...50 {
                file = Self.after(Self.disk, file, deadline: deadline, canRenew: canRenew)
                #expect(file.stage == start.file.stage && file.received == start.file.received)
                #expect(file.misses == miss && file.attempts == 0 && file.endedLink == nil)
                #expect(file.failure?.code == "file.ENOSPC" && file.nextAttemptAt.map { $0 > Self.now } == true)
            }
        }
    }

    /// Seconds to the deadline at which a step without an answer ends a file that cannot be renewed.
    @Test(
        arguments: [line, busy],
        [
            (1, false, false), (0, false, true), (-1, false, true), (-86_399, true, false), (-86_400, true, true),
            (nil, false, false),
        ] as [(Double?, Bool, Bool)])
    func theDeadlineEndsWhatTheServerDoesNotGive(
        step: DownloadStep, _ row: (deadline: Double?, isAssumed: Bool, isOver: Bool)
    ) {
        for start in [Start.waiting, .half] {
            let bare = Self.after(step, start.file, deadline: row.deadline, isAssumed: row.isAssumed)
            #expect((bare.stage == .failed) == row.isOver && (bare.nextAttemptAt == nil) == row.isOver)
            let renewable = Self.after(
                step, start.file, deadline: row.deadline, isAssumed: row.isAssumed, canRenew: true)
            #expect(renewable.stage == start.file.stage && (renewable.endedLink != nil) == row.isOver)
            #expect(renewable.received == start.file.received, "\(start): the bytes are of the same file")
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let step: DownloadStep
        let stage: JobFile.Stage
        let received: Int64
        let total: Int64?
        let validator: String?

        init(
            _ words: String, _ step: DownloadStep, _ stage: JobFile.Stage, _ received: Int64, _ total: Int64?,
            _ validator: String? = nil
        ) {
            (testDescription, self.step, self.stage) = (words, step, stage)
            (self.received, self.total, self.validator) = (received, total, validator)
        }
    }

    @Test(arguments: [
        Row("more of it", .advanced(20, total: 30, validator: "\"a\""), .downloading, 20, 30, "\"a\""),
        Row("more, and its size as before", .advanced(20, total: nil, validator: nil), .downloading, 20, 30),
        Row("the rest", .complete(30, validator: "\"a\""), .downloading, 30, 30, "\"a\""),
        Row("all of a smaller one", .complete(5, validator: "\"b\""), .downloading, 5, 5, "\"b\""),
        Row("another file", .changed("words"), .waiting, 0, nil),
        Row("a dead link", .dead(failure(.http(403))), .failed, 10, 30, "\"a\""),
        Row("a busy server", busy, .downloading, 10, 30, "\"a\""),
        Row("no line", line, .downloading, 10, 30, "\"a\""), Row("a full disk", disk, .downloading, 10, 30, "\"a\""),
        Row("a refusal", .refused(failure(.http(451))), .failed, 10, 30, "\"a\""),
    ])
    func halfAFile(_ row: Row) {
        let file = Self.after(row.step, Start.half.file)
        #expect(file.stage == row.stage && file.received == row.received && file.total == row.total)
        #expect(file.validator == row.validator)
        #expect(file.stage != .failed || file.nextAttemptAt == nil)
    }

    /// What a step reached is never undone by an order that was given meanwhile, nor the order by the step.
    @Test(
        arguments: [
            ("nothing was ordered", nil, JobFile.Stage.downloading, Int64(20), 1),
            ("more bytes came under the former link", "fresh", .downloading, 20, 2),
            ("the bytes were examined", "fresh", .probed, 30, 2), ("the file is in its place", "fresh", .safe, 30, 2),
            ("the former link was dead", "fresh", .failed, 10, 2), ("it has to wait", "fresh", .downloading, 10, 2),
            ("its part was taken away", "fresh", .waiting, 0, 2),
        ] as [(String, String?, JobFile.Stage, Int64, Int)])
    func aLinkThatIsOrderedDuringAStep(
        _ row: (why: String, fresh: String?, stage: JobFile.Stage, received: Int64, links: Int)
    ) {
        let before = Start.half.file
        var current = before
        if let fresh = row.fresh { (current.link, current.deadline) = (fresh, Deadline(Self.now + 60)) }
        var next = before
        (next.stage, next.received, next.nextAttemptAt) = (row.stage, row.received, Self.now + 900)
        let kept = next.following(before, as: current)
        #expect(kept.link == current.link && kept.deadline == current.deadline, "\(row.why)")
        guard row.fresh != nil else { return #expect(kept == next, "\(row.why)") }
        let isReached = row.received > 10 || [.probed, .safe].contains(row.stage)
        #expect(kept.stage == (isReached ? row.stage : before.stage), "\(row.why)")
        #expect(kept.received == (isReached ? row.received : before.received), "\(row.why)")
        #expect(kept.nextAttemptAt == nil, "\(row.why): the wait was the former link's")
    }

    @Test(arguments: [(1, 5.0), (2, 10), (8, 640), (9, 900), (10, 900), (11, 900), (Int.max, 900)] as [(Int, Double)])
    func theWaitsWithoutAnAnswer(_ row: (misses: Int, seconds: Double)) {
        #expect(JobFile.missDelay(row.misses, 0.5) == row.seconds)
        #expect(abs(JobFile.missDelay(row.misses, 0) - 0.8 * row.seconds) < 1e-6)
        #expect(abs(JobFile.missDelay(row.misses, 1) - 1.2 * row.seconds) < 1e-6)
    }
}

/// Bytes that came and were not the file.
@Suite struct RejectedBytesTests {
    /// The link is over, but there is a source of others: nothing is given up before it was asked.
    @Test(arguments: [
        (-1.0, true, JobFile.Stage.waiting), (-1, false, .failed), (1, true, .waiting), (1, false, .waiting),
    ])
    func anotherLinkIsAskedForOnceTheFirstIsOver(
        _ row: (deadline: Double, canRenew: Bool, stage: JobFile.Stage)
    ) {
        var file = FileTransitionTests.Start.complete.file
        file.deadline = Deadline(Jobs.now + row.deadline)
        let cut = FileTransitionTests.failure(.rescue(.truncated))
        let next = file.rejected(
            cut, at: Jobs.now, ladder: FileTransitionTests.ladder, random: 0.5, canRenew: row.canRenew)
        #expect(next.stage == row.stage && next.received == 0 && next.rejections == 1)
        #expect((next.endedLink != nil) == (row.canRenew && row.deadline < 0))
    }

    /// However many links there are, bytes that are wrong as often as the ladder has attempts are believed.
    @Test func freshLinksDoNotMakeThemEndless() {
        var file = FileTransitionTests.Start.complete.file
        let cut = FileTransitionTests.failure(.rescue(.truncated))
        var rounds = 0
        while file.stage != .failed, rounds < 10 {
            file.deadline = Deadline(Jobs.now - 1)
            (file.received, file.total, file.stage, file.renewals) = (30, 30, .downloading, nil)
            file = file.rejected(cut, at: Jobs.now, ladder: FileTransitionTests.ladder, random: 0.5, canRenew: true)
            rounds += 1
        }
        #expect(rounds == FileTransitionTests.ladder.attempts && file.failure?.code == cut.code)
    }
}
