import FoundationEssentials
import ObjectStore
import Serving

/// An error answer made by a fault, in the words that the real service uses for its status.
struct FaultStatus: Hashable {
    let status: Int
    /// Seconds.
    let retryAfter: Int?
    /// Replaces the service's words, for example with a proxy's page.
    let body: String?
    /// How many seconds the server's clock is ahead.
    let clock: Int?

    init(_ status: Int, retryAfter: Int? = nil, body: String? = nil, clock: Int? = nil) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
        self.clock = clock
    }

    /// - Parameter isResumable: Whether to use the words of the resumable endpoint, which differ.
    func response(isResumable: Bool, now: Date = Date()) -> Response {
        var response = worded(isResumable: isResumable)
        response.headers["Retry-After"] = retryAfter.map(String.init)
        if let clock {
            let seconds = Int64(now.timeIntervalSince1970) + Int64(clock)
            response.headers["Date"] = ServerTime(milliseconds: seconds * 1000).httpDate
        }
        return response
    }

    private func worded(isResumable: Bool) -> Response {
        if let body {
            let type = body.hasPrefix("<") ? "text/html" : body.hasPrefix("{") ? "application/json" : "text/plain"
            return Response(status: status, headers: ["Content-Type": type], body: .bytes(Array(body.utf8)))
        }
        return isResumable ? resumable.response(isHead: false) : refusal.response
    }

    private var refusal: ProtocolRefusal {
        switch status {
        case 409: .keyExists
        case 413: .tooLarge
        case 429:
            ProtocolRefusal(
                "SlowDown", 429, error: "too_many_connections", "Too many connections issued to the database",
                status: 429)
        case 503: ProtocolRefusal("SlowDown", 503, "The server is busy. Please try again later.", status: 503)
        case 544: ProtocolRefusal("DatabaseTimeout", 544, "The connection to the database timed out", status: 544)
        default: ProtocolRefusal("InternalError", status, error: "Internal", "Internal Server Error", status: status)
        }
    }

    private var resumable: ResumableRefusal {
        switch status {
        case 409: .wrongOffset
        case 413: .tooLarge
        case 503: .lockTimeout
        default: ResumableRefusal(status, ResumableRefusal.internal.text)
        }
    }
}
