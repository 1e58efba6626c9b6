/// The state of one request, shared by the connection's thread and the handler's task.
///
/// The connection's thread reports what arrived and gets its next step; the handler reads the body and
/// writes the answer. After every change `canProceed`, `reading` and `canGive` say which side need not wait
/// any longer.
struct ExchangeState {
    /// The most bytes that are buffered in each direction while the other side is slower.
    static let capacity = 256 << 10

    /// How far the request has come on the connection.
    enum Stage {
        /// The header was read; the body is not requested from the client until the handler reads it.
        case held
        case body
        /// The whole request was read; the answer is awaited.
        case read
        case answering
    }

    /// What the connection's thread does next.
    enum Step {
        case proceed
        case wait
        case answer(Response)
        /// The connection is closed without another byte.
        case cut
    }

    /// What a handler that reads the body gets.
    enum Reading {
        case piece([UInt8])
        case end
        case lost
        case nothingYet
    }

    /// How a streamed answer ended.
    enum Ending {
        case complete, broken
    }

    private(set) var stage: Stage
    private(set) var received: Int64 = 0
    private(set) var sent: Int64 = 0
    private(set) var response: Response?
    /// Whether the client is gone or the server stops; from then on neither side waits.
    private(set) var isCancelled = false
    private var inbound = ByteQueue()
    private var pace = BodyPace()
    private var outbound = ByteQueue()
    private var ending: Ending?
    private var isBodyWanted = false
    /// Whether the answer was already sent while the body was still arriving.
    private var isAnswered = false
    /// Bytes of the whole body; `nil` for a chunked one.
    private let length: Int64?

    init(holdsBody: Bool, length: Int64? = nil) {
        stage = holdsBody ? .held : .body
        self.length = length
    }
}

// MARK: The connection's thread

extension ExchangeState {
    /// The step after the header.
    mutating func opened() -> Step { stage == .held ? .wait : .proceed }

    /// The next step of a connection that was held, or whose request is complete.
    mutating func requestAdvanced() -> Step {
        if isCancelled || response?.isDropped == true { return .cut }
        if stage == .held, isBodyWanted, response == nil {
            stage = .body
            return .proceed
        }
        if stage == .body { stage = .read }
        if isAnswered { return .cut }
        guard let response else { return .wait }
        stage = .answering
        return .answer(response)
    }

    /// Bytes of the body arrived; after `.proceed` they were taken, after `.wait` they are offered again.
    mutating func arrived(
        _ bytes: UnsafeRawBufferPointer, at now: ContinuousClock.Instant = .now
    ) -> Step {
        if isCancelled || response?.isDropped == true { return .cut }
        // The rest of the body is read and discarded, because answering before the end of the request would close the
        // connection while the client still writes.
        if response == nil {
            guard inbound.count < Self.capacity else {
                pace.pause()
                return .wait
            }
            inbound.append(Array(bytes))
        }
        received += Int64(bytes.count)
        return pace.isKept(by: bytes.count, at: now) ? .proceed : .cut
    }

    /// Fills `buffer` from a streamed answer; returns the bytes moved, or how the answer ended, or neither.
    mutating func give(to buffer: UnsafeMutableRawBufferPointer) -> (count: Int, ending: Ending?) {
        if isCancelled { return (0, .broken) }
        let count = outbound.move(to: buffer)
        sent += Int64(count)
        return (count, count == 0 ? ending : nil)
    }

    /// Whether a suspended connection has something to do.
    var canProceed: Bool {
        if isCancelled { return true }
        return switch stage {
        case .held: isBodyWanted || response != nil
        case .body: response != nil || inbound.count <= Self.capacity / 2
        case .read: response != nil
        case .answering: outbound.count > 0 || ending != nil
        }
    }
}

// MARK: The handler's task

extension ExchangeState {
    /// Takes the next piece of the body; `nothingYet` if none has arrived.
    mutating func read() -> Reading {
        isBodyWanted = true
        if let piece = inbound.removeFirst() { return .piece(piece) }
        if stage == .read || stage == .answering { return .end }
        return isCancelled ? .lost : .nothingYet
    }

    /// Whether the client is still sending its body, so that an answer must bypass libmicrohttpd.
    ///
    /// `missing` is checked too, because the body may be complete, or empty, before the request is reported as read.
    var canAnswerEarly: Bool { stage == .body && missing != 0 && response == nil && !isCancelled }

    /// Bytes of the body that have not arrived; `nil` if its length is not known.
    var missing: Int64? { length.map { max(0, $0 - received) } }

    /// Sets the answer; the unread rest of the body is discarded.
    ///
    /// - Parameter isSent: Whether the answer was already sent; the connection then ends after the body.
    mutating func answer(_ response: Response, isSent: Bool = false) {
        guard self.response == nil else { return }
        self.response = response
        isAnswered = isSent
        inbound.removeAll()
    }

    /// Appends a piece to a streamed answer.
    mutating func append(_ piece: [UInt8]) { outbound.append(piece) }

    mutating func end(_ ending: Ending) { self.ending = ending }

    /// Whether a streamed answer has room for another piece.
    var canGive: Bool { isCancelled || outbound.count < Self.capacity }

    /// Ends the exchange because the client left or the server stops.
    mutating func cancel() { isCancelled = true }
}
