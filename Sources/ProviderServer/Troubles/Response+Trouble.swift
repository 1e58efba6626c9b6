import Serving

extension Trouble.Effect {
    /// The answer that replaces the right one; `nil` if the request takes effect first.
    var answer: Response? {
        switch self {
        case .status(let status, let seconds, let body):
            var response = Response(status: status, body: .bytes(Array(body.utf8)))
            response.headers["Content-Type"] = body.hasPrefix("{") ? "application/json" : "text/html"
            response.headers["Retry-After"] = seconds.map { "\($0)" }
            return response
        case .dropped: return .dropped
        case .instead(let type, let text):
            return Response(status: 200, headers: ["Content-Type": type], body: .bytes(Array(text.utf8)))
        case .redirect(let address): return Response(status: 302, headers: ["Location": address])
        default: return nil
        }
    }
}

extension Response {
    /// The right answer, changed by the faults that apply.
    func spoiled(by hit: FaultCounts.Hit) -> Response {
        hit.paces.reduce(spoiled(by: hit.effect)) { $0.slowed(to: $1) }
    }

    private func spoiled(by effect: Trouble.Effect?) -> Response {
        switch effect {
        case .lostAnswer: .dropped
        case .cut(let count), .replaced(let count, _): cut(after: count)
        case .stalled(let count, let silence): cut(after: count, silence: silence)
        case .endless: padded(to: nil)
        case .announcing(let length): padded(to: length)
        default: self
        }
    }

    /// The same bytes followed by zeros, up to `length` or without end.
    private func padded(to length: Int64?) -> Response {
        guard case .stream(_, let next) = streamed.body else { return self }
        let sent = Counter()
        var padded = self
        padded.body = .stream(length: length) {
            let piece = try await next() ?? [UInt8](repeating: 0, count: 64 << 10)
            return sent.take(piece, of: length ?? .max)
        }
        return padded
    }
}
