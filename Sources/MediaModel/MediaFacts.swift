package import FoundationEssentials

/// What probing found out about one asset; a value is `nil` where the file does not state it.
package struct MediaFacts: Codable, Hashable, Sendable {
    /// Photo, video or audio, after looking into the container.
    package var kind: MediaKind
    /// The content type, decided by the file's bytes.
    package var type: MediaType
    /// The decoder's name for the picture's codec, such as `h264`; for the sound's in an audio file.
    package var codec: String?
    /// Pixels as shown: after rotation, with square pixels.
    package var width: Int?
    /// Pixels as shown: after rotation, with square pixels.
    package var height: Int?
    /// Degrees clockwise by which the stored picture must be turned to be upright: 0, 90, 180 or 270.
    package var rotation: Int?
    /// Whether the stored picture is mirrored left to right before it is turned.
    package var isMirrored: Bool
    /// Seconds.
    package var duration: Double?
    /// The average frame rate of a video; `nil` for a photo.
    package var framesPerSecond: Double?
    /// The transfer function of a high dynamic range picture; `nil` for ordinary pictures.
    package var hdr: HDRTransfer?
    /// Whether there is a sound track; `nil` for a photo.
    package var hasAudio: Bool?
    /// When the picture was taken, as well as it is known.
    package var takenAt: Date?
    /// Seconds by which the local clock was ahead of UTC at `takenAt`; `nil` if only the moment is known.
    package var takenAtOffset: Int?
    /// Which of the dates in the file `takenAt` is; `nil` without one.
    package var takenAtSource: CaptureDateSource?
    /// Whether `takenAt` is the moment of exposure or recording; `nil` in facts of an earlier version.
    package var isExposureDate: Bool?
    /// Whether it is a photo with a short video appended to it in the same file.
    package var isMotionPhoto: Bool?
    /// Where in the file a motion photo's video lies; `nil` where it was not found.
    package var clip: EmbeddedClip?
    /// Apple's identifier, which the photo and the movie of a Live Photo share.
    package var contentIdentifier: String?
    /// Whether the container holds a cover beside its streams; `nil` for a photo.
    package var hasCover: Bool?
    /// The chapters of a video or of sound, in order; `nil` without any.
    package var chapters: [Chapter]?
    /// A blurred placeholder, shown until the picture has loaded: a ThumbHash of about 25 bytes in base64.
    package var thumbHash: String?
    /// The colour behind the transparent parts of its thumbnails; `nil` for an opaque picture.
    package var background: RGBColour?
    /// The number of a video's frames that were decoded to choose its poster.
    package var posterFrames: Int?
    /// Maker and model, such as `Apple iPhone 15`.
    package var camera: String?
    /// Sentences for the user about irregularities in the file.
    package var notes: [String]

    /// Facts to which the prober adds what the file states.
    package init(kind: MediaKind, type: MediaType, notes: [String] = []) {
        self.kind = kind
        self.type = type
        self.isMirrored = false
        self.notes = notes
    }

    /// Whether a sidecar's date is better, because the file does not say when it was exposed or recorded.
    package var yieldsDate: Bool {
        isExposureDate.map { !$0 } ?? takenAtSource.map { [.file, .gps].contains($0) } ?? true
    }
}

/// Where a capture date comes from, the most trustworthy first.
package struct CaptureDateSource: RawRepresentable, Codable, Hashable, Sendable {
    /// The word that is stored in the catalog and in JSON.
    package let rawValue: String

    /// Accepts any word, so that a newer version's sources can be read.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The EXIF time, with the offset from UTC that EXIF states, or XMP beside the same time.
    package static let exif = CaptureDateSource(rawValue: "exif")
    /// The EXIF time, with an offset that follows from the GPS time in the same file.
    package static let exifGPS = CaptureDateSource(rawValue: "exif-gps")
    /// XMP's time; this computer's local time where nothing states or implies an offset.
    package static let xmp = CaptureDateSource(rawValue: "xmp")
    /// IPTC's time; this computer's local time where nothing states or implies an offset.
    package static let iptc = CaptureDateSource(rawValue: "iptc")
    /// The GPS time alone.
    package static let gps = CaptureDateSource(rawValue: "gps")
    /// The EXIF time without an offset, read as this computer's local time.
    package static let exifLocal = CaptureDateSource(rawValue: "exif-local")
    /// The container's creation time: UTC, or this computer's local time where it states no zone, as in an AVI.
    package static let container = CaptureDateSource(rawValue: "container")
    /// The file's modification time, since the file itself states no date.
    package static let file = CaptureDateSource(rawValue: "file")
}

/// The transfer function of a high dynamic range picture.
package struct HDRTransfer: RawRepresentable, Codable, Hashable, Sendable {
    /// The word that is stored in the catalog and in JSON.
    package let rawValue: String

    /// Accepts any word, so that a newer version's values can be read.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// SMPTE ST 2084, as in HDR10.
    package static let pq = HDRTransfer(rawValue: "pq")
    /// ARIB STD-B67, as phones record it.
    package static let hlg = HDRTransfer(rawValue: "hlg")
}
