package import Serving

/// What goes wrong with one request, in a test or a demonstration.
package enum Fault: Sendable {
    /// This answer instead of the right one; the request has no effect.
    case answer(Response)
    /// The connection is cut after this many bytes of the request's body, or at its end.
    ///
    /// The bytes that arrived count where the protocol allows it: for a piece of a resumable upload.
    case drop(afterReading: Int)
    /// As `drop`, but the connection is first left open and silent for this long.
    case stall(afterReading: Int, for: Duration)
    /// The request takes effect, but the connection is cut after this many bytes of the answer's body.
    case cutAnswer(after: Int)
    /// The request takes effect, but sizes in the answer are too large by this much.
    case misreportSize(by: Int64)
    /// The request waits for this long, then continues.
    indirect case late(Duration, then: Fault?)
    /// The bodies of request and answer are slowed down, together with all that share the pace.
    indirect case slow(Pace, then: Fault?)

    /// 503, with a `Retry-After` of that many seconds.
    package static func unavailable(retryAfter seconds: Int) -> Fault {
        .answer(FaultStatus(503, retryAfter: seconds).response(isResumable: false))
    }
}

extension Depot {
    /// The answer to `request`, changed by `fault`.
    func answer(_ request: Request, with fault: Fault?) async -> Response {
        switch fault {
        case nil: return await answer(request)
        case .answer(let response): return response
        case .drop(let count): return await answer(request, losing: count, after: .zero)
        case .stall(let count, let silence): return await answer(request, losing: count, after: silence)
        case .cutAnswer(let count): return await answer(request).cut(after: count)
        case .misreportSize(let bytes): return await answer(request, misreport: bytes)
        case .late(let wait, let then):
            try? await Task.sleep(for: wait)
            return await answer(request, with: then)
        case .slow(let pace, let then):
            let slow = request.with(request.body.slowed(to: pace))
            return await answer(slow, with: then).slowed(to: pace)
        }
    }

    /// The effect of a request whose body ends early; a request without a body has none.
    private func answer(_ request: Request, losing count: Int, after silence: Duration) async -> Response {
        guard request.body.length != 0 else {
            try? await Task.sleep(for: silence)
            return .dropped
        }
        let response = await answer(request.with(request.body.lost(after: count, silence: silence)))
        // An urgent answer means that another request ended the silence.
        return response.isUrgent ? response : .dropped
    }
}
