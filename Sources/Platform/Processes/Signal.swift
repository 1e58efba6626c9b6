import Glibc

/// A Unix signal.
package struct Signal: RawRepresentable, Hashable, Sendable {
    /// The number that the system gives it.
    package let rawValue: Int32

    /// Accepts any number, since processes may end by signals without a name here.
    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Sent by Ctrl-C.
    package static let interrupt = Signal(rawValue: SIGINT)
    /// Asks a process to end.
    package static let terminate = Signal(rawValue: SIGTERM)
    /// The terminal was closed.
    package static let hangup = Signal(rawValue: SIGHUP)
    /// Ends a process at once; cannot be caught.
    package static let kill = Signal(rawValue: SIGKILL)
    /// A process aborted itself.
    package static let abort = Signal(rawValue: SIGABRT)
    /// A process used up its processor time.
    package static let outOfTime = Signal(rawValue: SIGXCPU)
    /// Holds a process until it is continued or killed, as a debugger does; cannot be caught.
    package static let hold = Signal(rawValue: SIGSTOP)
    /// Has no meaning of its own; programs choose one.
    package static let user1 = Signal(rawValue: SIGUSR1)
}
