import Desktop
import Dispatch
import Foundation
import Platform
import Queue
import TestSupport
import Testing
import Text

@testable import Configuration
@testable import Gallery

@Suite struct HeartbeatTests {
    private static let marks = Dictionary(uniqueKeysWithValues: VitalLoop.allCases.map { ($0, 5) })

    @Test func itIsAliveOnceAllHaveAnswered() {
        var heartbeat = Heartbeat()
        heartbeat.ask(Self.marks)
        heartbeat.hear { $0 == .sending ? 4 : 5 }
        #expect(!heartbeat.isAlive)
        #expect(heartbeat.silent == [.sending])
        heartbeat.hear { _ in 5 }
        #expect(heartbeat.isAlive)
    }

    @Test func aSecondQuestionDoesNotForgiveTheFirst() {
        var heartbeat = Heartbeat()
        heartbeat.ask(Self.marks)
        heartbeat.ask(Self.marks.mapValues { $0 + 5 })
        // Heard after the first question, which is what it owes.
        heartbeat.hear { _ in 6 }
        #expect(heartbeat.silent.isEmpty)
    }

    @Test(arguments: [VitalLoop.recording, .rescue])
    func aLoopThatWaitsForServersHasMoreTime(_ loop: VitalLoop) {
        var heartbeat = Heartbeat()
        for question in 1...11 {
            heartbeat.ask(Self.marks)
            heartbeat.hear { $0 == loop ? 0 : 5 }
            #expect(heartbeat.isAlive == (question <= 10))
        }
    }

    /// Each loop is woken by its own event; the one that a hook of the test stops is the one that is missed.
    @Test func aLoopThatHangsEndsTheBeats() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            let ahead = Shared(0.0)
            let gate = DispatchSemaphore(value: 0)
            let holds = Shared(false)
            let beats = Shared(0)
            var fixture = fixture
            var rates = RateTimetable(always: 1_000_000)
            rates.add(try #require(RateTimetable.Span("00:00-12:00")), 2_000_000)
            fixture.settings.upload.limitRate = rates
            fixture.equip = {
                // It goes on, since beats are waited for by it.
                $0.time = DateClock(now: { Date() + ahead.value })
                $0.setRate = { _ in if holds.value { gate.wait() } }
                $0.supervisor = Supervisor(patience: .milliseconds(200)) { notice in
                    if notice == .alive { beats.change { $0 += 1 } }
                }
            }
            try await fixture.run(.watch) { [fixture] agent in
                _ = try await agent.adopt(fixture.gallery)
                try await eventually("it beats") { beats.value > 1 }
                holds.change { $0 = true }
                ahead.change { $0 += 43_200 }
                var heartbeat = Heartbeat()
                agent.ask(&heartbeat)
                try await eventually("all answer but the one that hangs") {
                    agent.hear(&heartbeat)
                    return heartbeat.silent == [.limits]
                }
                #expect(!heartbeat.isAlive)
                holds.change { $0 = false }
                gate.signal()
                let before = beats.value
                try await eventually("it beats again") { beats.value > before }
            }
        }
    }
}
