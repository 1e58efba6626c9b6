package import FoundationEssentials

/// What probing found out about one asset; absent where the file does not say.
package struct MediaFacts: Codable, Hashable, Sendable {
    package var kind: MediaKind
    /// By the file's bytes.
    package var type: MediaType
    /// The decoder's name for the picture's coding, such as `h264`; of the sound in an audio file.
    package var codec: String?
    /// Pixels as shown: after rotation, with square pixels.
    package var width: Int?
    /// Pixels as shown: after rotation, with square pixels.
    package var height: Int?
    /// Degrees clockwise that the stored picture is turned to be upright: 0, 90, 180 or 270.
    package var rotation: Int?
    /// Whether the stored picture is mirrored left to right before it is turned.
    package var isMirrored: Bool
    /// Seconds.
    package var duration: Double?
    package var framesPerSecond: Double?
    /// How brightness beyond that of a printed page is coded; `nil` in ordinary pictures.
    package var hdr: HDRTransfer?
    /// `nil` for a photo.
    package var hasAudio: Bool?
    package var takenAt: Date?
    package var takenAtSource: CaptureDateSource?
    /// Whether it is a photo with a short video behind it in the same file.
    package var isMotionPhoto: Bool?
    /// A blurred likeness of about 25 bytes, base64 of a ThumbHash; for what is shown until the picture has come.
    package var thumbHash: String?
    /// What shows through its thumbnails where it is transparent; `nil` for an opaque picture.
    package var background: RGBColour?
    /// Frames of a video that were decoded to choose its poster.
    package var posterFrames: Int?
    /// Maker and model, such as `Apple iPhone 15`.
    package var camera: String?
    /// Sentences for people about what is odd in the file.
    package var notes: [String]

    package init(kind: MediaKind, type: MediaType, notes: [String] = []) {
        self.kind = kind
        self.type = type
        self.isMirrored = false
        self.notes = notes
    }
}

/// Where a capture date comes from, the most trustworthy first.
package struct CaptureDateSource: RawRepresentable, Codable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// EXIF with its own offset from UTC.
    package static let exif = CaptureDateSource(rawValue: "exif")
    /// EXIF whose offset follows from the satellites' time beside it.
    package static let exifGPS = CaptureDateSource(rawValue: "exif-gps")
    /// The satellites' time alone.
    package static let gps = CaptureDateSource(rawValue: "gps")
    /// EXIF without an offset, read as this computer's local time.
    package static let exifLocal = CaptureDateSource(rawValue: "exif-local")
    /// The container's creation time, which is UTC by its specification.
    package static let container = CaptureDateSource(rawValue: "container")
    /// When the file was last changed, since nothing in it says more.
    package static let file = CaptureDateSource(rawValue: "file")
}

/// How a picture of high dynamic range codes its brightness.
package struct HDRTransfer: RawRepresentable, Codable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// SMPTE ST 2084, as in HDR10.
    package static let pq = HDRTransfer(rawValue: "pq")
    /// ARIB STD-B67, as phones record it.
    package static let hlg = HDRTransfer(rawValue: "hlg")
}
