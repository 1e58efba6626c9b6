import CMicroHTTPD
import Synchronization

/// A connection of libmicrohttpd, valid until its request was reported as completed.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// One request and its answer, shared by the connection's thread and the handler's task.
///
/// `ExchangeState` makes all decisions; this class adds the lock, the waiting and the connection. A
/// connection is suspended and resumed only under the lock, so that no resumption overtakes its suspension.
final class ServerExchange: Sendable {
    let connection: ConnectionHandle
    let target: String
    /// Whether the request line has no NUL that hides a part of the target.
    let hasWholeTarget: Bool
    let handover = Handover()
    private let shared: Mutex<Shared>

    private struct Shared {
        var state = ExchangeState(holdsBody: false)
        var method: String?
        var task: Task<Void, Never>?
        var isSuspended = false
        var reader: CheckedContinuation<ExchangeState.Reading, Never>?
        var writer: CheckedContinuation<Void, Never>?
    }

    init(connection: ConnectionHandle, target: String, hasWholeTarget: Bool) {
        self.connection = connection
        self.target = target
        self.hasWholeTarget = hasWholeTarget
        shared = Mutex(Shared())
    }

    /// Changes the state, then wakes the sides that need not wait any longer.
    private func change<T: Sendable>(_ body: (inout Shared) -> sending T) -> T {
        shared.withLock { shared in
            let result = body(&shared)
            if let writer = shared.writer, shared.state.canGive {
                shared.writer = nil
                writer.resume()
            }
            if let reader = shared.reader {
                let reading = shared.state.read()
                if case .nothingYet = reading {
                } else {
                    shared.reader = nil
                    reader.resume(returning: reading)
                }
            }
            if shared.isSuspended, shared.state.canProceed {
                shared.isSuspended = false
                MHD_resume_connection(connection.pointer)
            }
            return result
        }
    }
}

// MARK: The connection's thread

extension ServerExchange {
    var isStarted: Bool { shared.withLock { $0.method != nil } }

    /// Starts `work`, which answers the request in a task of its own.
    func start(_ request: Request, holdsBody: Bool, work: @escaping @Sendable (Request, ServerExchange) async -> Void) {
        shared.withLock { shared in
            shared.state = ExchangeState(holdsBody: holdsBody, length: request.body.length)
            shared.method = request.method
            // The one task per request: C calls back on its own thread, so there is no parent task. The
            // server keeps it, cancels it and awaits it before it stops.
            shared.task = Task { await work(request, self) }
        }
    }

    /// The next step after an event; on `wait` the connection has already been suspended.
    func step(_ event: (inout ExchangeState) -> ExchangeState.Step) -> ExchangeState.Step {
        change { shared in
            let step = event(&shared.state)
            if case .wait = step { suspend(&shared) }
            return step
        }
    }

    /// Moves bytes of a streamed answer to `buffer`, or suspends the connection until there are some.
    func give(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        change { shared in
            let (count, ending) = shared.state.give(to: buffer)
            switch ending {
            case .complete: return Reply.ended
            case .broken: return Reply.broken
            case nil:
                if count == 0 { suspend(&shared) }
                return count
            }
        }
    }

    /// Whether the client left in the middle of a body of known length.
    ///
    /// libmicrohttpd (0.9.75, edge-triggered) misses an end that arrives together with the last bytes,
    /// and would wait for its timeout.
    var isAbandoned: Bool {
        let missing = shared.withLock { $0.state.missing } ?? 0
        return missing > 0 && connection.isAtEnd
    }

    private func suspend(_ shared: inout Shared) {
        MHD_suspend_connection(connection.pointer)
        shared.isSuspended = true
    }

    /// What the log says about the exchange once it has ended; `nil` if no handler was started.
    func summary(isComplete: Bool) -> ExchangeSummary? {
        shared.withLock { shared in
            guard let method = shared.method else { return nil }
            return ExchangeSummary(
                method: method, target: target, status: shared.state.response?.status ?? 0,
                received: shared.state.received,
                sent: isComplete && method != "HEAD" ? shared.state.sentInAll : shared.state.sent,
                isComplete: isComplete)
        }
    }
}

// MARK: The handler's task

extension ServerExchange {
    /// The request's body, read from the connection while it arrives.
    func body(length: Int64?) -> RequestBody {
        RequestBody(length: length) { [self] () throws(BodyFailure) in
            switch await reading() {
            case .piece(let piece): return piece
            case .end: return nil
            case .lost, .nothingYet: throw .lost
            }
        }
    }

    private func reading() async -> ExchangeState.Reading {
        let reading = change { $0.state.read() }
        guard case .nothingYet = reading else { return reading }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                change { shared in
                    guard shared.reader == nil, !Task.isCancelled else { return reader.resume(returning: .lost) }
                    shared.reader = reader
                }
            }
        } onCancel: {
            change { shared in
                shared.reader?.resume(returning: .lost)
                shared.reader = nil
            }
        }
    }

    /// Sets the answer; an urgent one has been sent when this returns.
    func answer(_ response: Response) {
        change { shared in
            let isDue = response.isUrgent && shared.state.canAnswerEarly
            shared.state.answer(response, isSent: isDue)
            if isDue { connection.end(saying: response.lastWords) }
        }
    }

    /// Sends the pieces of `next` as fast as the client reads them.
    func stream(_ next: @Sendable () async throws -> [UInt8]?) async {
        do {
            while !isCancelled, let piece = try await next() {
                change { $0.state.append(piece) }
                await room()
            }
            change { $0.state.end(.complete) }
        } catch {
            change { $0.state.end(.broken) }
        }
    }

    private func room() async {
        await withCheckedContinuation { writer in change { $0.writer = writer } }
    }

    private var isCancelled: Bool { shared.withLock { $0.state.isCancelled } }

    /// Ends all waiting and cancels the handler's task.
    func cancel() {
        handover.close()
        let task = change { shared in
            shared.state.cancel()
            return shared.task
        }
        // Outside the lock, because cancellation handlers run immediately and take it.
        task?.cancel()
    }

    /// Returns when the handler's task has ended.
    func finished() async {
        await shared.withLock { $0.task }?.value
    }

    /// The client has the answer or has left; the connection must not be used afterwards.
    func close() {
        handover.close()
        change { $0.state.cancel() }
    }
}
