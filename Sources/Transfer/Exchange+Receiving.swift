import CCurl
import Formats
import Platform

extension Exchange {
    static let headCallback: curl_write_callback = { bytes, size, count, context in
        let isTaken = Exchange.with(context) {
            $0.takeHead(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        return isTaken == true ? size * count : 0
    }

    static let answerCallback: curl_write_callback = { bytes, size, count, context in
        Exchange.with(context) { $0.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) } ?? 0
    }

    /// Keeps one line of the head; `false` where the announced body is too large.
    ///
    /// A status line discards the lines before it.
    private func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        if line.starts(with: "HTTP/".utf8) {
            head.removeAll(keepingCapacity: true)
            headIsComplete = false
        }
        head.append(contentsOf: line)
        if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") { headIsComplete = true }
        if headIsComplete { isTruncated = announcesTooMuch }
        return !isTruncated
    }

    /// Whether the head announces a body that would exceed the file's limit.
    private var announcesTooMuch: Bool {
        let status = easy.long(CURLINFO_RESPONSE_CODE)
        guard case .file(_, let start, let limit) = request.answer, 200..<300 ~= status, limit < .max,
            let length = HTTPHeaders(block: head)["content-length"].flatMap({ Int64(digits: $0) })
        else { return false }
        return length > limit - (status == 206 ? start : 0)
    }

    /// Keeps bytes of the body; returning another number than theirs ends or pauses the transfer.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard throttle.grant(bytes.count, .receiving, to: self) > 0 || bytes.isEmpty else {
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        guard keep(bytes) else { return 0 }
        received += Int64(bytes.count)
        throttle.spend(bytes.count, .receiving, of: self)
        return bytes.count
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let status = easy.long(CURLINFO_RESPONSE_CODE)
        // A refusal is kept in memory wherever successes go, since it says why.
        guard 200..<300 ~= status else { return keep(bytes, limit: 64 * 1024) }
        switch request.answer {
        case .file(let file, let start, let limit):
            let offset = (status == 206 ? start : 0) + received
            isTruncated = Int64(bytes.count) > limit - offset
            return !isTruncated && write(bytes, to: file, at: offset)
        case .memory(let limit): return keep(bytes, limit: limit)
        }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
        let room = max(limit - answer.count, 0)
        answer.append(contentsOf: bytes.prefix(room))
        isTruncated = bytes.count > room
        return !isTruncated
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: Int64) -> Bool {
        do throws(SystemError) {
            try file.write(bytes.bytes, at: offset)
            return true
        } catch {
            failure = .local(error)
            return false
        }
    }
}
