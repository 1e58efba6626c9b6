package import Browsing
package import Roots
package import Uploading

/// The data that the page shows; it reads them itself, not through the agent, so that viewing does not slow sending.
package struct PageContents: Sendable {
    let timeline: Timeline
    let roots: RootRegistry
    let thumbnails: ThumbnailCache
    /// Pixels of the longer sides of the pictures that are made, the smallest first.
    let sizes: [Int]
    /// The pieces of originals that were fetched from storage; `nil` if none are kept.
    let kept: KeptPieces?

    /// What a library shows, with the roots that its files lie below.
    package init(
        timeline: Timeline, roots: RootRegistry, thumbnails: ThumbnailCache, sizes: [Int],
        kept: KeptPieces? = nil
    ) {
        self.timeline = timeline
        self.roots = roots
        self.thumbnails = thumbnails
        self.sizes = sizes.sorted()
        self.kept = kept
    }
}
