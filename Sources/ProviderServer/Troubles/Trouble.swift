import Serving

/// One thing that goes wrong, where, and how often.
package struct Trouble: Hashable, Sendable {
    /// What happens to a request that is hit.
    package enum Effect: Hashable, Sendable {
        /// This answer, and nothing was done; `Retry-After` in seconds.
        case status(Int, retryAfter: Int? = nil, body: String = "")
        /// The connection is closed, and nothing was done.
        case dropped
        /// It is done, then the connection is closed without an answer.
        case lostAnswer
        /// So many bytes a second go out, for all it hits together; others may hit the request too.
        case slow(bytesPerSecond: Int)
        /// The answer's body ends after so many bytes with the connection.
        case cut(after: Int)
        /// Silence for so long after so many bytes of the body, then the end.
        case stalled(after: Int, Duration)
        /// 200 with this text instead of what was asked for.
        case instead(contentType: String, String)
        /// The file has only so many bytes, and its header agrees.
        case shortened(to: Int)
        /// A body without a length that never ends.
        case endless
        /// So many bytes announced, and sent; zeros follow the real ones.
        case announcing(Int64)
        /// 302 to this address.
        case redirect(to: String)
        /// Cut after so many bytes; from then on the file is another one.
        case replaced(after: Int, by: [UInt8])
    }

    package var effect: Effect
    /// Such as `GET`; `nil` for every method.
    package var method: String?
    /// The path without its query, such as `/files/fal/*`; `nil` for every path.
    package var path: String?
    /// Requests that pass unharmed first.
    package var sparing: Int
    /// Requests it hits at most; `nil` for no end.
    package var times: Int?

    /// A trouble that hits every request unless it is narrowed.
    package init(
        _ effect: Effect, method: String? = nil, path: String? = nil, sparing: Int = 0, times: Int? = nil
    ) {
        self.effect = effect
        self.method = method
        self.path = path
        self.sparing = sparing
        self.times = times
    }
}

extension Trouble {
    /// Whether it is about such requests.
    func matches(_ method: String, _ path: Substring) -> Bool {
        (self.method ?? method) == method && self.path.map { Wildcard($0).matches(path) } ?? true
    }
}

extension Trouble.Effect {
    /// Whether others may hit the same request.
    var isSlowing: Bool {
        if case .slow = self { true } else { false }
    }
}
