import Platform
import Synchronization

/// Opens and closes requests: the server's side of libmicrohttpd's callbacks.
///
/// The dispatcher knows every running exchange, so that a stopping server can wait for them.
final class RequestDispatcher: Sendable {
    typealias Handler = @Sendable (Request) async -> Response

    /// The bytes above which a body is not received before the handler reads it, so that a refusal saves the
    /// transfer, at the cost of the connection; smaller bodies are received in any case.
    private static let freeBody: Int64 = 1 << 20

    let connections: Connections
    let connectionLimit: Int
    private let handler: Handler
    /// Which users have a socket with that port on loopback; `nil` if every user may ask.
    private let usersOfPort: (@Sendable (UInt16) -> Set<UInt32>)?
    private let log: (@Sendable (ExchangeSummary) -> Void)?
    private let open: Mutex<Open>

    private struct Open {
        var exchanges: [ObjectIdentifier: ServerExchange] = [:]
        var isStopping = false
        /// Whether `drain` has stopped waiting for the running exchanges.
        var isDrained = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    init(
        handler: @escaping Handler, usersOfPort: (@Sendable (UInt16) -> Set<UInt32>)? = nil,
        log: (@Sendable (ExchangeSummary) -> Void)?,
        connectionLimit: Int
    ) {
        self.usersOfPort = usersOfPort
        connections = Connections(limit: connectionLimit)
        self.connectionLimit = connectionLimit
        self.handler = handler
        self.log = log
        open = Mutex(Open())
    }
}

// MARK: Callbacks

extension RequestDispatcher {
    /// Whether the client of this connection may ask; the kernel knows which user it runs as.
    ///
    /// Looked up once for each connection that sends a request: the kernel's list has every connection of the computer.
    private func welcomes(_ connection: ConnectionHandle) -> Bool {
        guard let usersOfPort else { return true }
        return connections.isWelcome(connection.descriptor) {
            guard let port = connection.peerPort else { return true }
            // Root can read everything here anyway, and may be the one that forwards a port.
            return usersOfPort(port).isSubset(of: [Host.userID, 0])
        }
    }

    /// The header has arrived: starts the handler, unless the request is ambiguous.
    ///
    /// - Parameter method: A pointer to the method at the beginning of the request, as it arrived.
    func open(_ exchange: ServerExchange, method: UnsafePointer<CChar>) -> ExchangeState.Step {
        guard welcomes(exchange.connection) else { return .cut }
        let headers = exchange.connection.headers
        exchange.connection.setIdleTime(seconds: Daemon.idleSeconds)
        guard Framing.isClear(headers), Framing.isOneLine(method), exchange.hasWholeTarget,
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
        // libmicrohttpd ends a chunked body even for HEAD, which has none; a client would read that as the next answer.
        if request.method == "HEAD", case .stream(nil, _) = response.body { response.body = .none }
        exchange.answer(response)
        if case .stream(_, let next) = response.body { await exchange.stream(next) }
        if let converse = response.conversation { await exchange.converse(converse) }
    }

    /// Ends the exchange; its connection must not be used afterwards.
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

extension RequestDispatcher {
    /// Cuts off every new request from now on, on new and on kept connections.
    func refuse() {
        open.withLock { $0.isStopping = true }
    }

    /// Returns when no exchange is running, or when `grace` has passed.
    func drain(grace: Duration) async {
        await withTaskGroup { group in
            group.addTask { await self.idle() }
            group.addTask { try? await Task.sleep(for: grace) }
            await group.next()
            group.cancelAll()
            self.giveUpWaiting()
        }
    }

    /// Cancels every handler, resumes every connection, and returns when all handlers have ended.
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
