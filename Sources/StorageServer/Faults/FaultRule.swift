import Serving

/// One thing that goes wrong, where, and how often.
package struct FaultRule: Hashable, Sendable {
    /// What happens to a request that is hit.
    package enum Effect: Hashable, Sendable {
        /// It waits so long; other rules may hit it too.
        case latency(Duration)
        /// So many bytes a second go through, for all it hits together; other rules may hit it too.
        case bandwidth(Int)
        /// It gets this status and has no effect; `Retry-After` in seconds; `body` instead of the service's words.
        ///
        /// `clock` is how many seconds the server's clock is ahead, by the answer's `Date`.
        case status(Int, retryAfter: Int? = nil, body: String? = nil, clock: Int? = nil)
        /// Its connection is cut after so many bytes of its body.
        case reset(after: Int)
        /// It takes effect, and the answer's body is cut after so many bytes.
        case truncate(after: Int)
        /// Nothing more is heard for so long after so many bytes of its body; then the connection is cut.
        case stall(after: Int, Duration)
    }

    /// What it does.
    package var effect: Effect
    /// Such as `PATCH`; `nil` for every method.
    package var method: String?
    /// The path without `/storage/v1` and without the query; `nil` for every path.
    ///
    /// `*` stands for anything.
    package var path: String?
    /// From 0 for none to 1 for all of the requests it matches.
    package var rate: Double
    /// Requests it lets pass before it hits any.
    package var skip: Int
    /// Requests it hits at most; `nil` for no end.
    package var times: Int?

    /// A rule that hits every request unless it is narrowed.
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
    /// Whether the rule is about `request`.
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
