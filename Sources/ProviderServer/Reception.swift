import FoundationEssentials
import Serving
import Synchronization

/// Receives requests, applies the faults, and keeps the log.
final class Reception: Sendable {
    struct State: Sendable {
        var providers: ProviderState
        var troubles: FaultCounts
        var log: [LoggedRequest] = []
        /// Bytes of bodies that were sent, by path.
        var sent: [String: Int64] = [:]
    }

    let state: Mutex<State>
    private let clock: @Sendable () -> Date
    private let manner: SocketManner

    var now: Date { clock() }

    init(_ providers: ProviderState, clock: @escaping @Sendable () -> Date) {
        state = Mutex(State(providers: providers, troubles: FaultCounts(providers.plan.troubles)))
        self.clock = clock
        manner = providers.plan.socket
    }

    func answer(_ request: Request) async -> Response {
        let body: [UInt8]
        do {
            body = try await request.body.collect(limit: 16 << 20)
        } catch {
            return .dropped
        }
        let now = clock()
        return state.withLock { state in
            let hit = state.troubles.next(request.method, request.path)
            let response =
                hit.effect?.answer
                ?? Self.work(of: request).map { socket(of: $0, for: request, manner: manner) }
                ?? state.providers.answer(request, body: body, now: now, effect: hit.effect).spoiled(by: hit)
            state.log.append(
                LoggedRequest(
                    at: now, method: request.method, target: request.target, headers: request.headers, body: body,
                    status: response.status))
            return response
        }
    }

    func note(_ exchange: ExchangeSummary) {
        let path = String(exchange.target.prefix { $0 != "?" })
        state.withLock { $0.sent[path, default: 0] += exchange.sent }
    }
}
