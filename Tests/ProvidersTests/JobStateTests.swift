import FoundationEssentials
import Providers
import Testing

@Suite struct JobStateTests {
    @Test(arguments: [
        ("IN_QUEUE", JobState.queued), ("pending", .queued), ("blocked", .queued), ("queued", .queued),
        ("PENDING", .queued), ("THROTTLED", .queued), ("starting", .queued),
        ("IN_PROGRESS", .running), ("processing", .running), ("in_progress", .running), ("RUNNING", .running),
        ("dreaming", .running),
        ("COMPLETED", .succeeded), ("completed", .succeeded), ("finished", .succeeded), ("success", .succeeded),
        ("succeeded", .succeeded), ("SUCCEEDED", .succeeded),
        ("FAILED", .failed), ("failed", .failed), ("aborted", .failed),
        ("CANCELLED", .cancelled), ("canceled", .cancelled), ("cancelled", .cancelled),
    ])
    func everyProvidersWordHasOneMeaning(word: String, state: JobState) {
        #expect(JobState(word: word) == state)
    }

    @Test(arguments: ["HIBERNATING", "", "finished!", "done"])
    func anUnknownWordIsKeptAndNoEnd(word: String) {
        let state = JobState(word: word)
        #expect(state == .unknown(word))
        #expect(state.word == word)
        #expect(!state.isEnd)
    }

    @Test func onlyThreeStatesAreTheEnd() {
        let states: [JobState] = [.queued, .running, .succeeded, .failed, .cancelled, .unknown("x")]
        #expect(states.filter(\.isEnd) == [.succeeded, .failed, .cancelled])
    }

    @Test(arguments: [JobState.queued, .running, .succeeded, .failed, .cancelled, .unknown("Napping")])
    func aStoredStateComesBack(state: JobState) throws {
        let stored = try JSONEncoder().encode([state])
        #expect(stored.text == #"["\#(state.word)"]"#)
        #expect(try JSONDecoder().decode([JobState].self, from: stored) == [state])
    }
}
