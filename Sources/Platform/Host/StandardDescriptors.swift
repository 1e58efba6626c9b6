import Glibc

/// Standard input, output and error of this process.
package enum StandardDescriptors {
    /// Opens those that the parent has closed on `/dev/null`.
    ///
    /// Otherwise the next file that is opened would get such a number, and messages would be written into it.
    package static func fill() {
        // `open` returns the lowest number that is free, which is this one.
        for descriptor in 0...Int32(2) where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
    }
}
