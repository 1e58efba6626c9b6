import Platform
import TestSupport
import Testing

@testable import CommandLine

@Suite struct InterruptionTests {
    @Test func aSignalIsUnheardUntilATaskWaitsForIt() async {
        let interruption = Interruption()
        #expect(!interruption.isUnheard)
        #expect(interruption.raise(.terminate))
        #expect(interruption.isUnheard)
        #expect(!interruption.raise(.interrupt))
        #expect(await interruption.wait() == .terminate)
        #expect(!interruption.isUnheard)
    }

    @Test func aSignalThatATaskWaitsForIsHeard() async throws {
        let interruption = Interruption()
        let waiting = Task { await interruption.wait() }
        try await eventually("the task waits") { interruption.isAwaited }
        #expect(interruption.raise(.terminate))
        #expect(!interruption.isUnheard)
        #expect(await waiting.value == .terminate)
    }
}
