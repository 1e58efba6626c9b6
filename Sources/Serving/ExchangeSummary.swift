/// What a request log says about one exchange that has ended.
package struct ExchangeSummary: Sendable {
    /// The verb as sent, such as `GET`.
    package let method: String
    /// Path and query exactly as sent.
    package let target: String
    /// The answer's status; 0 when the connection was cut without one.
    package let status: Int
    /// Bytes of the request's body that arrived, read or not.
    package let received: Int64
    /// Bytes of the answer's body that were sent; 0 if the body was a file or an array and was cut short.
    package let sent: Int64
    /// Whether the answer was sent to its end.
    package let isComplete: Bool
}

extension ExchangeState {
    /// Bytes of the body of an answer that was sent completely.
    var sentInAll: Int64 {
        switch response?.body {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, _, let length): length
        case .stream: sent
        default: 0
        }
    }
}
