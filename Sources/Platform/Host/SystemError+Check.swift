import Glibc

extension SystemError {
    /// The result of `body`, repeated while a signal interrupts it; errno becomes the error.
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

    /// This error, named for `path` where it names none.
    func on(_ path: FilePath) -> SystemError {
        SystemError(call: call, code: code, path: self.path ?? path)
    }
}

extension SystemError {
    /// Nothing has that name, or something on the way to it is not a directory.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    /// Something has that name already.
    package var isPresent: Bool { code == EEXIST }
    /// The account may not do that.
    package var isDenied: Bool { code == EACCES || code == EPERM }
    /// The disk, or the account's share of it, is full.
    package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    /// A deadline passed.
    package var isTimeout: Bool { code == ETIMEDOUT }
    /// The disk that something lies on is not there, or another one is at its place.
    package var isDiskAway: Bool { code == ENOMEDIUM }
    /// Conditions of the machine, the disk or the network that end by themselves: worth another try soon.
    ///
    /// EIO is among them: of a removed disk, a cable, a network server. Of a broken sector it comes again, and the
    /// tries end.
    package var isPassing: Bool {
        switch code {
        case EIO, ESTALE, EMFILE, ENFILE, ENOMEM, ENOBUFS, EINTR, EAGAIN, EBUSY, ETIMEDOUT, ETXTBSY: true
        case EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENETUNREACH, ECONNRESET, ECONNREFUSED, ENOTCONN: true
        case ENOMEDIUM, EREMOTEIO: true
        default: false
        }
    }

    /// What says that the disk of `path` is not there, or that another one is.
    package static func diskAway(_ path: FilePath) -> SystemError {
        SystemError(call: "open", code: ENOMEDIUM, path: path)
    }
}
