import FoundationEssentials
import Providers
import Testing

@testable import ProviderServer

@Suite struct MadeJobTests {
    static let now = Date(timeIntervalSince1970: 7)

    @Test(arguments: [
        (0, 0, [MadeJob.Stage.ended]), (1, 0, [.queued, .ended]), (0, 1, [.running, .ended]),
        (2, 1, [.queued, .queued, .running, .ended, .ended]),
    ])
    func itMovesOnWithEachQuestion(queued: Int, running: Int, stages: [MadeJob.Stage]) {
        var job = MadeJob(.fal, "f-1", queued: queued, running: running)
        for stage in stages {
            job = job.asked(at: Self.now)
            #expect(job.stage == stage)
            #expect(job.endedAt == (stage == .ended ? Self.now : nil))
        }
    }

    @Test func itsEndIsTheFirstMomentItIsSeen() {
        let job = MadeJob(.fal, "f-1").asked(at: Self.now).asked(at: Self.now + 9)
        #expect(job.endedAt == Self.now)
    }

    @Test(arguments: [
        (MadeJob.End.succeeded, "done"), (.failed("r"), "failed"), (.failedResult("r"), "done"),
        (.cancelled, "cancelled"), (.word("DREAMT"), "DREAMT"),
    ])
    func itsLastWordIsThatOfItsEnd(end: MadeJob.End, word: String) {
        let job = MadeJob(.fal, "f-1", end: end).asked(at: Self.now)
        #expect(job.word("queued", "running", "done", "failed", "cancelled") == word)
    }

    @Test func aJobsFilesLieBelowItsName() {
        let job = MadeJob(.gemini, "models/veo/operations/g-1", media: [.video, .picture])
        #expect(job.filePaths == ["/files/gemini/g-1/video.mp4", "/files/gemini/g-1/image.png"])
    }
}
