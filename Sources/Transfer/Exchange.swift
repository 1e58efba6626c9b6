import CCurl
import Platform

/// One request that is being sent: the state that curl's callbacks read and write.
///
/// Created by the task that sends, then used by the transfer thread alone until that returns the
/// ending; so no two threads ever use it at once.
final class Exchange: @unchecked Sendable {
    /// Why curl no longer works on an exchange.
    enum Ending: Sendable {
        case done(CURLcode)
        case idle
        case cancelled
    }

    let request: HTTPRequest
    let easy = EasyHandle()
    let throttle: Throttle
    var continuation: CheckedContinuation<Ending, Never>?
    var isCancelled = false

    /// Bytes of the body handed to curl so far.
    var position: Int64 = 0

    /// The header lines since the last status line, as they arrived.
    var head: [UInt8] = []
    var headIsComplete = false
    var answer: [UInt8] = []
    var received: Int64 = 0
    var isTruncated = false
    /// What was found in the socket after sending failed.
    var early: EarlyAnswer?

    /// An address of the host that the request does not permit.
    var forbiddenPeer: String?

    /// What failed on this computer; curl knows only that a callback refused.
    var failure: TransferError.Kind?

    var limits: FlowLimits
    /// The direction in which the throttle holds this exchange back.
    var held: FlowDirection?

    var reported: ContinuousClock.Instant?
    /// Bytes moved at the last check, and when that number last changed.
    var moved: (bytes: Int64, at: ContinuousClock.Instant)

    init(_ request: HTTPRequest, throttle: Throttle, at now: ContinuousClock.Instant) {
        self.request = request
        self.throttle = throttle
        limits = FlowLimits(sending: request.sendLimit, receiving: request.receiveLimit, at: now)
        moved = (0, now)
    }

    /// Runs `body` on the exchange that curl passes to a callback as its context.
    static func with<Value>(_ context: UnsafeMutableRawPointer?, _ body: (Exchange) -> Value) -> Value? {
        context.map { body(Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue()) }
    }

    /// The pointer that curl passes to the callbacks; valid while the transfer thread keeps the exchange.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

extension Exchange {
    /// How long no byte may move before the exchange counts as idle; checked twice as often.
    var patience: Duration? { request.timeouts.idle }

    /// Whether no byte has moved for longer than `patience`; notes the current number of bytes.
    func isIdle(at now: ContinuousClock.Instant) -> Bool {
        guard let patience else { return false }
        let bytes =
            easy.offset(CURLINFO_SIZE_UPLOAD_T) + easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
            + Int64(easy.long(CURLINFO_REQUEST_SIZE) + head.count)
        if bytes != moved.bytes || held != nil { moved = (bytes, now) }
        return now - moved.at >= patience
    }

    /// Tells the request's observer how many bytes moved, at most ten times a second and at the end.
    func report(at now: ContinuousClock.Instant, isLast: Bool = false) {
        guard let progress = request.progress else { return }
        guard isLast || reported.map({ now - $0 >= .milliseconds(100) }) ?? true else { return }
        reported = now
        progress(TransferProgress(sent: easy.offset(CURLINFO_SIZE_UPLOAD_T), received: received))
    }
}
