import CCurl
import Platform

/// One request under way: what curl's callbacks read from and write to.
///
/// Made by the task that sends, then touched by the transfer thread alone until that hands the
/// ending back; so no two threads ever hold it at once.
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

    /// The header lines of the newest status line, raw.
    var head: [UInt8] = []
    var headIsComplete = false
    var answer: [UInt8] = []
    var received: Int64 = 0
    var isTruncated = false
    /// What was found in the socket after sending had failed.
    var early: EarlyAnswer?

    /// The address that the request does not permit.
    var forbiddenPeer: String?

    /// What failed on our side; curl knows only that a callback refused.
    var failure: TransferError.Kind?

    var limits: FlowLimits
    /// The direction the throttle holds back.
    var held: FlowDirection?

    var reported: ContinuousClock.Instant?
    /// Bytes moved when last looked at, with the moment they had changed.
    var moved: (bytes: Int64, at: ContinuousClock.Instant)

    init(_ request: HTTPRequest, throttle: Throttle, at now: ContinuousClock.Instant) {
        self.request = request
        self.throttle = throttle
        limits = FlowLimits(sending: request.sendLimit, receiving: request.receiveLimit, at: now)
        moved = (0, now)
    }

    /// Runs `body` on the exchange that curl was given as a callback's context.
    static func with<Value>(_ context: UnsafeMutableRawPointer?, _ body: (Exchange) -> Value) -> Value? {
        context.map { body(Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue()) }
    }

    /// What curl hands to the callbacks; valid while the transfer thread keeps the exchange.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

extension Exchange {
    /// How long nothing may move before `isIdle` says so; half of it between two looks.
    var patience: Duration? { request.timeouts.idle }

    /// Looks whether bytes moved since the last look; whether they have not for too long.
    func isIdle(at now: ContinuousClock.Instant) -> Bool {
        guard let patience else { return false }
        let bytes =
            easy.offset(CURLINFO_SIZE_UPLOAD_T) + easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
            + Int64(easy.long(CURLINFO_REQUEST_SIZE) + head.count)
        if bytes != moved.bytes || held != nil { moved = (bytes, now) }
        return now - moved.at >= patience
    }

    /// Tells the request's observer how far it is, unless it was told a moment ago.
    func report(at now: ContinuousClock.Instant, isLast: Bool = false) {
        guard let progress = request.progress else { return }
        guard isLast || reported.map({ now - $0 >= .milliseconds(100) }) ?? true else { return }
        reported = now
        progress(TransferProgress(sent: easy.offset(CURLINFO_SIZE_UPLOAD_T), received: received))
    }
}
