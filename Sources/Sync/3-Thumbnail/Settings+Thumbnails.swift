import Configuration
package import MediaModel
package import Queue

extension Settings.Thumbnails {
    /// Which pictures each file is to have; none with thumbnails off.
    package var roles: [Item.Role] { enabled ? sizes.map { .thumbnail($0) } : [] }

    /// The pictures that a worker is to make: one for each size, none above `maxBytes`.
    package var specs: [ThumbnailSpec] {
        sizes.map { ThumbnailSpec(longSide: $0, maxBytes: maxBytes) }
    }

    /// What a media worker is asked about a file of `type`.
    ///
    /// - Parameter specs: Instead of the settings' own.
    package func job(_ type: MediaType, specs: [ThumbnailSpec]? = nil) -> MediaJob {
        MediaJob(
            type: type, specs: specs ?? self.specs, limits: MediaLimits(posterCandidates: candidates),
            background: background)
    }
}
