package import Platform

/// Where a Storage service answers.
package struct StorageEndpoint: Hashable, Sendable {
    /// The storage base URL without a slash at its end: with `/storage/v1` behind a gateway, bare without.
    package let base: String
    /// The socket to connect to instead of the base's host.
    package let unixSocket: FilePath?

    package init(base: String, unixSocket: FilePath? = nil) {
        self.base = String(base.reversed().drop { $0 == "/" }.reversed())
        self.unixSocket = unixSocket
    }
}
