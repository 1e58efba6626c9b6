import Glibc

/// Standard input, output and error of this process.
package enum StandardDescriptors {
    /// Opens those that the parent has closed on `/dev/null`.
    ///
    /// Else the next file or event that is opened gets the number, and what is said goes there.
    package static func fill() {
        // The kernel gives the lowest number that is free.
        for descriptor in 0...Int32(2) where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
    }
}
