/// What a server answered, whatever the status: a 503 is an answer.
package struct HTTPResponse: Hashable, Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    /// Empty where the body went to a file.
    package let body: [UInt8]
    /// Whether the body went on: past the limit, or beyond what a broken connection let through.
    package let isTruncated: Bool
    /// Bytes of the body that arrived, in memory or in the file.
    package let received: Int64

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

    package var isSuccess: Bool { 200..<300 ~= status }
}
