import CCurl
import Glibc
import Platform
import Synchronization

/// The one thread that drives curl: takes requests from an inbox, moves bytes, reports how each ended.
final class CurlThread: @unchecked Sendable {
    enum Message {
        case start(Exchange)
        /// May arrive before the start of the same exchange.
        case cancel(Exchange)
        case limit(bytesPerSecond: Int?)
        /// Cancels everything, and forgets all connections.
        case renew
        case close
    }

    private struct Inbox {
        var messages: [Message] = []
        var isOpen = true
    }

    let throttle = Throttle()
    let earlyAnswers = EarlyAnswers()
    private let inbox = Mutex(Inbox())
    /// Replaced on the thread, with the inbox locked; other threads use it with the inbox locked only.
    private var multi: UnsafeMutableRawPointer

    // Used on the thread only.
    private var running: [ObjectIdentifier: Exchange] = [:]
    private var isClosing = false
    /// When to check next whether an exchange is idle.
    private var nextCheck: ContinuousClock.Instant?

    init() {
        EasyHandle.prepareLibrary
        multi = Self.freshMulti()
    }

    private static func freshMulti() -> UnsafeMutableRawPointer {
        guard let multi = curl_multi_init() else { fatalError("curl_multi_init: out of memory") }
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 64)
        return multi
    }

    /// Starts the thread, which keeps this object alive until it handles `close`.
    func start() {
        do throws(SystemError) {
            try SystemThread.start("transfer") { self.run() }
        } catch {
            fatalError("\(error)")
        }
    }

    /// Puts `message` into the inbox; `false` when the thread accepts none any more.
    @discardableResult
    func post(_ message: Message) -> Bool {
        inbox.withLock { inbox in
            guard inbox.isOpen else { return false }
            inbox.messages.append(message)
            if case .close = message { inbox.isOpen = false }
            // Under the lock, because the thread may end, and free `multi`, as soon as it has seen the last message.
            if inbox.messages.count == 1 { curl_multi_wakeup(multi) }
            return true
        }
    }
}

extension CurlThread {
    private func run() {
        blockSignals()
        var ready: Int32 = 0
        var count: Int32 = 0
        while !isClosing {
            let onlyCancelled = takeMessages()
            // This checks every socket; two hundred cancellations in a row should cause that once.
            if ready > 0 || !onlyCancelled { curl_multi_perform(multi, &count) }
            takeEndings()
            let now = ContinuousClock.now
            checkIdle(at: now)
            release(at: now)
            curl_multi_poll(multi, nil, 0, isClosing ? 0 : timeout(at: now), &ready)
        }
        running.values.forEach { finish($0, .cancelled) }
        curl_multi_cleanup(multi)
    }

    /// Blocks all signals: other threads wait for them, and without SIGPIPE a closed connection is only an error.
    private func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }

    /// Handles the messages of the inbox; `true` where all of them were cancellations.
    private func takeMessages() -> Bool {
        let messages = inbox.withLock { inbox in
            defer { inbox.messages.removeAll() }
            return inbox.messages
        }
        var cancelled = 0
        for message in messages {
            switch message {
            case .start(let exchange): start(exchange)
            case .cancel(let exchange):
                cancel(exchange)
                cancelled += 1
            case .limit(let rate): throttle.limit(bytesPerSecond: rate, at: .now)
            case .renew: renew()
            case .close: isClosing = true
            }
        }
        return cancelled > 0 && cancelled == messages.count
    }

    private func renew() {
        running.values.forEach { finish($0, .cancelled) }
        let old = multi
        inbox.withLock { _ in multi = Self.freshMulti() }
        curl_multi_cleanup(old)
    }

    private func start(_ exchange: Exchange) {
        guard !exchange.isCancelled else { return resume(exchange, .cancelled) }
        running[ObjectIdentifier(exchange)] = exchange
        curl_multi_add_handle(multi, exchange.easy.pointer)
        if let patience = exchange.patience { check(at: .now + patience / 2) }
    }

    private func cancel(_ exchange: Exchange) {
        exchange.isCancelled = true
        if running[ObjectIdentifier(exchange)] != nil { finish(exchange, .cancelled) }
    }

    private func takeEndings() {
        var endings: [(exchange: Exchange, code: CURLcode)] = []
        var rest: Int32 = 0
        while let message = curl_multi_info_read(multi, &rest) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = message.pointee.data.result
            var context: UnsafeMutableRawPointer?
            ccurl_get_pointer(easy, CURLINFO_PRIVATE, &context)
            Exchange.with(context) { endings.append(($0, code)) }
        }
        earlyAnswers.distribute(
            among: endings.filter { $0.code == CURLE_SEND_ERROR && $0.exchange.head.isEmpty }.map(\.exchange))
        for ending in endings { finish(ending.exchange, .done(ending.code)) }
    }

    private func finish(_ exchange: Exchange, _ ending: Exchange.Ending) {
        curl_multi_remove_handle(multi, exchange.easy.pointer)
        throttle.forget(exchange)
        running[ObjectIdentifier(exchange)] = nil
        exchange.report(at: .now, isLast: true)
        resume(exchange, ending)
    }

    private func resume(_ exchange: Exchange, _ ending: Exchange.Ending) {
        exchange.continuation.take()?.resume(returning: ending)
    }
}

extension CurlThread {
    private func checkIdle(at now: ContinuousClock.Instant) {
        guard let due = nextCheck, due <= now else { return }
        nextCheck = nil
        for exchange in running.values {
            guard let patience = exchange.patience else { continue }
            if exchange.isIdle(at: now) {
                finish(exchange, .idle)
            } else {
                check(at: now + patience / 2)
            }
        }
    }

    private func check(at moment: ContinuousClock.Instant) {
        nextCheck = nextCheck.map { min($0, moment) } ?? moment
    }

    private func release(at now: ContinuousClock.Instant) {
        guard !throttle.held.isEmpty else { return }
        for exchange in throttle.release(at: now) { curl_easy_pause(exchange.easy.pointer, CURLPAUSE_CONT) }
    }

    /// Milliseconds until an idle check or a release is due; curl handles its own timers.
    private func timeout(at now: ContinuousClock.Instant) -> Int32 {
        guard let due = [nextCheck, throttle.nextRelease(after: now)].compactMap(\.self).min() else { return Int32.max }
        return due <= now ? 0 : Int32(clamping: (due - now).milliseconds + 1)
    }
}
