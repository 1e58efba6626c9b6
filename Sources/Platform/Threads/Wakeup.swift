import CLinux
import Glibc

/// A descriptor that becomes readable when `raise` is called.
final class Wakeup: Sendable {
    let descriptor: Int32

    init() throws(SystemError) {
        descriptor = try SystemError.check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }
    }

    deinit { close(descriptor) }

    /// Wakes the threads that wait on it; it stays raised.
    func raise() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Sleeps until `other` is readable or was hung up; `false` when this was raised instead.
    func wait(for other: Int32) throws(SystemError) -> Bool {
        var sources = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        try SystemError.check("poll") { poll(&sources, 2, -1) }
        return sources[0].revents == 0
    }
}
