import Catalog
package import MediaModel
import Platform
package import Queue
package import Records

/// An asset as the timeline shows it.
package struct TimelineAsset: Hashable, Sendable {
    /// Its row in the library.
    package let place: Asset.Place
    /// What the timeline shows before anything else is loaded.
    package let face: TimelineFace
    /// How the timeline shows it.
    package let standing: Standing
    /// A ThumbHash in base64; `nil` until it was read, and if no picture could be made.
    package let thumbHash: String?
    /// Seconds of a video.
    package let duration: Double?
    /// The state that the standing follows from.
    package let state: Asset.State
    /// Why it failed or is held, or what is unusual about it; one sentence.
    package let note: String?
    /// What its item in the library waits for; `nil` if none waits.
    package let blocked: BlockedCause?
    /// The hash of its bytes, in hex; `nil` until they were read.
    package let sha256: String?
    /// Its moving part; `nil` for a still picture, and for a video.
    package let motion: Motion?

    /// The motion of a Live Photo or motion photo.
    package enum Motion: Hashable, Sendable {
        /// A movie with that name in the same directory, which is not shown by itself.
        case movie(name: [UInt8])
        /// A movie within the photo's own file.
        case clip(EmbeddedClip)
    }

    /// Its file's name as displayed.
    package var name: String { FilePath(bytes: place.name).display }
}

/// Everything about one asset that its page shows.
package struct AssetDetails: Sendable {
    /// The asset as the timeline shows it.
    package let shown: TimelineAsset
    /// The asset in its present state.
    package let record: FileRecord
    /// The type of its content; `nil` until it was read.
    package let type: MediaType?
    /// What its file states; `nil` where it was not probed.
    package let facts: MediaFacts?
}
