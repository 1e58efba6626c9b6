import CCurl
import Platform

extension Exchange {
    /// Sets curl's options for this request; `socket` must be short enough for the kernel.
    func configure(userAgent: String, socket: FilePath?, earlyAnswers: EarlyAnswers) {
        setDefaults()
        easy.set(CURLOPT_URL, request.url)
        easy.set(CURLOPT_USERAGENT, userAgent)
        if let socket { easy.set(CURLOPT_UNIX_SOCKET_PATH, path: socket) }
        setTimeouts()
        setMethod()
        easy.set(fields: request.headers.fields.map(\.line) + ["Expect:"])
        ccurl_set_header(easy.pointer, context, Exchange.headCallback)
        ccurl_set_write(easy.pointer, context, Exchange.answerCallback)
        if request.permitsPeer != nil {
            ccurl_set_socket(easy.pointer, context, Exchange.socketCallback)
            // A kept connection may lead to an address that was not checked, or was checked for another request.
            if socket == nil { ccurl_set_ready(easy.pointer, context, Exchange.readyCallback) }
        }
        ccurl_set_close(easy.pointer, earlyAnswers.context, EarlyAnswers.closeCallback)
        if case .file = request.answer { easy.set(CURLOPT_BUFFERSIZE, 128 * 1024) }
        guard request.progress != nil else { return }
        easy.set(CURLOPT_NOPROGRESS, false)
        ccurl_set_progress(easy.pointer, context, Exchange.progressCallback)
    }

    private func setDefaults() {
        easy.setDefaults()
        easy.set(CURLOPT_PRIVATE, pointer: context)
        easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // Storage servers close connections that were idle for 61 s; reusing one near that age is a race.
        easy.set(CURLOPT_MAXAGE_CONN, 50)
    }

    private func setTimeouts() {
        // A value of 0 would stand for curl's default of 300 s.
        easy.set(CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connect.map(\.milliseconds) ?? Int(Int32.max))
        if let total = request.timeouts.total { easy.set(CURLOPT_TIMEOUT_MS, total.milliseconds) }
    }

    /// Chooses the method; a body is always sent by curl's upload, which adds no `Content-Type`.
    private func setMethod() {
        switch (request.method, request.body.length) {
        case (.head, nil):
            easy.set(CURLOPT_NOBODY, true)
        case (.get, nil):
            break
        case (.delete, nil), (.options, nil):
            easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        case (let method, let length):
            easy.set(CURLOPT_UPLOAD, true)
            easy.set(CURLOPT_CUSTOMREQUEST, method.rawValue)
            setBody(of: length ?? 0)
        }
    }

    private func setBody(of length: Int64) {
        easy.set(CURLOPT_INFILESIZE_LARGE, offset: length)
        easy.set(CURLOPT_UPLOAD_BUFFERSIZE, Int(min(max(length, 16 * 1024), 256 * 1024)))
        ccurl_set_read(easy.pointer, context, Exchange.bodyCallback)
        ccurl_set_seek(easy.pointer, context, Exchange.seekCallback)
    }

    private static let progressCallback: curl_xferinfo_callback = { context, _, _, _, _ in
        Exchange.with(context) { $0.report(at: .now) }
        return 0
    }
}

extension HTTPHeaders.Field {
    /// The field as curl expects it; without the semicolon curl would drop a field that has no value.
    fileprivate var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }
}

extension HTTPRequest {
    /// Whether a byte of it would end a line early or cut a C string; such a request is refused.
    var isUnsendable: Bool {
        let texts = [method.rawValue, url] + headers.fields.flatMap { [$0.name, $0.value] }
        return texts.contains { $0.utf8.contains(where: Self.endsLine) || $0.utf8.count > 1 << 20 }
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == 0 || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }
}

extension Duration {
    /// Whole milliseconds, at least 1 and at most what curl accepts.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
        return max(Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000), 1)
    }
}
