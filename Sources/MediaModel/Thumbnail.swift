/// The size of a requested thumbnail.
package struct ThumbnailSpec: Codable, Hashable, Sendable {
    /// Pixels of the longer side at most; a smaller picture is never enlarged.
    package var longSide: Int
    /// Bytes that a JPEG should not exceed; a PNG is as large as it is.
    package var maxBytes: Int
    /// How the picture is encoded.
    package var format: ThumbnailFormat

    /// A size of `longSide` pixels, in at most 200,000 bytes unless set otherwise.
    package init(longSide: Int, maxBytes: Int = 200_000, format: ThumbnailFormat = .jpeg) {
        self.longSide = longSide
        self.maxBytes = maxBytes
        self.format = format
    }
}

/// How a thumbnail is encoded.
package enum ThumbnailFormat: String, Codable, Hashable, Sendable {
    /// A whole baseline JPEG in sRGB, upright, without metadata; what is stored.
    case jpeg
    /// A PNG of the same; what the desktop's programs share.
    case png
}

/// A small picture made from an asset.
package struct Thumbnail: Hashable, Sendable {
    /// The request that it answers.
    package let spec: ThumbnailSpec
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int
    /// The whole file, in the format that was asked for.
    package let bytes: [UInt8]

    /// A thumbnail whose sides the caller has taken from the encoded picture.
    package init(spec: ThumbnailSpec, width: Int, height: Int, bytes: [UInt8]) {
        self.spec = spec
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
