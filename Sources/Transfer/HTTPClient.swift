import CCurl
import Platform

/// Sends many requests at once over few connections, with curl on one thread of its own.
///
/// Connections are kept and reused. Bodies are streamed from and to files. The environment's
/// proxy variables, `.netrc` and cookies are ignored.
package final class HTTPClient: Transport {
    private let thread = CurlThread()
    private let sockets = ShortSocketPaths()
    private let userAgent: String

    /// A client that names itself `userAgent`, such as `gallery-sync/1.0`.
    package init(userAgent: String = "gallery-sync") {
        self.userAgent = userAgent
        thread.start()
    }

    deinit {
        close()
    }

    /// Limits the bytes of all requests together, for each direction; `nil` removes the limit.
    ///
    /// Headers are not counted.
    package func setLimit(bytesPerSecond: Int?) {
        thread.post(.limit(bytesPerSecond: bytesPerSecond))
    }

    /// Cancels all running requests and closes all connections; later requests make new ones.
    ///
    /// For what kept connections do not survive, such as the sleep of the computer.
    package func renew() {
        thread.post(.renew)
    }

    /// Cancels all running requests and ends the thread; later requests fail as cancelled.
    package func close() {
        thread.post(.close)
    }

    /// Sends over a kept or new connection, and follows at most nine redirects where the request allows it.
    package func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        var request = request
        for _ in 0..<10 {
            let response = try await exchange(request)
            guard request.followsRedirects, let next = request.redirected(by: response) else { return response }
            request = next
        }
        throw TransferError(.lost, "The server redirects in circles.", mayHaveArrived: true)
    }

    /// Sends once; repeats once where a kept connection was dead, as curl itself does when reading.
    private func exchange(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        guard !request.isUnsendable else {
            throw TransferError(.unsendable, "A line of the request contains a line break.", mayHaveArrived: false)
        }
        let first = try await attempt(request)
        guard first.exchange.wasStale(after: first.ending) else {
            return try first.exchange.outcome(after: first.ending).get()
        }
        if case .file(_, _, _, let observer) = request.body { observer?.restarted() }
        let second = try await attempt(request, onFreshConnection: true)
        return try second.exchange.outcome(after: second.ending).get()
    }

    private func attempt(
        _ request: HTTPRequest, onFreshConnection: Bool = false
    ) async throws(TransferError) -> (exchange: Exchange, ending: Exchange.Ending) {
        let exchange = Exchange(request, throttle: thread.throttle, at: .now)
        let socket = try sockets.short(request.unixSocket)
        exchange.configure(userAgent: userAgent, socket: socket, earlyAnswers: thread.earlyAnswers)
        if onFreshConnection || request.isOnce { exchange.easy.set(CURLOPT_FRESH_CONNECT, true) }
        let ending = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.continuation = continuation
                if !thread.post(.start(exchange)) { continuation.resume(returning: Exchange.Ending.cancelled) }
            }
        } onCancel: {
            thread.post(.cancel(exchange))
        }
        return (exchange, ending)
    }
}
