import Foundation
import Platform
import TestSupport
import Transfer

/// A host of one file that answers ranges, records the requests, and can inject other answers.
final class FileHostDouble: Transport {
    /// The answer to one request instead of its bytes.
    enum Answer: Sendable {
        case status(Int, HTTPHeaders = [:])
        case failure(TransferError.Kind)
    }

    let bytes: Shared<[UInt8]>
    let tag: Shared<String?>
    /// Answers to the next requests; `nil` for the bytes.
    let script = Shared<[Answer?]>([])
    /// Called with the number of each request, from 1, before its answer.
    let beforeRequest = Shared<@Sendable (Int) async throws -> Void>({ _ in })
    private let asked = Shared<[HTTPRequest]>([])
    private let givesRanges: Bool

    init(_ bytes: [UInt8], tag: String? = "\"1\"", givesRanges: Bool = true) {
        self.bytes = Shared(bytes)
        self.tag = Shared(tag)
        self.givesRanges = givesRanges
    }

    var requests: [HTTPRequest] { asked.value }
    var ranges: [String] { requests.map { $0.headers["range"] ?? "all" } }

    /// How often the most requested range was requested; ranges are told apart by their first byte.
    var mostAsked: Int {
        Dictionary(grouping: ranges) { $0.prefix { $0 != "-" } }.values.map(\.count).max() ?? 0
    }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        var kept = request
        // The recorded request must keep neither the file open nor the requester alive.
        kept.answer = .memory(limit: 0)
        kept.progress = nil
        let number = asked.change { requests in
            requests.append(kept)
            return requests.count
        }
        do {
            try await beforeRequest.value(number)
        } catch {
            throw TransferError(.lost, "\(error)", mayHaveArrived: false)
        }
        let answer = script.change { $0.isEmpty ? nil : $0.removeFirst() }
        switch answer {
        case .status(let status, let headers)?: return HTTPResponse(status: status, headers: headers)
        case .failure(let kind)?: throw TransferError(kind, "scripted", mayHaveArrived: false)
        case nil: return try deliver(request)
        }
    }

    private func deliver(_ request: HTTPRequest) throws(TransferError) -> HTTPResponse {
        guard case .file(let file, let at, _) = request.answer else { return HTTPResponse(status: 500) }
        let (bytes, tag) = (bytes.value, tag.value)
        var headers = HTTPHeaders()
        headers["etag"] = tag
        let isSame = request.headers["if-range"].map { $0 == tag } ?? true
        let sides = request.headers["range"]?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
        do {
            guard givesRanges, isSame, let sides, sides.count == 2 else {
                try file.write(bytes, at: 0)
                return HTTPResponse(status: 200, headers: headers, received: Int64(bytes.count))
            }
            guard sides[0] < bytes.count else {
                return HTTPResponse(status: 416, headers: ["content-range": "bytes */\(bytes.count)"])
            }
            let part = Array(bytes[sides[0]..<min(sides[1] + 1, bytes.count)])
            try file.write(part, at: at)
            headers["content-range"] = "bytes \(sides[0])-\(sides[0] + part.count - 1)/\(bytes.count)"
            return HTTPResponse(status: 206, headers: headers, received: Int64(part.count))
        } catch {
            throw TransferError(.local(error), "\(error)", mayHaveArrived: true)
        }
    }
}
