import CCurl
import Glibc
import Platform
import Synchronization

/// One curl connection, plain or TLS, for protocols that begin as HTTP and continue as bytes both ways.
///
/// Its calls run one after another on a thread of their own. Cancelling a call closes the connection.
package final class ByteConnection: Sendable {
    private let easy = EasyHandle()
    private let thread = Blocking("bytes", limit: 1)
    private let state = Mutex(State())

    private struct State {
        var isClosed = false
        /// -1 until connected.
        var socket: Int32 = -1
    }

    private init() {}

    /// Connects to the host of `url` (http or https); sends nothing and follows no redirect.
    package static func open(_ url: String, within limit: Duration) async throws(TransferError) -> ByteConnection {
        let connection = ByteConnection()
        try await connection.run { connection.connect(url, limit) }
        return connection
    }

    /// Sends all of `bytes`.
    package func send(_ bytes: [UInt8]) async throws(TransferError) {
        try await run { self.write(bytes) }
    }

    /// The next bytes; `nil` at the end.
    ///
    /// Throws `timedOut` where none arrive within `limit`; the connection stays usable after that.
    package func receive(within limit: Duration? = nil) async throws(TransferError) -> [UInt8]? {
        try await run { self.read(limit) }
    }

    /// Ends the connection; a call that is waiting on it fails as cancelled.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            // The descriptor is closed only when this object goes away, so it cannot be another file's yet.
            if state.socket >= 0 { shutdown(state.socket, Int32(SHUT_RDWR)) }
        }
    }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Result<Value, TransferError>
    ) async throws(TransferError) -> Value {
        let result = await withTaskCancellationHandler {
            await thread.run(work)
        } onCancel: {
            close()
        }
        return try result.get()
    }

    private var isClosed: Bool { state.withLock(\.isClosed) }
}

// MARK: On the thread

extension ByteConnection {
    private func connect(_ url: String, _ limit: Duration) -> Result<Void, TransferError> {
        guard !isClosed else { return .failure(Self.closed) }
        easy.setDefaults()
        easy.set(CURLOPT_URL, url)
        easy.set(CURLOPT_CONNECT_ONLY, true)
        easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        easy.set(CURLOPT_CONNECTTIMEOUT_MS, limit.milliseconds)
        easy.set(CURLOPT_NOPROGRESS, false)
        ccurl_set_progress(easy.pointer, Unmanaged.passUnretained(self).toOpaque()) { context, _, _, _, _ in
            guard let context else { return 0 }
            return Unmanaged<ByteConnection>.fromOpaque(context).takeUnretainedValue().isClosed ? 1 : 0
        }
        let code = curl_easy_perform(easy.pointer)
        guard code == CURLE_OK else { return .failure(error(code, isConnecting: true)) }
        var socket = curl_socket_t(-1)
        ccurl_get_socket(easy.pointer, &socket)
        let isClosed = state.withLock { state in
            state.socket = socket
            return state.isClosed
        }
        return isClosed ? .failure(Self.closed) : .success(())
    }

    private func write(_ bytes: [UInt8]) -> Result<Void, TransferError> {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard !isClosed else { return .failure(Self.closed) }
            var count = 0
            let code = rest.withUnsafeBytes { curl_easy_send(easy.pointer, $0.baseAddress, $0.count, &count) }
            if code == CURLE_OK {
                rest = rest.dropFirst(count)
            } else if code != CURLE_AGAIN || !isReady(Int32(POLLOUT), until: .now + .seconds(20)) {
                return .failure(error(code))
            }
        }
        return .success(())
    }

    /// Asks curl before the socket: TLS may hold bytes that have already left the socket.
    private func read(_ limit: Duration?) -> Result<[UInt8]?, TransferError> {
        let end = limit.map { ContinuousClock.now + $0 }
        while true {
            guard !isClosed else { return .failure(Self.closed) }
            var code = CURLE_OK
            let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                code = curl_easy_recv(easy.pointer, buffer.baseAddress, buffer.count, &count)
                if code != CURLE_OK { count = 0 }
            }
            if !bytes.isEmpty { return .success(bytes) }
            guard !isClosed else { return .failure(Self.closed) }
            if code == CURLE_OK { return .success(nil) }
            guard code == CURLE_AGAIN else { return .failure(error(code)) }
            guard isReady(Int32(POLLIN), until: end) else {
                return .failure(TransferError(.timedOut, "Nothing came for \(limit ?? .zero).", mayHaveArrived: true))
            }
        }
    }

    /// Sleeps until the socket is ready or was hung up; `false` when the time has passed.
    private func isReady(_ events: Int32, until end: ContinuousClock.Instant?) -> Bool {
        var source = pollfd(fd: state.withLock(\.socket), events: Int16(events), revents: 0)
        let wait = end.map { max(.zero, $0 - .now).milliseconds } ?? -1
        return poll(&source, 1, Int32(clamping: wait)) > 0
    }

    private static let closed = TransferError(.cancelled, "The connection was closed.", mayHaveArrived: true)

    private func error(_ code: CURLcode, isConnecting: Bool = false) -> TransferError {
        guard !isClosed else { return Self.closed }
        let isDeaf = isConnecting && code == CURLE_OPERATION_TIMEDOUT
        return TransferError(
            isDeaf ? .unreachable : TransferError.Kind(code), "\(easy.text(for: code)) (curl \(code.rawValue))",
            mayHaveArrived: !isConnecting)
    }
}
