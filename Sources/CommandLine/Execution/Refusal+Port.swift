import Glibc
package import Platform
import Records

extension Refusal {
    /// The refusal if a server cannot listen on `port`; `nil` for every other failure.
    ///
    /// - Parameter port: 0 if any port would do.
    package init?(listening error: SystemError, on port: UInt16) {
        if error.code == EADDRINUSE {
            self.init(.usage("Port \(port) is taken by another program: name a free one with --port, or none for any"))
        } else if error.isDenied, port != 0 {
            self.init(.usage("Port \(port) is not yours to take: name one from 1024 on with --port, or none for any"))
        } else {
            return nil
        }
    }
}
