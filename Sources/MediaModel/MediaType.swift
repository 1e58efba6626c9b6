/// A content type such as `image/jpeg`, as it is stored and sent.
package struct MediaType: RawRepresentable, Codable, Hashable, Sendable {
    /// The registered name where there is one, else the customary `x-` name; lowercase, without parameters.
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    init(_ name: String) {
        rawValue = name
    }
}

extension MediaType {
    package static let jpeg = MediaType("image/jpeg")
    package static let png = MediaType("image/png")
    package static let gif = MediaType("image/gif")
    package static let webp = MediaType("image/webp")
    package static let bmp = MediaType("image/bmp")
    package static let tiff = MediaType("image/tiff")
    package static let jxl = MediaType("image/jxl")
    package static let heic = MediaType("image/heic")
    package static let heicSequence = MediaType("image/heic-sequence")
    package static let heif = MediaType("image/heif")
    package static let heifSequence = MediaType("image/heif-sequence")
    package static let avif = MediaType("image/avif")
    package static let jp2 = MediaType("image/jp2")
}

/// Camera originals.
extension MediaType {
    package static let dng = MediaType("image/x-adobe-dng")
    package static let cr2 = MediaType("image/x-canon-cr2")
    package static let cr3 = MediaType("image/x-canon-cr3")
    package static let crw = MediaType("image/x-canon-crw")
    package static let nef = MediaType("image/x-nikon-nef")
    package static let arw = MediaType("image/x-sony-arw")
    package static let raf = MediaType("image/x-fuji-raf")
    package static let rw2 = MediaType("image/x-panasonic-rw2")
    package static let orf = MediaType("image/x-olympus-orf")
    package static let pef = MediaType("image/x-pentax-pef")
    package static let srw = MediaType("image/x-samsung-srw")
    package static let mrw = MediaType("image/x-minolta-mrw")
    package static let x3f = MediaType("image/x-sigma-x3f")
}

extension MediaType {
    package static let mp4 = MediaType("video/mp4")
    package static let m4v = MediaType("video/x-m4v")
    package static let quickTime = MediaType("video/quicktime")
    package static let mobile3GPP = MediaType("video/3gpp")
    package static let mobile3GPP2 = MediaType("video/3gpp2")
    package static let matroska = MediaType("video/matroska")
    package static let webm = MediaType("video/webm")
    package static let avi = MediaType("video/x-msvideo")
    package static let mpegTS = MediaType("video/mp2t")
    package static let mpegPS = MediaType("video/mpeg")
    package static let wmv = MediaType("video/x-ms-wmv")
    package static let flv = MediaType("video/x-flv")
    package static let ogg = MediaType("video/ogg")
    package static let mxf = MediaType("application/mxf")
    package static let m4a = MediaType("audio/mp4")
}

extension MediaType {
    /// XMP part 3, 1.2 (external storage of metadata): RDF in XML.
    package static let xmp = MediaType("application/rdf+xml")
}

extension MediaType {
    /// What people call the format, such as `JPEG`; the content type itself for one that is not in the table.
    package var name: String { format?.name ?? rawValue }

    /// Photo, video or audio; judged by the first half of the name for a type that is not in the table.
    package var kind: MediaKind {
        if let format { return format.kind }
        if rawValue.hasPrefix("image/") { return .photo }
        return rawValue.hasPrefix("audio/") ? .audio : .video
    }

    /// The usual file name extension, without a dot.
    package var fileExtension: String? { format?.extensions.first }

    /// Whether both name files of one container, which people rename freely: no disagreement worth a note.
    func isSibling(of other: MediaType) -> Bool {
        guard let format, let other = other.format else { return self == other }
        return format.container == other.container
    }

    private var format: MediaFormat? { MediaFormat.byType[self] }
}

extension MediaType: CustomStringConvertible {
    package var description: String { rawValue }
}
