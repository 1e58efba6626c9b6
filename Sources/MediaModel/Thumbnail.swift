/// The size of a requested thumbnail.
package struct ThumbnailSpec: Codable, Hashable, Sendable {
    /// Pixels of the longer side at most; a smaller picture is never enlarged.
    package var longSide: Int
    /// Bytes that the JPEG should not exceed.
    package var maxBytes: Int

    /// A size of `longSide` pixels, in at most 200,000 bytes unless set otherwise.
    package init(longSide: Int, maxBytes: Int = 200_000) {
        self.longSide = longSide
        self.maxBytes = maxBytes
    }
}

/// A small picture made from an asset.
package struct Thumbnail: Hashable, Sendable {
    /// The request that it answers.
    package let spec: ThumbnailSpec
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int
    /// A whole baseline JPEG in sRGB, upright, without metadata.
    package let jpeg: [UInt8]

    /// A thumbnail whose sides the caller has taken from the encoded picture.
    package init(spec: ThumbnailSpec, width: Int, height: Int, jpeg: [UInt8]) {
        self.spec = spec
        self.width = width
        self.height = height
        self.jpeg = jpeg
    }
}
