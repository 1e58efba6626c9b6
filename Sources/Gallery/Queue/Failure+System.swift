import Glibc
package import Platform

extension Item.Failure {
    /// What the system said about a file, such as `file.EACCES`.
    package init(_ error: SystemError) {
        self.init(
            code: "file." + (Self.names[error.code] ?? String(error.code)), message: error.description,
            retryable: Self.passing.contains(error.code))
    }

    private static let names: [Int32: String] = [
        EPERM: "EPERM", ENOENT: "ENOENT", EIO: "EIO", EACCES: "EACCES", ENOTDIR: "ENOTDIR", EISDIR: "EISDIR",
        EMFILE: "EMFILE", ENOSPC: "ENOSPC", EROFS: "EROFS", ELOOP: "ELOOP", ENAMETOOLONG: "ENAMETOOLONG",
        ESTALE: "ESTALE", EDQUOT: "EDQUOT", EXDEV: "EXDEV", ENXIO: "ENXIO",
    ]

    /// Conditions that end by themselves.
    private static let passing: Set<Int32> = [EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR, ESTALE, EIO]
}

extension SystemError {
    /// Whether the file is not there, or what led to it is no directory any more.
    package var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether the disk takes nothing more.
    package var isFull: Bool { code == ENOSPC || code == EDQUOT }
}
