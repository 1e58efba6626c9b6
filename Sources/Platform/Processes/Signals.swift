import CLinux
import Glibc

/// Signals to this process, as values.
package enum Signals {
    /// Keeps `signals` from ending the process, so that a stream can deliver them; ignores SIGPIPE.
    ///
    /// A hangup that the process was started to ignore stays ignored, here and in streams.
    /// Call it first in `main`: a thread inherits the mask of the thread that starts it.
    package static func block(_ signals: [Signal] = [.interrupt, .terminate, .hangup]) {
        var set = set(of: signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        // If the parent made us ignore SIGCHLD, this process could not learn how its children end.
        signal(SIGCHLD, SIG_DFL)
    }

    /// Lets `signals` end the process again; works for as long as the calling thread lives.
    package static func unblock(_ signals: [Signal] = [.interrupt, .terminate, .hangup]) {
        var set = set(of: signals)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Yields every arrival of one of the blocked `signals`; each arrives in one stream only.
    ///
    /// - Parameter hear: Gets each signal first, on the thread that waits for them, even when no task can run any more.
    package static func stream(
        _ signals: [Signal], hear: @escaping @Sendable (Signal) -> Void = { _ in }
    ) throws(SystemError) -> AsyncStream<Signal> {
        var set = set(of: signals)
        let source = OpenFile(
            descriptor: try SystemError.check("signalfd") { signalfd(-1, &set, Int32(SFD_CLOEXEC)) })
        let end = try Wakeup()
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
        continuation.onTermination = { _ in end.raise() }
        try SystemThread.start("signals") {
            while (try? end.wait(for: source.descriptor)) == true, let signal = read(source) {
                hear(signal)
                continuation.yield(signal)
            }
            continuation.finish()
        }
        return stream
    }

    private static func read(_ source: OpenFile) -> Signal? {
        var arrival = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        guard Glibc.read(source.descriptor, &arrival, size) == size else { return nil }
        return Signal(rawValue: Int32(arrival.ssi_signo))
    }

    private static func set(of signals: [Signal]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        // Blocking a signal delivers it even if it is ignored, so a hangup that "nohup" ignores is left out.
        for signal in signals where signal != .hangup || !isIgnored(signal) {
            sigaddset(&set, signal.rawValue)
        }
        return set
    }

    /// Whether this process was told to ignore the signal.
    private static func isIgnored(_ signal: Signal) -> Bool {
        var action = Glibc.sigaction()
        guard sigaction(signal.rawValue, nil, &action) == 0 else { return false }
        // 1 is the address that stands for SIG_IGN.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
