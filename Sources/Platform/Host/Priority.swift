import CLinux
import Glibc

/// How much this process asks of the machine.
package enum Priority {
    /// Lets every other program go first: nice 10, and the disk only when nobody else wants it.
    ///
    /// Holds for all threads that run now and those they start. There is no way back.
    package static func background() throws(SystemError) {
        for task in try Directory("/proc/self/task").names() {
            guard let thread = Int32(task.display) else { continue }
            try background(thread: thread)
        }
    }

    private static let niceness: Int32 = 10

    static func background(thread: Int32) throws(SystemError) {
        do {
            // Somebody who started us nicer still had a reason, and there is no way back from there either.
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
