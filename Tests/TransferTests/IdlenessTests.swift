import Testing

@testable import Transfer

/// When silence is too long, as a function of the moments at which it is checked.
@Suite struct IdlenessTests {
    private let start = ContinuousClock.now

    private func exchange(idle: Duration?) -> Exchange {
        var request = HTTPRequest(.get, "http://127.0.0.1/")
        request.timeouts = Timeouts(idle: idle)
        return Exchange(request, throttle: Throttle(), at: start)
    }

    enum Event: Sendable {
        case moved
        case held(FlowDirection?)
        case isIdle(Bool, at: Double)
    }

    @Test(
        arguments: [
            ("silence counts from the start", 10, [.isIdle(false, at: 9.999), .isIdle(true, at: 10)]),
            (
                "what moves starts it anew when it is seen", 10,
                [.moved, .isIdle(false, at: 15), .isIdle(false, at: 24.999), .isIdle(true, at: 25)]
            ),
            (
                "and again", 10,
                [
                    .isIdle(false, at: 9), .moved, .isIdle(false, at: 10), .moved, .isIdle(false, at: 19.999),
                    .isIdle(true, at: 29.999),
                ]
            ),
            (
                "waiting for a limit to send is no silence", 10,
                [
                    .held(.sending), .isIdle(false, at: 100), .held(nil), .isIdle(false, at: 109.999),
                    .isIdle(true, at: 110),
                ]
            ),
            (
                "nor waiting for one to receive", 10,
                [
                    .held(.receiving), .isIdle(false, at: 100), .held(nil), .isIdle(false, at: 109.999),
                    .isIdle(true, at: 110),
                ]
            ),
            ("without a timeout silence is never too long", nil, [.isIdle(false, at: 1_000_000)]),
        ] as [(String, Int?, [Event])])
    func silenceIsTooLong(_ row: (why: String, idle: Int?, events: [Event])) {
        let exchange = exchange(idle: row.idle.map { .seconds($0) })
        for event in row.events {
            switch event {
            case .moved: exchange.head.append(1)
            case .held(let direction): exchange.held = direction
            case .isIdle(let isIdle, let second):
                #expect(exchange.isIdle(at: start + .seconds(second)) == isIdle, "\(row.why), \(second) s")
            }
        }
    }
}
