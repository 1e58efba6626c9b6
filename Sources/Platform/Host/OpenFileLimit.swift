import CLinux
import Glibc

/// How many files this process may have open at once.
package enum OpenFileLimit {
    /// Raises the limit as far as this account may, at most to `wanted`; returns the new limit.
    ///
    /// Processes started later inherit it.
    @discardableResult
    package static func raise(to wanted: Int = 65_536) -> Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return current }
        let highest = min(limits.rlim_max, rlim_t(wanted))
        if limits.rlim_cur < highest {
            limits.rlim_cur = highest
            // If the kernel refuses to raise the limit, the present one has to be enough.
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        }
        return current
    }

    /// The present limit; 256 where the system does not tell.
    package static var current: Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 256 }
        return Int(clamping: limits.rlim_cur)
    }

    /// The number of files, sockets and other descriptors that this process has open now.
    package static var inUse: Int {
        // Does not count the descriptor that lists the others.
        ((try? Directory("/proc/self/fd").names().count) ?? 32) - 2
    }
}
