import Testing

@testable import Serving

@Suite struct BodyPaceTests {
    private static let start = ContinuousClock.Instant.now

    /// A slow body is cut with the first byte after the window, not before.
    @Test(arguments: [1000, 100, 16]) func aBodyThatDripsIsCut(every milliseconds: Int) {
        var state = ExchangeState(holdsBody: false)
        let last = 60_000 / milliseconds + (60_000 % milliseconds == 0 ? 0 : 1)
        for number in 0...last {
            let isLast = number == last
            #expect(arrive(1, after: number * milliseconds, in: &state).isCut == isLast)
            if case .piece = state.read() {}
        }
    }

    /// 4 KiB a minute is enough.
    @Test func aSlowBodyGoesOn() {
        var state = ExchangeState(holdsBody: false)
        for minute in 0..<10 {
            for second in 0..<60 {
                #expect(!arrive(69, after: (minute * 60 + second) * 1000, in: &state).isCut)
                if case .piece = state.read() {}
            }
        }
    }

    /// The handler read nothing for an hour, which is not the client's fault.
    @Test func aClientThatIsHeldBackIsNotCut() {
        var state = ExchangeState(holdsBody: false)
        #expect(!arrive(ExchangeState.capacity, after: 0, in: &state).isCut)
        #expect(arrive(1, after: 1, in: &state).isWaiting)
        #expect(arrive(1, after: 3_600_000, in: &state).isWaiting)
        if case .piece = state.read() {}
        #expect(!arrive(1, after: 3_600_001, in: &state).isCut)
    }

    private func arrive(_ count: Int, after milliseconds: Int, in state: inout ExchangeState) -> ExchangeState.Step {
        let bytes = [UInt8](repeating: 0, count: count)
        return bytes.withUnsafeBytes { state.arrived($0, at: Self.start + .milliseconds(milliseconds)) }
    }
}

extension ExchangeState.Step {
    fileprivate var isCut: Bool { if case .cut = self { true } else { false } }
    fileprivate var isWaiting: Bool { if case .wait = self { true } else { false } }
}
