extension Settings {
    /// The gallery page that `watch` serves.
    package struct Page: Hashable, Sendable {
        /// Whether `watch` serves it.
        package var enabled = true
        /// The loopback port; 0 means any free one, which `open` finds out.
        package var port = 0
        /// The most bytes of originals that are kept after they were viewed from storage, to be viewed offline.
        package var cacheBytes = 1_000_000_000
    }
}
