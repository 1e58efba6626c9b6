import CSystemd
import Glibc

/// The service manager that started this process, and wants to know how it is.
package struct Supervisor: Sendable {
    /// The process is restarted after this time without `alive`; `nil` if silence means nothing.
    package let patience: Duration?
    /// Sends one notice; a notice that cannot be delivered is dropped, because nothing depends on it.
    package let tell: @Sendable (StateNotice) -> Void

    /// A supervisor that gets notices through `tell`.
    init(patience: Duration? = nil, tell: @escaping @Sendable (StateNotice) -> Void) {
        self.patience = patience
        self.tell = tell
    }
}

extension Supervisor {
    /// systemd, if it started this process and listens; `nil` otherwise.
    ///
    /// It says so by `NOTIFY_SOCKET` and `WATCHDOG_USEC`. Notices are sent at once, without blocking.
    package static var ofThisProcess: Supervisor? {
        guard getenv("NOTIFY_SOCKET") != nil else { return nil }
        var microseconds: UInt64 = 0
        // The call respects `WATCHDOG_PID`: the watchdog of a parent does not concern this process.
        let isGuarded = sd_watchdog_enabled(0, &microseconds) > 0
        return Supervisor(patience: isGuarded ? .microseconds(Int64(clamping: microseconds)) : nil) {
            _ = sd_notify(0, $0.text)
        }
    }
}
