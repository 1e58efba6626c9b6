/// What a server answered, whatever the status: a 503 is an answer, not an error.
package struct HTTPResponse: Hashable, Sendable {
    /// 200 or higher: interim answers are skipped.
    package let status: Int
    /// The fields of the final answer, in the order they arrived.
    package let headers: HTTPHeaders
    /// Empty where the body went to a file.
    package let body: [UInt8]
    /// Whether the body is incomplete: over the limit, or cut off by a broken connection.
    package let isTruncated: Bool
    /// Bytes of the body that arrived, in memory or in the file.
    package let received: Int64

    /// An answer as it arrived; `received` is given where the body went to a file.
    package init(
        status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], isTruncated: Bool = false,
        received: Int64? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isTruncated = isTruncated
        self.received = received ?? Int64(body.count)
    }

    /// Whether the status is 200 to 299.
    package var isSuccess: Bool { 200..<300 ~= status }
}
