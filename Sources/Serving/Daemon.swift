import CMicroHTTPD
import Glibc
import Platform

/// One running libmicrohttpd: a listening socket and the threads that serve it.
struct Daemon: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let socket: ListeningSocket
    let address: Address

    /// Seconds after which a connection without traffic is closed before its first request; suspended ones do not count.
    private static let openingSeconds = 60
    /// The same from its first request on.
    static let idleSeconds: UInt32 = 65
    /// Within which a body must bring `leastBytes`, as long as the server takes it; else the connection ends.
    ///
    /// Silence ends with `idleSeconds`, but one byte a second would hold a place without end.
    static let paceWindow = Duration.seconds(60)
    static let leastBytes = 4 << 10
    /// Bytes of one connection's memory: header lines and the piece of the body being received.
    private static let memory = 160 << 10
    /// Bytes by which the receiving buffer grows.
    private static let increment = 64 << 10

    /// Serves `address` on `threads` threads; requests go to `desk`, which outlives the daemon.
    init(_ address: Address, threads: Int, desk: Desk) throws(SystemError) {
        socket = try ListeningSocket(address)
        self.address = socket.address
        let context = Unmanaged.passUnretained(desk).toOpaque()
        var options = Self.options(
            socket: socket.descriptor, threads: threads, limit: desk.connectionLimit, context: context)
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
            // Beyond its limit libmicrohttpd lets newcomers wait; the desk ends those before, so it is to be the first.
            // A pool divides it evenly, whichever of its threads accepts.
            option(.CONNECTION_LIMIT, 2 * threads * limit),
            option(.NOTIFY_CONNECTION, unsafeBitCast(Callbacks.connection, to: Int.self), context),
            option(.URI_LOG_CALLBACK, unsafeBitCast(Callbacks.requestLine, to: Int.self), context),
            option(.UNESCAPE_CALLBACK, unsafeBitCast(Callbacks.unescape, to: Int.self), context),
            option(.NOTIFY_COMPLETED, unsafeBitCast(Callbacks.completed, to: Int.self), context),
            // One thread is the daemon's own; a pool is two or more.
            threads > 1 ? option(.THREAD_POOL_SIZE, threads) : option(.END),
            option(.END),
        ]
    }

    /// Nobody new finds the socket file.
    ///
    /// The socket itself is left to `stop`: taking it from threads that poll it (`MHD_quiesce_daemon`) aborts the
    /// process when a thread lets go of it at the same moment, up to version 0.9.77 at least.
    func hide() {
        if case .unix(let path) = address { unlink(path.cString) }
    }

    /// Closes the socket and every connection, and ends the threads; blocks until they have.
    ///
    /// Nothing may be suspended.
    func stop() {
        MHD_stop_daemon(pointer)
    }
}
