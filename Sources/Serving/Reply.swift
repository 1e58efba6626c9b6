import CMicroHTTPD
import Glibc
import Platform

/// Converts a `Response` to libmicrohttpd's form.
enum Reply {
    /// What a content reader returns at the end of its stream (`MHD_CONTENT_READER_END_OF_STREAM`).
    static let ended = -1
    /// What a content reader returns to cut the connection (`MHD_CONTENT_READER_END_WITH_ERROR`).
    static let broken = -2

    /// Gives `response` to the connection; `MHD_NO`, which cuts the connection, if that fails.
    static func queue(_ response: Response, on exchange: ServerExchange) -> MHD_Result {
        guard let reply = make(response, for: exchange) else { return .NO }
        defer { MHD_destroy_response(reply) }
        for line in response.headers.lines where !isMadeHere(line.name) {
            MHD_add_response_header(reply, line.name, line.value)
        }
        return MHD_queue_response(exchange.connection.pointer, UInt32(response.status), reply)
    }

    /// Headers that libmicrohttpd writes itself; it leaves out its `Date` if ours is present.
    private static func isMadeHere(_ name: String) -> Bool {
        ["content-length", "transfer-encoding"].contains(name.lowercased())
    }

    private static func make(_ response: Response, for exchange: ServerExchange) -> OpaquePointer? {
        if response.conversation != nil { return MHD_create_response_for_upgrade(Callbacks.upgraded, nil) }
        switch response.body {
        case .none:
            return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(var bytes):
            return bytes.withUnsafeMutableBytes {
                MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
            }
        case .file(let file, let offset, let length):
            guard length > 0 else { return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT) }
            // A copy, because libmicrohttpd closes the descriptor once the answer has been sent.
            let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { return nil }
            return MHD_create_response_from_fd_at_offset64(UInt64(length), copy, UInt64(offset))
        case .stream(let length, _):
            return streamed(length.map(UInt64.init) ?? UInt64.max, from: exchange)
        case .announced(let length):
            return streamed(UInt64(length), from: exchange)
        }
    }

    /// An answer whose bytes come from `ServerExchange.give`; it keeps the exchange alive.
    private static func streamed(_ length: UInt64, from exchange: ServerExchange) -> OpaquePointer? {
        MHD_create_response_from_callback(
            length, 64 << 10,
            { context, _, buffer, capacity in
                guard let context, let buffer else { return Reply.broken }
                return Unmanaged<ServerExchange>.fromOpaque(context).takeUnretainedValue()
                    .give(to: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
            },
            Unmanaged.passRetained(exchange).toOpaque(),
            { context in
                if let context { Unmanaged<ServerExchange>.fromOpaque(context).release() }
            })
    }
}
