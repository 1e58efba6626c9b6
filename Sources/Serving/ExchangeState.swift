/// Where one request stands between the connection's thread and its handler's task.
///
/// The connection's thread reports what arrived and is told its next step; the handler takes,
/// gives and answers. Whenever something changed, `canProceed`, `reading` and `canGive` say who
/// need not wait any longer.
struct ExchangeState {
    /// Bytes kept in each direction for a side that is slower.
    static let capacity = 256 << 10

    /// How far the request has come on the connection.
    enum Stage {
        /// Header read; the body is not asked of the client until the handler wants it.
        case held
        case body
        /// Whole request read; waiting for the answer.
        case read
        case answering
    }

    /// What the connection's thread is to do next.
    enum Step {
        case proceed
        case wait
        case answer(Response)
        /// Close without another byte.
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
    /// Whether the client is gone or the server stops; nobody waits from here on.
    private(set) var isCancelled = false
    private var inbound = ByteQueue()
    private var pace = BodyPace()
    private var outbound = ByteQueue()
    private var ending: Ending?
    private var isBodyWanted = false
    /// Whether the answer was written already, in the middle of the body.
    private var isAnswered = false
    /// Bytes of the whole body, where that is known beforehand.
    private let length: Int64?

    init(holdsBody: Bool, length: Int64? = nil) {
        stage = holdsBody ? .held : .body
        self.length = length
    }
}

// MARK: The connection's thread

extension ExchangeState {
    /// After the header.
    mutating func opened() -> Step { stage == .held ? .wait : .proceed }

    /// A held connection goes on, or the request is complete.
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

    /// Bytes of the body are there; after `.proceed` they are taken over, after `.wait` offered again.
    mutating func arrived(
        _ bytes: UnsafeRawBufferPointer, at now: ContinuousClock.Instant = .now
    ) -> Step {
        if isCancelled || response?.isDropped == true { return .cut }
        // Answering before the end of the request would close the connection under a client that
        // still writes, so the rest is read and dropped.
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

    /// The client takes more of a streamed answer: the bytes moved, or how it ended, or neither.
    mutating func give(to buffer: UnsafeMutableRawBufferPointer) -> (count: Int, ending: Ending?) {
        if isCancelled { return (0, .broken) }
        let count = outbound.move(to: buffer)
        sent += Int64(count)
        return (count, count == 0 ? ending : nil)
    }

    /// Whether a waiting connection has something to do.
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
    /// Takes the next piece of the body.
    mutating func read() -> Reading {
        isBodyWanted = true
        if let piece = inbound.removeFirst() { return .piece(piece) }
        if stage == .read || stage == .answering { return .end }
        return isCancelled ? .lost : .nothingYet
    }

    /// Whether the client is still sending its body, so that an answer now needs a way of its own.
    ///
    /// All of a body can be here, or there is none, some time before the request is reported as read.
    var canAnswerEarly: Bool { stage == .body && missing != 0 && response == nil && !isCancelled }

    /// Bytes of the body that are still to come; `nil` where its length is not known.
    var missing: Int64? { length.map { max(0, $0 - received) } }

    /// Sets the answer; what has not been read of the body is dropped.
    ///
    /// - Parameter isSent: Whether it was written already; then the connection ends with the body.
    mutating func answer(_ response: Response, isSent: Bool = false) {
        guard self.response == nil else { return }
        self.response = response
        isAnswered = isSent
        inbound.removeAll()
    }

    /// Adds to a streamed answer.
    mutating func append(_ piece: [UInt8]) { outbound.append(piece) }

    mutating func end(_ ending: Ending) { self.ending = ending }

    /// Whether a streamed answer may grow.
    var canGive: Bool { isCancelled || outbound.count < Self.capacity }

    /// The client is gone or the server stops.
    mutating func cancel() { isCancelled = true }
}
