import Serving

/// A fault: what goes wrong, for which requests, and how often.
package struct Trouble: Hashable, Sendable {
    /// What happens to a request that the fault applies to.
    package enum Effect: Hashable, Sendable {
        /// The server answers with this status, and the request has no effect; `retryAfter` is in seconds.
        case status(Int, retryAfter: Int? = nil, body: String = "")
        /// The connection is closed, and the request has no effect.
        case dropped
        /// The request takes effect, then the connection is closed without an answer.
        case lostAnswer
        /// All answers that the fault applies to share this rate; other faults may apply as well.
        case slow(bytesPerSecond: Int)
        /// The connection ends after this many bytes of the answer's body.
        case cut(after: Int)
        /// After this many bytes of the body, nothing is sent for this time; then the connection ends.
        case stalled(after: Int, Duration)
        /// The answer is 200 with this text instead of the right one.
        case instead(contentType: String, String)
        /// The file has only this many bytes, and its headers say so too.
        case shortened(to: Int)
        /// The body has no length and never ends.
        case endless
        /// The answer announces and sends this many bytes: the right ones, then zeros.
        case announcing(Int64)
        /// The answer is 302 to this address.
        case redirect(to: String)
        /// The answer is cut after this many bytes; from then on the file has these other bytes.
        case replaced(after: Int, by: [UInt8])
    }

    /// What goes wrong.
    var effect: Effect
    /// The method, such as `GET`; `nil` for every method.
    var method: String?
    /// A `Wildcard` for the path without its query, such as `/files/fal/*`; `nil` for every path.
    var path: String?
    /// How many matching requests are first handled normally.
    var sparing: Int
    /// The most requests that the fault applies to; `nil` for no limit.
    var times: Int?

    /// A fault that applies to every request, unless it is narrowed.
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
    /// Whether the fault concerns requests with this method and path.
    func matches(_ method: String, _ path: Substring) -> Bool {
        (self.method ?? method) == method && self.path.map { Wildcard($0).matches(path) } ?? true
    }
}
