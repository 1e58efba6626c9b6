import Glibc
package import Platform

extension Item.Failure {
    /// The failure for a system error about a file, with a code such as `file.EACCES`.
    ///
    /// The message leaves out the path, which stands beside it wherever it is shown.
    package init(_ error: SystemError) {
        self.init(
            code: .file(Self.names[error.code] ?? String(error.code)),
            message: error.isDiskAway ? error.description : error.reason,
            retryable: error.isPassing)
    }

    private static let names: [Int32: String] = [
        EPERM: "EPERM", ENOENT: "ENOENT", EIO: "EIO", EACCES: "EACCES", ENOTDIR: "ENOTDIR", EISDIR: "EISDIR",
        EMFILE: "EMFILE", ENOSPC: "ENOSPC", EROFS: "EROFS", ELOOP: "ELOOP", ENAMETOOLONG: "ENAMETOOLONG",
        ESTALE: "ESTALE", EDQUOT: "EDQUOT", EXDEV: "EXDEV", ENXIO: "ENXIO",
        ENFILE: "ENFILE", ENOMEM: "ENOMEM", EAGAIN: "EAGAIN", EINTR: "EINTR", ENOMEDIUM: "ENOMEDIUM",
    ]
}
