import FoundationEssentials
import Providers
import Supabase
import Testing
import Transfer

@Suite struct SubmissionTests {
    private let submission = Submission(
        SubmitIntent(
            key: .fresh(), provider: .fal, model: "fal-ai/veo3.1", input: ["prompt": "a cat", "seed": 7],
            madeAt: Date(timeIntervalSince1970: 7)))

    private func error(_ status: Int) -> ProviderError { ProviderError(HTTPResponse(status: status)) }

    @Test func whatWasNeverSentIsSent() {
        #expect(submission.recovery(hasIdempotencyKeys: false) == .submit)
    }

    @Test func anUnknownOutcomeIsRepeatedOnlyWithAKey() {
        #expect(submission.calling.recovery(hasIdempotencyKeys: true) == .submit)
        #expect(
            submission.calling.recovery(hasIdempotencyKeys: false) == .lookUp(since: Date(timeIntervalSince1970: 7)))
    }

    @Test func aTakenJobIsFollowed() {
        let job = JobReference(.fal, "1")
        let taken = submission.calling.after(.success(SubmitReceipt(job)))
        #expect(taken.recovery(hasIdempotencyKeys: false) == .follow(job))
    }

    @Test(arguments: [400, 401, 402, 404, 422])
    func aRefusalIsTheEnd(status: Int) {
        let refused = submission.calling.after(.failure(error(status)))
        #expect(refused.stage == .refused(error(status)))
        #expect(refused.recovery(hasIdempotencyKeys: true) == .none)
    }

    /// 499 is a gateway's word: its server was told, and then one of both went away.
    @Test(arguments: [499, 500, 502, 503, 504])
    func afterAServersTroubleItIsUnknown(status: Int) {
        #expect(submission.calling.after(.failure(error(status))) == submission.calling)
    }

    @Test func onlyWhatSurelyDidNotArriveIsSentAgain() {
        let lost = ProviderError(TransferError(.unreachable, "no route", mayHaveArrived: false))
        #expect(submission.calling.after(.failure(lost)) == submission)
        #expect(submission.calling.after(.failure(error(429))) == submission)
        let doubtful = ProviderError(TransferError(.cancelled, "stopped", mayHaveArrived: true))
        #expect(submission.calling.after(.failure(doubtful)) == submission.calling)
    }

    @Test func everyStageIsStored() throws {
        let stages = [
            submission, submission.calling, submission.calling.after(.success(SubmitReceipt(JobReference(.fal, "1")))),
            submission.calling.after(.failure(error(422))),
        ]
        let stored = try JSONEncoder().encode(stages)
        #expect(try JSONDecoder().decode([Submission].self, from: stored) == stages)
    }

    @Test func keysAreRandomUUIDs() throws {
        let keys = (0..<200).map { _ in IdempotencyKey.fresh().rawValue }
        #expect(Set(keys).count == 200)
        for key in keys {
            #expect(UUID(uuidString: key)?.uuidString.lowercased() == key)
            #expect(key.dropFirst(14).first == "4")
            #expect("89ab".contains(key.dropFirst(19).prefix(1)))
        }
    }
}
