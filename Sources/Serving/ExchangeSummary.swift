/// One exchange that is over, for a request log.
package struct ExchangeSummary: Sendable {
    package let method: String
    package let target: String
    /// 0 when the connection was cut without an answer.
    package let status: Int
    /// Bytes of the request's body that arrived, read or not.
    package let received: Int64
    /// Bytes of the answer's body that were sent; of a cut file or byte answer, 0.
    package let sent: Int64
    /// Whether the answer was sent to its end.
    package let isComplete: Bool
}

extension ExchangeState {
    /// Bytes of the body of an answer that was sent to its end.
    var sentInAll: Int64 {
        switch response?.body {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, _, let length): length
        case .stream: sent
        default: 0
        }
    }
}
