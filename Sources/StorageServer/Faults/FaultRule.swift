import Serving

/// A fault: what goes wrong, for which requests, and how often.
package struct FaultRule: Hashable, Sendable {
    /// What happens to a request that the rule applies to.
    package enum Effect: Hashable, Sendable {
        /// It waits for this long; other rules may apply as well.
        case latency(Duration)
        /// All requests it applies to share this many bytes a second; other rules may apply as well.
        case bandwidth(Int)
        /// It gets this status and has no effect; `retryAfter` in seconds.
        ///
        /// `body` replaces the service's own message.
        ///
        /// `clock` is how many seconds the server's clock is ahead, by the answer's `Date`.
        case status(Int, retryAfter: Int? = nil, body: String? = nil, clock: Int? = nil)
        /// Its connection is cut after this many bytes of its body.
        case reset(after: Int)
        /// It takes effect, and the answer's body is cut after this many bytes.
        case truncate(after: Int)
        /// After this many bytes of its body the server is silent for this long; then the connection is cut.
        case stall(after: Int, Duration)
    }

    /// What the rule does to a request.
    var effect: Effect
    /// The method, such as `PATCH`; `nil` for every method.
    var method: String?
    /// The path without `/storage/v1` and without the query; `nil` for every path.
    ///
    /// `*` stands for any bytes.
    var path: String?
    /// The share of the matching requests that it applies to, from 0 to 1.
    var rate: Double
    /// How many matching requests are handled normally first.
    var skip: Int
    /// The most requests it applies to; `nil` for no limit.
    var times: Int?

    /// A rule that applies to every request, unless it is narrowed.
    package init(
        _ effect: Effect, method: String? = nil, path: String? = nil, rate: Double = 1, skip: Int = 0,
        times: Int? = nil
    ) {
        self.effect = effect
        self.method = method
        self.path = path
        self.rate = rate
        self.skip = skip
        self.times = times
    }
}

extension FaultRule {
    /// Whether the rule concerns `request`.
    func matches(_ request: Request) -> Bool {
        if let method, method != request.method { return false }
        guard let path else { return true }
        return Wildcard(path).matches(Self.place(of: request))
    }

    /// The path without a gateway's prefix.
    private static func place(of request: Request) -> Substring {
        let prefix = "/storage/v1/"
        return request.path.hasPrefix(prefix) ? request.path.dropFirst(prefix.utf8.count - 1) : request.path
    }
}
