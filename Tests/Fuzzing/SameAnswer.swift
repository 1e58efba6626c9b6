import Transfer

/// A network on which every request gets the same answer.
struct SameAnswer: Transport {
    let response: HTTPResponse

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse { response }
}

extension SameAnswer {
    /// Reads `STATUS`, header lines, an empty line, and the body.
    init(_ text: String) {
        let (first, rest) = text.cutAtLine
        let end = rest.range(ofLine: "")
        let headers = HTTPHeaders(block: rest[..<(end?.lowerBound ?? rest.endIndex)].utf8)
        let body = end.map { Array(rest[$0.upperBound...].utf8) } ?? []
        response = HTTPResponse(status: Int(first).map { max(200, min($0, 599)) } ?? 200, headers: headers, body: body)
    }
}

extension Substring {
    /// The line break of the first empty line; all lines before it are header lines.
    fileprivate func range(ofLine line: String) -> Range<Index>? {
        var place = startIndex
        while let next = self[place...].utf8.firstIndex(of: 0x0A) {
            let after = utf8.index(after: next)
            if next == place { return next..<after }
            place = after
        }
        return nil
    }
}
