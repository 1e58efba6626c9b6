import Platform
import Serving
import Simulation
import Synchronization
import Transfer

/// One request on its way from client to server, and the answer on its way back.
struct Crossing: Sendable {
    let sent: HTTPRequest

    init(_ request: HTTPRequest) {
        sent = request
    }

    /// The host and port that it is sent to.
    private var host: Substring { afterScheme.prefix { $0 != "/" } }

    /// Path and query.
    var target: Substring { afterScheme.drop { $0 != "/" } }

    private var afterScheme: Substring {
        guard let mark = sent.url.firstRange(of: "://") else { return sent.url[...] }
        return sent.url[mark.upperBound...]
    }

    /// The bytes to be sent.
    func body() throws(TransferError) -> [UInt8] {
        switch sent.body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .file(let file, let offset, let length, let observer):
            let bytes: [UInt8]
            do {
                bytes = try file.read(at: offset, upTo: Int(length))
            } catch {
                throw TransferError(.local(error), "the file cannot be read", mayHaveArrived: true)
            }
            guard bytes.count == Int(length) else {
                throw TransferError(.sourceShrank, "the file ended early", mayHaveArrived: true)
            }
            observer?.restarted()
            bytes.withSpan { observer?.sent($0) }
            return bytes
        }
    }

    /// The request as the server sees it; if the line breaks, only with the first `arriving` bytes.
    func request(_ bytes: [UInt8], arriving: Int? = nil) -> Request {
        var headers = Headers()
        headers.append("host", String(host))
        for field in sent.headers.fields { headers.append(field.name, field.value) }
        let pieces = Mutex<[UInt8]?>(Array(bytes.prefix(arriving ?? bytes.count)))
        let isWhole = arriving == nil
        let body = RequestBody(length: Int64(bytes.count)) { () throws(BodyFailure) in
            let piece = pieces.withLock { pieces in
                defer { pieces = nil }
                return pieces
            }
            if let piece, !piece.isEmpty { return piece }
            guard isWhole else { throw .lost }
            return nil
        }
        return Request(
            method: sent.method.rawValue, target: String(target), headers: headers, headerSize: 500,
            body: bytes.isEmpty && sent.body.length == nil ? .empty : body)
    }

    /// The answer as the client keeps it; throws if the line broke on the way.
    func response(_ response: Response, cutting: Bool = false) async throws(TransferError) -> HTTPResponse {
        guard response.status != 0 else { throw lost }
        var headers = HTTPHeaders(response.headers.lines.map { HTTPHeaders.Field($0.name, $0.value) })
        var bytes: [UInt8] = []
        switch response.body {
        case .none: break
        case .bytes(let all): bytes = all
        case .file(let file, let offset, let length):
            guard let read = try? file.read(at: offset, upTo: Int(length)) else { throw lost }
            bytes = read
        case .stream(_, let next):
            do {
                while let piece = try await next() { bytes += piece }
            } catch {
                throw lost
            }
        case .announced(let length): headers["content-length"] = "\(length)"
        }
        if sent.method != .head { headers["content-length"] = "\(bytes.count)" }
        if cutting {
            guard !(200..<300 ~= response.status) else {
                // The bytes that came before the line broke are already in the file.
                let cut = HTTPResponse(
                    status: response.status, headers: headers, body: Array(bytes.prefix(bytes.count / 2)))
                _ = try kept(cut)
                throw lost
            }
            return HTTPResponse(
                status: response.status, headers: headers, body: Array(bytes.prefix(bytes.count / 2)), isTruncated: true
            )
        }
        return try kept(HTTPResponse(status: response.status, headers: headers, body: bytes))
    }

    /// The answer, with its body in the file that the client wants it in.
    func kept(_ response: HTTPResponse) throws(TransferError) -> HTTPResponse {
        guard response.isSuccess else { return response }
        switch sent.answer {
        case .memory(let limit):
            guard response.body.count <= limit else {
                throw TransferError(.tooLarge, "the answer is too large", mayHaveArrived: true)
            }
            return response
        case .file(let file, let start, _):
            do {
                try file.write(response.body, at: response.status == 206 ? start : 0)
            } catch {
                throw TransferError(.local(error), "the answer cannot be kept", mayHaveArrived: true)
            }
            return HTTPResponse(
                status: response.status, headers: response.headers, received: Int64(response.body.count))
        }
    }

    var lost: TransferError { TransferError(.lost, "the connection broke", mayHaveArrived: true) }
}
