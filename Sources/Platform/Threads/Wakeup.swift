import CLinux
import Glibc

/// A descriptor that becomes readable when `raise` is called.
package final class Wakeup: Sendable {
    /// The descriptor to poll for reading; closed with this object.
    package let descriptor: Int32

    /// A wakeup that is not raised.
    package init() throws(SystemError) {
        descriptor = try SystemError.check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }
    }

    deinit { close(descriptor) }

    /// Wakes the threads that wait on it; it stays raised until `clear()`.
    package func raise() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Makes it unreadable until it is raised again.
    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
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
