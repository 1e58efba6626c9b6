import CSystemd
import Glibc

/// Who started this process as a service, and wants to hear how it is.
package struct Supervisor: Sendable {
    /// After this time without `alive` the process is started again; `nil` where silence is no sign.
    package let patience: Duration?
    /// Tells one thing; what cannot be delivered is dropped, since nothing depends on it.
    package let tell: @Sendable (StateNotice) -> Void

    /// A supervisor that hears through `tell`.
    init(patience: Duration? = nil, tell: @escaping @Sendable (StateNotice) -> Void) {
        self.patience = patience
        self.tell = tell
    }
}

extension Supervisor {
    /// systemd, where it started this process and listens; `nil` elsewhere.
    ///
    /// It says so by `NOTIFY_SOCKET` and `WATCHDOG_USEC`. What is told goes there at once, without blocking.
    package static var ofThisProcess: Supervisor? {
        guard getenv("NOTIFY_SOCKET") != nil else { return nil }
        var microseconds: UInt64 = 0
        // It heeds `WATCHDOG_PID`: the watchdog of a parent is none of ours.
        let isGuarded = sd_watchdog_enabled(0, &microseconds) > 0
        return Supervisor(patience: isGuarded ? .microseconds(Int64(clamping: microseconds)) : nil) {
            _ = sd_notify(0, $0.text)
        }
    }
}
