import Platform
import Queue
import TestSupport
import Testing
import Transfer

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

    /// Each loop is woken by its own event, and the one whose request is never answered is the one that is missed.
    @Test func onlyTheLoopThatHangsDoesNotAnswer() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            let line = SilentProof(server: fixture.client)
            var fixture = fixture
            fixture.equip = { $0.transport = line }
            try await fixture.run(.watch) { [fixture] agent in
                _ = try await agent.adopt(fixture.gallery)
                agent.wake.notify()
                try await eventually("the proof is asked for") { line.isHeld.value }
                var heartbeat = Heartbeat()
                for _ in 0...10 {
                    agent.ask(&heartbeat)
                    try await eventually("all answer but the one that hangs") {
                        agent.hear(&heartbeat)
                        return heartbeat.silent == [.recording]
                    }
                }
                #expect(!heartbeat.isAlive)
                line.gate.notify()
                try await eventually("it answers, too") {
                    agent.hear(&heartbeat)
                    return heartbeat.silent.isEmpty
                }
                #expect(heartbeat.isAlive)
            }
        }
    }
}

/// A connection to `server` whose requests for proof wait, blocking no thread, until `gate` is notified.
private struct SilentProof: Transport {
    let server: any Transport
    let gate = WakeEvent()
    /// Whether a request has begun to wait.
    let isHeld = Shared(false)

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        if request.url.contains("/object/info/") || request.url.contains("/object/list-v2/") {
            isHeld.change { $0 = true }
            await gate.wait(after: 0)
        }
        return try await server.send(request)
    }
}
