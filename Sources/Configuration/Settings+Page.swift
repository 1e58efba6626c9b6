extension Settings {
    /// The gallery page that `watch` serves.
    package struct Page: Hashable, Sendable {
        /// Whether `watch` serves it.
        package var enabled = true
        /// The loopback port; 0 means any free one, which `open` finds out.
        package var port = 0
        /// Bytes of originals, looked at in storage, that are kept to be seen without a connection.
        package var cacheBytes = 1_000_000_000
    }
}
