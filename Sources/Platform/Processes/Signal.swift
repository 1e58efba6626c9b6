import Glibc

/// A Unix signal.
package struct Signal: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Ctrl-C.
    package static let interrupt = Signal(rawValue: SIGINT)
    /// A polite request to end.
    package static let terminate = Signal(rawValue: SIGTERM)
    /// The terminal went away.
    package static let hangup = Signal(rawValue: SIGHUP)
    /// Ends a process at once; cannot be caught.
    package static let kill = Signal(rawValue: SIGKILL)
    /// A process aborted itself.
    package static let abort = Signal(rawValue: SIGABRT)
    /// A process used up its time.
    package static let outOfTime = Signal(rawValue: SIGXCPU)
    /// A process made a system call it may not make.
    package static let badCall = Signal(rawValue: SIGSYS)
    package static let user1 = Signal(rawValue: SIGUSR1)
}
