import Testing

@testable import Serving

@Suite struct ExchangeStateTests {
    /// The instructions to the connection's thread, without payload.
    enum Told: Equatable { case proceed, wait, answer(Int), cut }

    enum Event {
        case opened, advanced, arrived(Int), read, answer(Int), sent(Int), cancel
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let holdsBody: Bool
        let events: [Event]
        let told: Told
        let canProceed: Bool

        init(_ name: String, holdsBody: Bool = false, _ events: [Event], told: Told, canProceed: Bool) {
            testDescription = name
            self.holdsBody = holdsBody
            self.events = events
            self.told = told
            self.canProceed = canProceed
        }
    }

    static let full = ExchangeState.capacity

    @Test(arguments: [
        Row("a small request is let in", [.opened], told: .proceed, canProceed: true),
        Row("a held body waits for its reader", holdsBody: true, [.opened], told: .wait, canProceed: false),
        Row("reading lets it in", holdsBody: true, [.opened, .read, .advanced], told: .proceed, canProceed: true),
        Row(
            "an answer spares it", holdsBody: true, [.opened, .answer(413), .advanced], told: .answer(413),
            canProceed: false),
        Row(
            "an answer beats a reader", holdsBody: true, [.opened, .read, .answer(413), .advanced], told: .answer(413),
            canProceed: false),
        Row("a complete request waits for its answer", [.opened, .advanced], told: .wait, canProceed: false),
        Row("the answer ends the wait", [.opened, .advanced, .answer(200)], told: .wait, canProceed: true),
        Row(
            "an early answer is given at the end", [.opened, .answer(200), .advanced], told: .answer(200),
            canProceed: false),
        Row(
            "a byte below capacity is taken", [.opened, .arrived(full - 1), .arrived(1)], told: .proceed,
            canProceed: false),
        Row("at capacity the client waits", [.opened, .arrived(full), .arrived(1)], told: .wait, canProceed: false),
        Row(
            "half read, the client goes on", [.opened, .arrived(full / 2), .arrived(full / 2), .arrived(1), .read],
            told: .wait, canProceed: true),
        Row(
            "after the answer everything is dropped", [.opened, .arrived(full), .answer(413), .arrived(full)],
            told: .proceed, canProceed: true),
        Row("a stopped exchange is cut", [.opened, .cancel, .arrived(1)], told: .cut, canProceed: true),
        Row("also when it was answered", [.opened, .answer(200), .cancel, .advanced], told: .cut, canProceed: true),
        Row("dropping cuts in the body", [.opened, .answer(0), .arrived(1)], told: .cut, canProceed: true),
        Row("dropping cuts at the end", [.opened, .answer(0), .advanced], told: .cut, canProceed: true),
        Row(
            "after an answer in the middle the rest is dropped", [.opened, .sent(204), .arrived(9)], told: .proceed,
            canProceed: true),
        Row("and its end closes the connection", [.opened, .sent(204), .advanced], told: .cut, canProceed: true),
        Row(
            "the first answer counts", [.opened, .answer(200), .answer(500), .advanced], told: .answer(200),
            canProceed: false),
    ])
    func theConnection(_ row: Row) {
        var state = ExchangeState(holdsBody: row.holdsBody)
        var last = Told.proceed
        for event in row.events {
            if let told = apply(event, to: &state) { last = told }
        }
        #expect(last == row.told)
        #expect(state.canProceed == row.canProceed)
    }

    private func apply(_ event: Event, to state: inout ExchangeState) -> Told? {
        switch event {
        case .opened: return told(state.opened())
        case .advanced: return told(state.requestAdvanced())
        case .arrived(let count):
            return [UInt8](repeating: 7, count: count).withUnsafeBytes { told(state.arrived($0)) }
        case .read: _ = state.read()
        case .answer(let status): state.answer(Response(status: status))
        case .sent(let status): state.answer(Response(status: status), isSent: true)
        case .cancel: state.cancel()
        }
        return nil
    }

    private func told(_ step: ExchangeState.Step) -> Told {
        switch step {
        case .proceed: .proceed
        case .wait: .wait
        case .answer(let response): .answer(response.status)
        case .cut: .cut
        }
    }

    @Test(arguments: [
        ("in a body without a length", [Event.opened], nil, false, true),
        ("in a body of known length", [.opened], 5, false, true),
        ("before it is wanted", [.opened], 5, true, false),
        ("when all of it is here and the end is not told yet", [.opened], 0, false, false),
        ("at the end", [.opened, .advanced], 5, false, false),
        ("a second time", [.opened, .answer(1)], 5, false, false),
        ("when the client is gone", [.opened, .cancel], 5, false, false),
    ])
    func answeringEarly(when: String, events: [Event], length: Int64?, holdsBody: Bool, isPossible: Bool) {
        var state = ExchangeState(holdsBody: holdsBody, length: length)
        for event in events { _ = apply(event, to: &state) }
        #expect(state.canAnswerEarly == isPossible, "\(when)")
    }

    @Test func aStreamGivesWhatItHasAndThenItsEnd() {
        var state = ExchangeState(holdsBody: false)
        state.answer(Response(status: 200))
        _ = state.requestAdvanced()
        #expect(!state.canProceed)
        state.append([1, 2, 3])
        #expect(state.canProceed)
        state.end(.complete)
        #expect(given(by: &state, upTo: 2) == .init(bytes: [1, 2], ending: nil))
        #expect(given(by: &state, upTo: 2) == .init(bytes: [3], ending: nil))
        #expect(given(by: &state, upTo: 2) == .init(bytes: [], ending: .complete))
        #expect(state.sent == 3)
    }

    @Test func aStreamGrowsToItsCapacity() {
        var state = ExchangeState(holdsBody: false)
        state.append(Array(repeating: 0, count: Self.full - 1))
        #expect(state.canGive)
        state.append([0])
        #expect(!state.canGive)
        state.cancel()
        #expect(state.canGive)
        #expect(given(by: &state, upTo: 9) == .init(bytes: [], ending: .broken))
    }

    struct Given: Equatable {
        var bytes: [UInt8]
        var ending: ExchangeState.Ending?
    }

    private func given(by state: inout ExchangeState, upTo count: Int) -> Given {
        var buffer = [UInt8](repeating: 0, count: count)
        let (moved, ending) = buffer.withUnsafeMutableBytes { state.give(to: $0) }
        return Given(bytes: Array(buffer[..<moved]), ending: ending)
    }

    @Test(
        arguments: [
            ("before anything came there is nothing yet", [], ["nothing yet"]),
            ("a piece, and no more yet", [.arrived(3)], ["777", "nothing yet"]),
            ("the pieces, then the end", [.arrived(3), .arrived(2), .advanced], ["777", "77", "end", "end"]),
            ("no piece, and the end at once", [.advanced], ["end"]),
            ("of a lost body what came, then that it is lost", [.arrived(3), .cancel], ["777", "lost", "lost"]),
            ("of a body that was lost at its beginning only that", [.cancel], ["lost"]),
        ] as [(String, [Event], [String])])
    func aReaderGets(_ row: (why: String, events: [Event], readings: [String])) {
        var state = ExchangeState(holdsBody: false)
        for event in row.events { _ = apply(event, to: &state) }
        let readings = row.readings.map { _ in
            switch state.read() {
            case .nothingYet: "nothing yet"
            case .piece(let bytes): bytes.map { "\($0)" }.joined()
            case .end: "end"
            case .lost: "lost"
            }
        }
        #expect(readings == row.readings, "\(row.why)")
    }
}
