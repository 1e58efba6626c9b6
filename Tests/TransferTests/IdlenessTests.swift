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

    @Test func silenceCountsFromTheStart() {
        let exchange = exchange(idle: .seconds(10))
        #expect(!exchange.isIdle(at: start + .seconds(9.999)))
        #expect(exchange.isIdle(at: start + .seconds(10)))
    }

    @Test func whatMovesStartsItAnew() {
        let exchange = exchange(idle: .seconds(10))
        exchange.head = [1]
        #expect(!exchange.isIdle(at: start + .seconds(15)))
        #expect(!exchange.isIdle(at: start + .seconds(24)))
        #expect(exchange.isIdle(at: start + .seconds(25)))
    }

    @Test(arguments: [FlowDirection.sending, .receiving])
    func waitingForALimitIsNoSilence(direction: FlowDirection) {
        let exchange = exchange(idle: .seconds(10))
        exchange.held = direction
        #expect(!exchange.isIdle(at: start + .seconds(100)))
        exchange.held = nil
        #expect(!exchange.isIdle(at: start + .seconds(109)))
        #expect(exchange.isIdle(at: start + .seconds(110)))
    }

    @Test func withoutATimeoutSilenceIsNeverTooLong() {
        #expect(!exchange(idle: nil).isIdle(at: start + .seconds(1_000_000)))
    }
}
