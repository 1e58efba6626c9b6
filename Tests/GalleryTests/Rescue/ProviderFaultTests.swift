import Fixtures
import Foundation
import Providers
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Queue
@testable import Rescue

/// Each provider with each fault on each kind of call: what becomes of the job.
@Suite struct ProviderFaultTests {
    static let now = Jobs.now

    /// What a fault leads to.
    enum Fate: String, Sendable {
        /// The provider is asked again; nothing has ended.
        case askedAgain
        /// It waits for another key; nothing has ended.
        case key
        case ended
        /// The file is requested again by the same link.
        case triedAgain
        /// The provider is asked for another link first.
        case anotherLink
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedTransport.Answer
        /// After a question about the job, or about its result.
        let question: Fate
        let download: Fate
        /// Whether the link's time has run out meanwhile.
        var isLate = false

        init(_ words: String, _ answer: ScriptedTransport.Answer, _ question: Fate, _ download: Fate) {
            (testDescription, self.answer, self.question, self.download) = (words, answer, question, download)
        }

        static func status(_ status: Int, _ question: Fate, _ download: Fate) -> Fault {
            Fault("\(status)", .json(#"{"detail":"No"}"#, status: status), question, download)
        }

        static let cut = ScriptedTransport.Answer.failure(TransferError(.lost, "cut", mayHaveArrived: true))

        static var late: Fault {
            var fault = Fault("no line until the deadline had passed", cut, .askedAgain, .anotherLink)
            fault.isLate = true
            return fault
        }
    }

    static let faults: [Fault] = [
        .status(400, .ended, .anotherLink), .status(401, .key, .anotherLink), .status(403, .key, .anotherLink),
        .status(404, .askedAgain, .anotherLink), .status(410, .askedAgain, .anotherLink),
        .status(422, .ended, .anotherLink), .status(429, .askedAgain, .triedAgain),
        .status(500, .askedAgain, .triedAgain), .status(503, .askedAgain, .triedAgain),
        Fault("connection cut", Fault.cut, .askedAgain, .triedAgain), .late,
    ]

    static func provider(_ site: ProviderName, _ answers: [ScriptedTransport.Answer]) -> any Provider {
        let (base, line) = ("https://api.example", ScriptedTransport(answers))
        return switch site {
        case .rendio: Rendio(project: base, credentials: StorageCredentials(key: "k"), transport: line)
        case .storyToVideo: StoryToVideo(base: base, transport: line)
        case .fal: Fal(key: "k", base: base, history: base, transport: line)
        default: PolledProvider(site.api ?? .openAI, key: "k", base: base, transport: line)
        }
    }

    @Test(arguments: ProviderName.all, faults)
    func onAQuestionAboutTheJob(site: ProviderName, fault: Fault) async {
        let reference = Studio.reference(site, "a")
        let answer = await Self.provider(site, [fault.answer]).standing(of: reference)
        #expect(Self.fate(of: Job(reference, addedAt: Self.now), after: answer) == fault.question)
    }

    /// fal alone has a call of its own for the result; the others are asked for the files of a finished job again.
    @Test(arguments: ProviderName.all, faults)
    func onAQuestionAboutTheResult(site: ProviderName, fault: Fault) async {
        let reference = Studio.reference(site, "a")
        guard site != .fal else {
            let provider = Self.provider(site, [.json(#"{"status":"COMPLETED"}"#), fault.answer, .json("{}")])
            let answer = await provider.standing(of: reference)
            #expect(Self.fate(of: Job(reference, addedAt: Self.now), after: answer) == fault.question)
            return
        }
        do throws(ProviderError) {
            _ = try await Self.provider(site, [fault.answer])
                .renewed("https://cdn.example/a.mp4", at: 0, of: reference)
            Issue.record("The fault did not come through")
        } catch {
            let file = Jobs.file(Jobs.link()) { $0.endedLink = DownloadStep.failure("http.403", "dead") }.files[0]
            let after = file.after(
                LinkRenewal(error, by: site), at: Self.now, ladder: RetryLadder(), polling: PollingPolicy(),
                random: 0.5)
            let fate: Fate = after.stage == .failed ? .ended : after.isBarred ? .key : .askedAgain
            #expect(fate == fault.question && (after.stage == .failed || after.nextAttemptAt != nil))
        }
    }

    @Test(arguments: ProviderName.all, faults)
    func onADownload(site: ProviderName, fault: Fault) {
        let end = Self.now + (fault.isLate ? -60 : 3_600)
        let media = RemoteMedia("https://cdn.example/a.mp4", .video, deadline: Deadline(end))
        let file = JobFile(media, by: site)
        let step =
            switch fault.answer {
            case .response(let response): DownloadStep(response, for: file, chunk: 1_000)
            case .failure(let error): DownloadStep(error, limit: 1_000)
            }
        let after = file.after(step, at: Self.now, ladder: RetryLadder(), random: 0.5, canRenew: true)
        let fate: Fate = after.stage == .failed ? .ended : after.endedLink == nil ? .triedAgain : .anotherLink
        #expect(fate == fault.download)
    }

    private static func fate(of job: Job, after answer: Result<JobStatus, ProviderError>) -> Fate {
        let job = job.after(answer, policy: PollingPolicy(), at: now, random: 0.5)
        guard job.error == nil else { return .ended }
        return job.refusedKey == nil ? .askedAgain : .key
    }
}
