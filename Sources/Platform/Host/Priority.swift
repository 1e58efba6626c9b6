import CLinux
import Glibc

/// How much processor and disk time this process claims.
package enum Priority {
    /// Yields to all other programs: nice 10, and the disk only when no other process uses it.
    ///
    /// Applies to all threads that run now and those they start. It cannot be undone.
    package static func background() throws(SystemError) {
        for task in try Directory("/proc/self/task").names() {
            guard let thread = Int32(task.display) else { continue }
            try background(thread: thread)
        }
    }

    private static let niceness: Int32 = 10

    static func background(thread: Int32) throws(SystemError) {
        do {
            // A process that was started with a higher niceness keeps it, because lowering it is not permitted.
            let who = __priority_which_t(PRIO_PROCESS.rawValue)
            if getpriority(who, id_t(thread)) < niceness {
                try SystemError.check("setpriority") { setpriority(who, id_t(thread), niceness) }
            }
            try SystemError.check("ioprio_set") { clinux_ioprio_set_idle(thread) }
        } catch {
            // A thread that ended meanwhile needs no priority.
            if error.code != ESRCH { throw error }
        }
    }
}
