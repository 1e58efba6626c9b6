import Configuration
package import MediaModel
package import Queue

extension Settings.Thumbnails {
    /// Which pictures each file is to have; none with thumbnails off.
    package var roles: [Item.Role] { enabled ? sizes.map { .thumbnail($0) } : [] }

    /// The picture of one size that a worker is to make: at most `maxBytes`, in `format` or else the one that is set.
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
