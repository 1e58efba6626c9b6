import Platform
import Synchronization

/// Where requests are opened and closed: the server's side of libmicrohttpd's callbacks.
///
/// Knows every exchange that is under way, so that a stopping server can wait for them.
final class Desk: Sendable {
    typealias Handler = @Sendable (Request) async -> Response

    /// Bodies larger than this are not let in before the handler asks for them, so that a refusal
    /// spares the transfer at the price of the connection; smaller ones are read in any case.
    private static let freeBody: Int64 = 1 << 20

    let connections: Connections
    let connectionLimit: Int
    private let handler: Handler
    private let log: (@Sendable (ExchangeSummary) -> Void)?
    private let open: Mutex<Open>

    private struct Open {
        var exchanges: [ObjectIdentifier: ServerExchange] = [:]
        var isStopping = false
        /// Whether nobody waits for the exchanges under way any longer.
        var isDrained = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    init(handler: @escaping Handler, log: (@Sendable (ExchangeSummary) -> Void)?, connectionLimit: Int) {
        connections = Connections(limit: connectionLimit)
        self.connectionLimit = connectionLimit
        self.handler = handler
        self.log = log
        open = Mutex(Open())
    }
}

// MARK: Callbacks

extension Desk {
    /// The header of `exchange` is there: its handler starts, unless it can be read in two ways.
    ///
    /// - Parameter method: Where it lies at the beginning of the request, as it came.
    func open(_ exchange: ServerExchange, method: UnsafePointer<CChar>) -> ExchangeState.Step {
        let headers = exchange.connection.headers
        exchange.connection.setIdleTime(seconds: Daemon.idleSeconds)
        guard Framing.isClear(headers), exchange.hasWholeTarget,
            exchange.connection.hasWholeLines(endingAt: method + exchange.connection.headerSize)
        else { return .answer(Framing.refusal) }
        connections.began(exchange.connection.descriptor)
        return begin(exchange, method: String(cString: method), headers)
    }

    private func begin(_ exchange: ServerExchange, method: String, _ headers: Headers) -> ExchangeState.Step {
        let length = headers["transfer-encoding"] == nil ? headers["content-length"].flatMap(Int64.init) ?? 0 : nil
        let request = Request(
            method: method, target: exchange.target, headers: headers, headerSize: exchange.connection.headerSize,
            body: exchange.body(length: length))
        let holdsBody = headers["expect"] != nil && length != 0 || length ?? .max > Self.freeBody
        let isWelcome = open.withLock { open in
            guard !open.isStopping else { return false }
            open.exchanges[ObjectIdentifier(exchange)] = exchange
            exchange.start(request, holdsBody: holdsBody, work: handle)
            return true
        }
        return isWelcome ? exchange.step { $0.opened() } : .cut
    }

    private func handle(_ request: Request, of exchange: ServerExchange) async {
        var response = await handler(request)
        // libmicrohttpd ends a chunked body even where HEAD forbids one; a client would read that as the next answer.
        if request.method == "HEAD", case .stream(nil, _) = response.body { response.body = .none }
        exchange.answer(response)
        if case .stream(_, let next) = response.body { await exchange.stream(next) }
        if let converse = response.conversation { await exchange.converse(converse) }
    }

    /// No call on the connection of `exchange` follows.
    func close(_ exchange: ServerExchange, isComplete: Bool) {
        exchange.close()
        connections.ended(exchange.connection.descriptor)
        if let summary = exchange.summary(isComplete: isComplete) { log?(summary) }
        let waiters = open.withLock { open in
            open.exchanges[ObjectIdentifier(exchange)] = nil
            guard open.exchanges.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { open.waiters = [] }
            return open.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

// MARK: Stopping

extension Desk {
    /// From here on new requests are cut, whether their connection is new or not.
    func refuse() {
        open.withLock { $0.isStopping = true }
    }

    /// Returns when no exchange is under way, or when `grace` has passed.
    func drain(grace: Duration) async {
        await withTaskGroup { group in
            group.addTask { await self.idle() }
            group.addTask { try? await Task.sleep(for: grace) }
            await group.next()
            group.cancelAll()
            self.giveUpWaiting()
        }
    }

    /// Cancels every handler, lets every connection go on, and returns when all handlers have.
    func cancelAll() async {
        let exchanges = open.withLock { Array($0.exchanges.values) }
        for exchange in exchanges { exchange.cancel() }
        for exchange in exchanges { await exchange.finished() }
    }

    private func idle() async {
        await withCheckedContinuation { waiter in
            let isIdle = open.withLock { open in
                let isIdle = open.exchanges.isEmpty || open.isDrained
                if !isIdle { open.waiters.append(waiter) }
                return isIdle
            }
            if isIdle { waiter.resume() }
        }
    }

    private func giveUpWaiting() {
        let waiters = open.withLock { open in
            open.isDrained = true
            defer { open.waiters = [] }
            return open.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
