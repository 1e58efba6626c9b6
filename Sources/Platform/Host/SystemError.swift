import Glibc

/// A failed system call: its name, its path where it had one, and errno.
package struct SystemError: Error, Hashable {
    /// The C function that failed, such as `openat`.
    package let call: String
    /// The `errno` it left; always positive.
    package let code: Int32
    /// The path it was called with; `nil` where that would tell nothing.
    package let path: FilePath?

    /// An error of `call`, whose errno the caller read right after it.
    package init(call: String, code: Int32, path: FilePath? = nil) {
        self.call = call
        self.code = code
        self.path = path
    }

    /// errno's text in English, such as `No space left on device`.
    package var reason: String { String(cString: strerror(code)) }
}

extension SystemError: CustomStringConvertible {
    /// One sentence for people: the path and the reason.
    package var description: String {
        if call == "pthread_create", code == EAGAIN {
            return "no more threads can be started: raise \"ulimit -u\", or the container's limit of processes"
        }
        guard let path else { return reason }
        if isDiskAway { return "\(path.display) is not mounted, or another disk is there now" }
        return "\(path.display): \(reason)"
    }
}

extension SystemError: CustomDebugStringConvertible {
    /// The sentence and the call that failed, for reports of mistakes in this program.
    package var debugDescription: String { "\(description) (\(call), \(code))" }
}
