import Testing

@testable import Platform

@Suite struct MonitorTests {
    @Test func aSleeperSeesWhatOthersChanged() throws {
        let number = Monitor(0)
        try SystemThread.start("test") {
            for _ in 0..<1000 {
                number.withLock { $0 += 1 }
                number.signal()
            }
        }
        #expect(number.wait(seconds: 100, while: { $0 < 1000 }) { $0 } == 1000)
    }

    @Test func twoThreadsTakeTurns() throws {
        let turn = Monitor(0)
        try SystemThread.start("test") {
            for round in 0..<500 {
                turn.wait(seconds: 100, while: { $0 != round * 2 }) { $0 += 1 }
                turn.broadcast()
            }
        }
        for round in 0..<500 {
            turn.wait(seconds: 100, while: { $0 != round * 2 + 1 }) { $0 += 1 }
            turn.broadcast()
        }
        #expect(turn.withLock { $0 } == 1000)
    }

    @Test func aSleeperWithALimitGoesOn() {
        #expect(Monitor(1).wait(seconds: 0, while: { $0 == 1 }) { $0 } == 1)
    }
}
