import Platform
import Serving
import StorageServer
import Synchronization
import Transfer

extension FuzzTarget {
    static let serving = [
        FuzzTarget("request-head", texts: heads, read: { head($0) }),
        FuzzTarget("storage-request", texts: requests, read: { request($0) }),
    ]

    private static let heads = [
        "GET /a?b=c HTTP/1.1\r\nHost: x\r\nRange: bytes=0-1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "PUT /k HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc",
        "GET / HTTP/1.1\r\nHost: x\rTransfer-Encoding: chunked\r\n\r\n",
        "HEAD / HTTP/1.0\r\n\r\nGET / HTTP/1.1\r\nHost: y\r\nConnection: close\r\n\r\n",
    ]

    /// Whatever arrives on a connection, a handler sees clean lines, and the answer is HTTP.
    private static func head(_ text: String) -> String? {
        let answer = FuzzedServers.shared.exchange(Array(text.utf8))
        if let odd = FuzzedServers.shared.odd.withLock({ $0 }) { return odd }
        return unless(answer.isEmpty || answer.starts(with: "HTTP/1.".utf8), "the answer is no HTTP")
    }

    private static let requests = [
        "POST /upload/resumable\nTus-Resumable: 1.0.0\nUpload-Length: 9\nUpload-Metadata: bucketName bWVkaWE=,objectName YQ==\n\n",
        "HEAD /upload/resumable/bWVkaWEvYS92\nTus-Resumable: 1.0.0\n\n",
        "PATCH /upload/resumable/bWVkaWEvYS92\nTus-Resumable: 1.0.0\nUpload-Offset: 0\nContent-Type: application/offset+octet-stream\n\nabc",
        "POST /object/media/a.txt\nContent-Type: text/plain\nx-upsert: true\nx-metadata: e30=\n\nabc",
        "POST /object/list-v2/media\nContent-Type: application/json\n\n{\"prefix\":\"a\",\"limit\":10,\"cursor\":\"YQ==\"}",
        "POST /object/list/media\nContent-Type: application/json\n\n{\"prefix\":\"\",\"limit\":1,\"offset\":0,\"sortBy\":{\"column\":\"name\"}}",
        "GET /object/authenticated/media/a.txt\nRange: bytes=0-1\nIf-Range: \"x\"\nIf-None-Match: *\n\n",
        "GET /object/info/media/a.txt\n\n",
        "POST /object/move\nContent-Type: application/json\n\n{\"bucketId\":\"media\",\"sourceKey\":\"a\",\"destinationKey\":\"b\"}",
        "POST /object/copy\nContent-Type: application/json\n\n{\"bucketId\":\"media\",\"sourceKey\":\"a.txt\",\"destinationKey\":\"b\"}",
        "POST /object/sign/media/a.txt\nContent-Type: application/json\n\n{\"expiresIn\":60}",
        "DELETE /object/media\nContent-Type: application/json\n\n{\"prefixes\":[\"a\"]}",
        "POST /bucket\nContent-Type: application/json\n\n{\"name\":\"b2\",\"public\":false,\"file_size_limit\":\"1GB\"}",
        "POST /object/media/f\nContent-Type: multipart/form-data; boundary=x\n\n--x\r\nContent-Disposition: form-data; "
            + "name=\"\"; filename=\"f\"\r\nContent-Type: text/plain\r\n\r\nabc\r\n--x--\r\n",
    ]

    /// No request that is signed in makes the storage server fail.
    private static func request(_ text: String) -> String? {
        let (first, rest) = text.cutAtLine
        let words = first.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let server = FuzzedServers.shared.storage else { return nil }
        var headers: Headers = ["Authorization": "Bearer \(server.serviceKey)"]
        let answer = SameAnswer("200\n" + rest).response
        for field in answer.headers.fields { headers.append(field.name, field.value) }
        let body = RequestBody(answer.body)
        let request = Request(
            method: String(words[0]), target: String(words[1]), headers: headers, headerSize: text.utf8.count,
            body: body)
        let status = Awaited.value { await server.answer(request).status } ?? 0
        return unless((200..<500).contains(status) || status == 501, "answered \(status)")
    }
}

extension RequestBody {
    /// A body that has arrived.
    fileprivate init(_ bytes: [UInt8]) {
        let rest = Rest(bytes)
        self.init(length: Int64(bytes.count)) { () throws(BodyFailure) in rest.taken() }
    }

    private final class Rest: Sendable {
        private let bytes: Mutex<[UInt8]?>

        init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes.isEmpty ? nil : bytes) }

        func taken() -> [UInt8]? {
            bytes.withLock { bytes in
                defer { bytes = nil }
                return bytes
            }
        }
    }
}
