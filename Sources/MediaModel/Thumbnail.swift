/// The size of a requested thumbnail.
package struct ThumbnailSpec: Codable, Hashable, Sendable {
    /// Pixels of the longer side at most; a smaller picture is never enlarged.
    package var longSide: Int
    /// Bytes that it should not exceed; this does not apply to a PNG.
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

/// How a thumbnail is encoded: in sRGB, upright, without metadata.
package enum ThumbnailFormat: String, Codable, Hashable, Sendable {
    /// A whole baseline JPEG.
    case jpeg
    /// A lossy WebP.
    case webp
    /// A still picture coded with AV1.
    case avif
    /// A PNG; shared with the desktop's programs, and never stored.
    case png

    /// The formats of stored pictures; the first is what earlier versions stored.
    package static let stored: [ThumbnailFormat] = [.jpeg, .webp, .avif]

    /// The content type.
    package var type: MediaType {
        switch self {
        case .jpeg: .jpeg
        case .webp: .webp
        case .avif: .avif
        case .png: .png
        }
    }

    /// How names of such pictures end, without a dot.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// The format of stored pictures with this content type; `nil` for any other type.
    package init?(type: MediaType) {
        guard let format = Self.stored.first(where: { $0.type == type }) else { return nil }
        self = format
    }

    /// The format of a stored picture by its first bytes; `nil` for any other bytes.
    package init?(bytes: some Collection<UInt8>) {
        let header = Array(bytes.prefix(MediaIdentity.headerLength))
        guard let type = MediaIdentity(header: header, fileExtension: [])?.type else { return nil }
        self.init(type: type)
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
