import Dispatch
package import Platform
import Synchronization

/// An HTTP/1.1 server on loopback ports and socket files.
///
/// Every request is handled in a task of its own, and a connection occupies no thread while its
/// handler waits. The server runs from `start()` to `stop()`.
package final class Server: Sendable {
    private let wanted: [Address]
    private let threads: Int
    private let dispatcher: RequestDispatcher
    private let daemons = Mutex<[Daemon]>([])

    /// A server that has not been started.
    ///
    /// - Parameters:
    ///   - threads: Threads per address that read and write; handlers run elsewhere.
    ///   - connectionLimit: The most connections at once, beyond which idle ones are ended; by default as many as the
    ///     limit for open files allows, up to 512.
    ///   - isForOwner: Whether clients on loopback that run as another user, other than root, get no answer.
    ///   - log: Called once per exchange when it has ended; must not block, because it runs on a connection's thread.
    ///   - handler: Answers one request; cancelled when the server stops.
    package convenience init(
        listening: [Address], threads: Int = 2, connectionLimit: Int? = nil,
        isForOwner: Bool = false, log: (@Sendable (ExchangeSummary) -> Void)? = nil,
        handler: @escaping @Sendable (Request) async -> Response
    ) {
        let look: @Sendable (UInt16) -> Set<UInt32> = { LoopbackPeer.users(ofPort: $0) }
        self.init(
            listening: listening, threads: threads, connectionLimit: connectionLimit,
            usersOfPort: isForOwner ? look : nil, log: log, handler: handler)
    }

    /// - Parameter usersOfPort: Which users have a socket with that port on loopback; `nil` if every user may ask.
    init(
        listening: [Address], threads: Int = 2, connectionLimit: Int? = nil,
        usersOfPort: (@Sendable (UInt16) -> Set<UInt32>)?, log: (@Sendable (ExchangeSummary) -> Void)? = nil,
        handler: @escaping @Sendable (Request) async -> Response
    ) {
        wanted = listening
        self.threads = threads
        dispatcher = RequestDispatcher(
            handler: handler, usersOfPort: usersOfPort, log: log,
            connectionLimit: connectionLimit ?? Connections.defaultLimit)
    }

    /// Binds every address, then serves them; on failure none stays bound.
    package func start() throws(SystemError) {
        var started: [Daemon] = []
        do {
            for address in wanted { started.append(try Daemon(address, threads: threads, dispatcher: dispatcher)) }
        } catch {
            for daemon in started {
                daemon.hide()
                daemon.stop()
            }
            throw error
        }
        daemons.withLock { $0 = started }
    }

    /// The loopback port in use; `nil` before `start()`, or if no port is served.
    package var port: UInt16? {
        for daemon in daemons.withLock({ $0 }) {
            if case .loopback(let port) = daemon.address { return port }
        }
        return nil
    }

    /// Refuses new requests, waits up to `grace` for running ones, then cancels them.
    ///
    /// Returns when every connection is closed.
    package func stop(grace: Duration = .seconds(1)) async {
        let running = daemons.withLock { daemons in
            defer { daemons = [] }
            return daemons
        }
        guard !running.isEmpty else { return }
        dispatcher.refuse()
        for daemon in running { daemon.hide() }
        await dispatcher.drain(grace: grace)
        // From here on no connection is suspended, which MHD_stop_daemon requires.
        await dispatcher.cancelAll()
        await withCheckedContinuation { stopped in
            DispatchQueue(label: "Serving.stop").async {
                for daemon in running { daemon.stop() }
                stopped.resume()
            }
        }
    }
}
