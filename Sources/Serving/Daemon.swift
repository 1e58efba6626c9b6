import CMicroHTTPD
import Glibc
import Platform

/// One running libmicrohttpd daemon: a listening socket and the threads that serve it.
struct Daemon: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let socket: ListeningSocket
    let address: Address

    /// Seconds without traffic before a connection's first request; suspended time does not count.
    private static let openingSeconds = 60
    /// Seconds without traffic from the first request on.
    static let idleSeconds: UInt32 = 65
    /// How long `leastBytes` of a body may take while the server reads; a slower connection is ended.
    ///
    /// `idleSeconds` ends only complete silence, and one byte a second would occupy a place without end.
    static let paceWindow = Duration.seconds(60)
    static let leastBytes = 4 << 10
    /// Bytes of memory for one connection: its header lines and the piece of the body being received.
    private static let memory = 160 << 10
    /// Bytes by which the receiving buffer grows.
    private static let increment = 64 << 10

    /// Serves `address` on `threads` threads; requests go to `dispatcher`, which must outlive the daemon.
    init(_ address: Address, threads: Int, dispatcher: RequestDispatcher) throws(SystemError) {
        socket = try ListeningSocket(address)
        self.address = socket.address
        let context = Unmanaged.passUnretained(dispatcher).toOpaque()
        var options = Self.options(
            socket: socket.descriptor, threads: threads, limit: dispatcher.connectionLimit, context: context)
        let flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ITC.rawValue
            | MHD_ALLOW_UPGRADE.rawValue
        let started = options.withUnsafeMutableBufferPointer { options in
            withVaList([Int32(MHD_OPTION.ARRAY.rawValue), options.baseAddress!, Int32(MHD_OPTION.END.rawValue)]) {
                MHD_start_daemon_va(UInt32(flags), 0, nil, nil, Callbacks.access, context, $0)
            }
        }
        guard let started else {
            let code = errno
            Glibc.close(socket.descriptor)
            throw SystemError(call: "MHD_start_daemon", code: code)
        }
        pointer = started
    }

    private static func options(
        socket: Int32, threads: Int, limit: Int, context: UnsafeMutableRawPointer
    ) -> [MHD_OptionItem] {
        func option(_ option: MHD_OPTION, _ value: Int = 0, _ pointer: UnsafeMutableRawPointer? = nil)
            -> MHD_OptionItem
        {
            MHD_OptionItem(option: option, value: value, ptr_value: pointer)
        }
        return [
            option(.LISTEN_SOCKET, Int(socket)),
            option(.CONNECTION_MEMORY_LIMIT, memory),
            option(.CONNECTION_MEMORY_INCREMENT, increment),
            option(.CONNECTION_TIMEOUT, openingSeconds),
            // Twice our limit for each thread: beyond its own limit libmicrohttpd lets new connections wait, but the
            // dispatcher must act first, by ending idle ones. A pool divides the limit evenly among its threads,
            // whichever of them accepts.
            option(.CONNECTION_LIMIT, 2 * threads * limit),
            option(.NOTIFY_CONNECTION, unsafeBitCast(Callbacks.connection, to: Int.self), context),
            option(.URI_LOG_CALLBACK, unsafeBitCast(Callbacks.requestLine, to: Int.self), context),
            option(.UNESCAPE_CALLBACK, unsafeBitCast(Callbacks.unescape, to: Int.self), context),
            option(.NOTIFY_COMPLETED, unsafeBitCast(Callbacks.completed, to: Int.self), context),
            // A pool has at least two threads; a single thread is the daemon's own.
            threads > 1 ? option(.THREAD_POOL_SIZE, threads) : option(.END),
            option(.END),
        ]
    }

    /// Removes the socket file, so that no new client finds it.
    ///
    /// Only `stop` closes the socket itself, because taking it from threads that poll it (`MHD_quiesce_daemon`) aborts
    /// the process if a thread releases it at the same moment, at least up to version 0.9.77.
    func hide() {
        if case .unix(let path) = address { unlink(path.cString) }
    }

    /// Closes the socket and every connection, and ends the threads; blocks until that is done.
    ///
    /// No connection may be suspended.
    func stop() {
        MHD_stop_daemon(pointer)
    }
}
