import Glibc
import Platform
import Testing

@Suite struct PassingErrorTests {
    @Test(arguments: [
        (EIO, true), (ESTALE, true), (EMFILE, true), (ENFILE, true), (ENOMEM, true), (EINTR, true), (EAGAIN, true),
        (ENOMEDIUM, true), (ETIMEDOUT, true), (EACCES, false), (EPERM, false), (ENOENT, false), (ENOTDIR, false),
        (ELOOP, false), (ENAMETOOLONG, false), (EISDIR, false), (ENXIO, false), (EROFS, false),
    ])
    func someErrorsEndByThemselves(code: Int32, isPassing: Bool) {
        #expect(SystemError(call: "openat2", code: code).isPassing == isPassing)
    }

    @Test func theLimitOfOpenFilesIsAtLeastWhatIsInUse() {
        #expect(OpenFileLimit.raise() == OpenFileLimit.current)
        #expect((3...OpenFileLimit.current).contains(OpenFileLimit.inUse))
    }
}
