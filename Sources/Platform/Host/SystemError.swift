import Glibc

/// A system call that failed: which one, on what, and errno.
package struct SystemError: Error, Hashable {
    /// The C function that failed, such as `openat`.
    package let call: String
    /// The `errno` it left; always positive.
    package let code: Int32
    /// What it was called on, where that says something.
    package let path: FilePath?

    package init(call: String, code: Int32, path: FilePath? = nil) {
        self.call = call
        self.code = code
        self.path = path
    }

    /// errno's text in English, such as `No space left on device`.
    package var reason: String { String(cString: strerror(code)) }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        guard let path else { return "\(reason) (\(call))" }
        if isDiskAway { return "\(path.display) is not mounted, or another disk is there now" }
        return "\(path.display): \(reason) (\(call))"
    }
}
