import Glibc

extension SystemError {
    /// The result of `body`, repeated while a signal interrupts it; throws errno where it is negative.
    @discardableResult
    static func check<Value: SignedInteger>(
        _ call: String, _ path: @autoclosure () -> FilePath? = nil, _ body: () -> Value
    ) throws(SystemError) -> Value {
        while true {
            let value = body()
            if value >= 0 { return value }
            let code = errno
            if code != EINTR { throw SystemError(call: call, code: code, path: path()) }
        }
    }

    /// Throws the error number that functions such as `pthread_create` and `posix_spawn` return.
    static func checkNumber(_ code: Int32, _ call: String, _ path: FilePath? = nil) throws(SystemError) {
        guard code == 0 else { throw SystemError(call: call, code: code, path: path) }
    }
}

extension SystemError {
    /// Nothing has that name, or a parent of it is not a directory.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    /// The path leads out of the directory that it was opened below.
    package var isOutside: Bool { code == EXDEV }
    /// The name is taken.
    package var isPresent: Bool { code == EEXIST }
    /// The account lacks the right to do that.
    package var isDenied: Bool { code == EACCES || code == EPERM }
    /// No file can have that name there: it is too long, or its symlinks form a loop.
    package var isUnusableName: Bool { code == ENAMETOOLONG || code == ELOOP }
    /// The disk or the account's quota is full, or the file would become too large.
    package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    /// What the user can do about it, one sentence; `nil` if there is no advice beyond the error's text.
    package var advice: String? {
        switch code {
        case ENOSPC, EDQUOT: "Make room on that disk, then run this again."
        case EISDIR: "A folder lies in the place of a file: move it away, then run this again."
        case EACCES: "Give this user the right to it, then run this again."
        case EROFS: "Mount that disk for writing, then run this again."
        default: nil
        }
    }
    /// The disk takes no changes.
    package var isReadOnly: Bool { code == EROFS }
    /// The other end of a pipe is closed: its reader has enough.
    package var isReaderGone: Bool { code == EPIPE }
    /// A deadline passed.
    package var isTimeout: Bool { code == ETIMEDOUT }
    /// The disk that should be there is missing, or another one is in its place.
    package var isDiskAway: Bool { code == ENOMEDIUM }
    /// Conditions of the machine, the disk or the network that may end by themselves: worth a retry soon.
    ///
    /// EIO is among them: a removed disk, a cable or a network server causes it. A broken sector causes it at every
    /// attempt, until the retries are used up.
    package var isPassing: Bool {
        switch code {
        case EIO, ESTALE, EMFILE, ENFILE, ENOMEM, ENOBUFS, EINTR, EAGAIN, EBUSY, ETIMEDOUT, ETXTBSY: true
        case EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENETUNREACH, ECONNRESET, ECONNREFUSED, ENOTCONN: true
        case ENOMEDIUM, EREMOTEIO: true
        default: false
        }
    }

    /// The error that says that the disk of `path` is missing, or that another one is in its place.
    package static func diskAway(_ path: FilePath) -> SystemError {
        SystemError(call: "open", code: ENOMEDIUM, path: path)
    }
}
