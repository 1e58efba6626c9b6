import CMicroHTTPD
import Glibc

/// The functions that libmicrohttpd calls on its own threads; they capture nothing.
///
/// The daemon's context is the `RequestDispatcher`; a request's context is its `ServerExchange`, which libmicrohttpd
/// owns from the request line until `completed`.
enum Callbacks {
    /// A connection begins or ends; in both cases the descriptor is still this connection's.
    static let connection: MHD_NotifyConnectionCallback = { dispatcher, connection, _, reason in
        guard let dispatcher, let connection else { return }
        let connections = Unmanaged<RequestDispatcher>.fromOpaque(dispatcher).takeUnretainedValue().connections
        let descriptor = ConnectionHandle(pointer: connection).descriptor
        if reason == .CONNECTION_NOTIFY_STARTED {
            connections.opened(descriptor)
        } else {
            connections.closed(descriptor)
        }
    }

    /// The request line has arrived: creates the exchange, with the target exactly as sent.
    static let requestLine:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            _, target, connection in
            guard let target, let connection else { return nil }
            let exchange = ServerExchange(
                connection: ConnectionHandle(pointer: connection), target: String(cString: target),
                hasWholeTarget: Framing.isWhole(target: target))
            return Unmanaged.passRetained(exchange).toOpaque()
        }

    /// Leaves escapes as they are, because the handler decodes them.
    static let unescape:
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = {
            _, _, text in
            var length = 0
            while let text, text[length] != 0 { length += 1 }
            return length
        }

    /// Called with the header, with pieces of the body, and at its end; repeated after a suspension.
    static let access: MHD_AccessHandlerCallback = { dispatcher, connection, _, method, _, bytes, count, context in
        guard let dispatcher, let method, let count, let pointer = context?.pointee else { return .NO }
        let exchange = Unmanaged<ServerExchange>.fromOpaque(pointer).takeUnretainedValue()
        let step: ExchangeState.Step
        if !exchange.isStarted {
            step = Unmanaged<RequestDispatcher>.fromOpaque(dispatcher).takeUnretainedValue()
                .open(exchange, method: method)
        } else if count.pointee > 0 {
            step = exchange.step { $0.arrived(UnsafeRawBufferPointer(start: bytes, count: count.pointee)) }
            if case .proceed = step {
                count.pointee = 0
                if exchange.isAbandoned { return .NO }
            }
        } else {
            step = exchange.step { $0.requestAdvanced() }
        }
        switch step {
        case .proceed, .wait: return .YES
        case .answer(let response): return Reply.queue(response, on: exchange)
        case .cut: return .NO
        }
    }

    /// The connection has left HTTP; its exchange passes it on, with the bytes that the client has already sent.
    static let upgraded: MHD_UpgradeHandler = { _, _, context, bytes, count, descriptor, upgrade in
        guard let context, let upgrade else { return }
        let exchange = Unmanaged<ServerExchange>.fromOpaque(context).takeUnretainedValue()
        let early = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
        let conversation = Conversation(descriptor, upgrade: upgrade, early: Array(early))
        if !exchange.handover.give(conversation) { conversation.abandon() }
    }

    /// The request has ended, completely or not; releases the exchange.
    static let completed: MHD_RequestCompletedCallback = { dispatcher, _, context, reason in
        guard let dispatcher, let pointer = context?.pointee else { return }
        context?.pointee = nil
        let exchange = Unmanaged<ServerExchange>.fromOpaque(pointer).takeRetainedValue()
        Unmanaged<RequestDispatcher>.fromOpaque(dispatcher).takeUnretainedValue()
            .close(exchange, isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK)
    }
}

/// The header of a request in libmicrohttpd's memory.
extension ConnectionHandle {
    var headers: Headers {
        var headers = Headers()
        withUnsafeMutablePointer(to: &headers) { headers in
            _ = MHD_get_connection_values(
                pointer, .HEADER_KIND,
                { context, _, name, value in
                    guard let context, let name else { return .YES }
                    context.assumingMemoryBound(to: Headers.self).pointee
                        .append(String(cString: name), value.map { String(cString: $0) } ?? "")
                    return .YES
                }, headers)
        }
        return headers
    }

    var descriptor: Int32 { serving_descriptor(pointer) }

    /// The port that the client connected from; `nil` on a Unix socket, or if the client is gone.
    var peerPort: UInt16? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
        }
        guard code == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Sets how long this connection may be idle, once its first request has begun.
    func setIdleTime(seconds: UInt32) { serving_set_timeout(pointer, seconds) }

    /// The size in bytes of the request line and the header lines.
    var headerSize: Int { serving_header_size(pointer) }

    /// Writes `bytes` directly to the socket, then closes this side for writing.
    ///
    /// libmicrohttpd continues to read, because closing a socket that holds unread bytes would make the kernel
    /// discard the answer before the client has read it.
    func end(saying bytes: [UInt8]) {
        let descriptor = serving_descriptor(pointer)
        // No loop, because a small answer fits into the empty buffer of the socket.
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Whether the client has closed its side and all of its bytes were received.
    var isAtEnd: Bool {
        var byte: UInt8 = 0
        return recv(serving_descriptor(pointer), &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }
}
