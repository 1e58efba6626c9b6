import Configuration
package import MediaModel
package import Queue

extension Settings.Thumbnails {
    /// Which pictures each file is to have; none with thumbnails off.
    package var roles: [Item.Role] { enabled ? sizes.map { .thumbnail($0) } : [] }

    /// The picture of a size that a worker is to make, not above `maxBytes`; in the format that is set unless in another.
    package func spec(_ size: Int, _ format: ThumbnailFormat? = nil) -> ThumbnailSpec {
        ThumbnailSpec(longSide: size, maxBytes: maxBytes, format: format ?? self.format)
    }

    /// What a media worker is asked about a file of `type`.
    package func job(_ type: MediaType, specs: [ThumbnailSpec]) -> MediaJob {
        MediaJob(
            type: type, specs: specs, limits: MediaLimits(posterCandidates: candidates),
            background: background)
    }
}
