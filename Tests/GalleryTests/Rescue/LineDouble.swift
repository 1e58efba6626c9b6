import Foundation
import Platform
import TestSupport
import Transfer

/// A connection of limited rate to hosts whose links expire; time advances only with received bytes.
final class LineDouble: Transport {
    /// One file, and when its link expires; bytes after that are not delivered.
    struct LinkedFile: Sendable {
        let bytes: [UInt8]
        let dies: Date
    }

    private let files: [String: LinkedFile]
    private let rate: Double
    private let start: Date
    private let seconds = Shared(0.0)

    /// A connection of `rate` bytes per second to `files`, keyed by link.
    init(_ files: [String: LinkedFile], rate: Double, from start: Date) {
        self.files = files
        self.rate = rate
        self.start = start
    }

    var now: Date { start + seconds.value }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        guard let fileHost = files[request.url], case .file(let file, let at, _) = request.answer else {
            return HTTPResponse(status: 404)
        }
        let sides = (request.headers["range"] ?? "").dropFirst("bytes=".count).split(separator: "-").compactMap {
            Int($0)
        }
        guard sides.count == 2, sides[0] < fileHost.bytes.count else { return HTTPResponse(status: 416) }
        let part = fileHost.bytes[sides[0]..<min(sides[1] + 1, fileHost.bytes.count)]
        let isInTime = seconds.change { [start, rate] seconds in
            let end = seconds + Double(part.count) / rate
            guard start + end <= fileHost.dies else { return false }
            seconds = end
            return true
        }
        guard isInTime else { return HTTPResponse(status: 403) }
        do {
            try file.write(Array(part), at: at)
        } catch {
            throw TransferError(.local(error), "\(error)", mayHaveArrived: true)
        }
        let range = "bytes \(sides[0])-\(sides[0] + part.count - 1)/\(fileHost.bytes.count)"
        return HTTPResponse(
            status: 206, headers: ["content-range": range, "etag": "\"1\""], received: Int64(part.count))
    }
}
