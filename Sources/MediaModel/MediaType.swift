/// A content type such as `image/jpeg`, as it is stored and sent.
package struct MediaType: RawRepresentable, Codable, Hashable, Sendable {
    /// The registered name where there is one, else the customary `x-` name; lowercase, without parameters.
    package let rawValue: String

    /// Accepts any content type, in the table or not; the caller passes lowercase without parameters.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    init(_ name: String) {
        rawValue = name
    }
}

extension MediaType {
    /// JPEG, MPO included.
    package static let jpeg = MediaType("image/jpeg")
    /// JPEG-LS, which is lossless and has a coding of its own.
    package static let jpegLS = MediaType("image/jls")
    /// PNG, animated or not.
    package static let png = MediaType("image/png")
    /// GIF, animated or not.
    package static let gif = MediaType("image/gif")
    /// WebP, animated or not.
    package static let webp = MediaType("image/webp")
    /// Windows bitmap.
    package static let bmp = MediaType("image/bmp")
    /// TIFF or BigTIFF that is not a camera original.
    package static let tiff = MediaType("image/tiff")
    /// JPEG XL, in a container or as a bare codestream.
    package static let jxl = MediaType("image/jxl")
    /// A still picture coded with HEVC.
    package static let heic = MediaType("image/heic")
    /// Several pictures coded with HEVC.
    package static let heicSequence = MediaType("image/heic-sequence")
    /// An ISO image file whose coding the brands leave open.
    package static let heif = MediaType("image/heif")
    /// Several pictures whose coding the brands leave open.
    package static let heifSequence = MediaType("image/heif-sequence")
    /// A picture or a sequence coded with AV1.
    package static let avif = MediaType("image/avif")
    /// JPEG 2000, in a container or as a bare codestream.
    package static let jp2 = MediaType("image/jp2")
    /// Adobe Photoshop's document; PSB included.
    package static let psd = MediaType("image/vnd.adobe.photoshop")
    /// Truevision's Targa.
    package static let tga = MediaType("image/x-tga")
    /// Pictures of several sizes for buttons and pointers: Windows ICO and CUR.
    package static let icon = MediaType("image/vnd.microsoft.icon")
    /// OpenEXR, in linear light.
    package static let exr = MediaType("image/x-exr")
    /// Radiance's picture of light.
    package static let radiance = MediaType("image/vnd.radiance")
    /// The black-and-white picture of early phones.
    package static let wbmp = MediaType("image/vnd.wap.wbmp")
    /// Netpbm's formats: PBM, PGM, PPM, PAM, and PFM for light.
    package static let pnm = MediaType("image/x-portable-anymap")
    /// ZSoft's PC Paintbrush.
    package static let pcx = MediaType("image/vnd.zbrush.pcx")
    /// Silicon Graphics' picture.
    package static let sgi = MediaType("image/x-sgi")
    /// A frame of a scanned film (SMPTE ST 268).
    package static let dpx = MediaType("image/dpx")
    /// Sun's raster file.
    package static let sunRaster = MediaType("image/x-sun-raster")
    /// The X Window System's picture in two colours.
    package static let xbm = MediaType("image/x-xbitmap")
    /// The X Window System's picture in named colours.
    package static let xpm = MediaType("image/x-xpixmap")
    /// The X Window System's picture of a window or a screen.
    package static let xwd = MediaType("image/x-xwindowdump")
    /// QuickDraw's picture, of the Macintosh before Mac OS X.
    package static let pict = MediaType("image/x-pict")
    /// The Quite OK Image format.
    package static let qoi = MediaType("image/qoi")
    /// A picture of the Amiga and its programs, such as Deluxe Paint.
    package static let iff = MediaType("image/x-ilbm")
    /// A texture of DirectX.
    package static let dds = MediaType("image/vnd.ms-dds")
    /// A drawing in XML.
    package static let svg = MediaType("image/svg+xml")
    /// A drawing in XML, packed by gzip.
    package static let svgz = MediaType("image/svg+xml-compressed")
    /// A document, whose first page counts as the picture; Illustrator's drawings contain one, too.
    package static let pdf = MediaType("application/pdf")
    /// JPEG XR, which Windows calls HD Photo.
    static let jpegXR = MediaType("image/jxr")
    /// GIMP's picture with its layers.
    static let gimp = MediaType("image/x-xcf")
    /// Encapsulated PostScript.
    static let postScript = MediaType("application/postscript")
    /// Kodak's scans of a film in several sizes.
    static let photoCD = MediaType("image/x-photo-cd")
    /// Paint Shop Pro's picture with its layers.
    static let paintShop = MediaType("image/x-paintshoppro")
    /// Astronomical pictures.
    static let fits = MediaType("image/fits")
    /// Layers in a ZIP archive, for several editors.
    static let openRaster = MediaType("image/openraster")
    /// Krita's picture with its layers.
    static let krita = MediaType("application/x-krita")
    /// Affinity Photo's picture with its layers.
    static let affinity = MediaType("application/x-affinity-photo")
    /// A Live Photo's picture and its movie in a ZIP archive.
    static let livePack = MediaType("application/x-livp")
}

/// Camera originals.
extension MediaType {
    /// Adobe's Digital Negative, which several makers write.
    package static let dng = MediaType("image/x-adobe-dng")
    /// Canon's TIFF-based original.
    package static let cr2 = MediaType("image/x-canon-cr2")
    /// Canon's ISO-based original, since 2018.
    package static let cr3 = MediaType("image/x-canon-cr3")
    /// Canon's original in CIFF, before 2004.
    package static let crw = MediaType("image/x-canon-crw")
    /// Nikon's original; NRW included.
    package static let nef = MediaType("image/x-nikon-nef")
    /// Sony's original; SR2 and SRF included.
    package static let arw = MediaType("image/x-sony-arw")
    /// Fujifilm's original.
    package static let raf = MediaType("image/x-fuji-raf")
    /// Panasonic's original; Leica's RWL included.
    package static let rw2 = MediaType("image/x-panasonic-rw2")
    /// Olympus's original.
    package static let orf = MediaType("image/x-olympus-orf")
    /// Pentax's and Ricoh's original.
    package static let pef = MediaType("image/x-pentax-pef")
    /// Samsung's original.
    package static let srw = MediaType("image/x-samsung-srw")
    /// Minolta's original.
    package static let mrw = MediaType("image/x-minolta-mrw")
    /// Sigma's original.
    package static let x3f = MediaType("image/x-sigma-x3f")
    /// An original of another maker, in a TIFF.
    package static let otherRaw = MediaType("image/x-dcraw")
    /// An original of another maker, in a form of its own.
    static let unmarkedRaw = MediaType("image/x-raw")
}

extension MediaType {
    /// MPEG-4, and every ISO movie without a more specific brand.
    package static let mp4 = MediaType("video/mp4")
    /// Apple's variant of MPEG-4.
    package static let m4v = MediaType("video/x-m4v")
    /// QuickTime, with or without a file type box.
    package static let quickTime = MediaType("video/quicktime")
    /// The 3GPP movie of early phones.
    package static let mobile3GPP = MediaType("video/3gpp")
    /// The 3GPP2 movie of early CDMA phones.
    package static let mobile3GPP2 = MediaType("video/3gpp2")
    /// Matroska that is not WebM.
    package static let matroska = MediaType("video/matroska")
    /// WebM, by the document type in its EBML header.
    package static let webm = MediaType("video/webm")
    /// Microsoft's AVI.
    package static let avi = MediaType("video/x-msvideo")
    /// MPEG transport stream; AVCHD and Blu-ray included.
    package static let mpegTS = MediaType("video/mp2t")
    /// MPEG program stream, or MPEG video without a container.
    package static let mpegPS = MediaType("video/mpeg")
    /// Windows Media, and any other ASF.
    package static let wmv = MediaType("video/x-ms-wmv")
    /// Flash video.
    package static let flv = MediaType("video/x-flv")
    /// Ogg with Theora video.
    package static let ogg = MediaType("video/ogg")
    /// MXF of professional cameras.
    package static let mxf = MediaType("application/mxf")
    /// DV as recorded on tape.
    package static let dv = MediaType("video/dv")
    /// RealMedia, of constant or of variable rate.
    package static let realMedia = MediaType("application/vnd.rn-realmedia")
    /// The original of RED's cameras.
    static let red = MediaType("video/x-red-r3d")
    /// The original of Canon's cameras with Magic Lantern.
    static let magicLantern = MediaType("video/x-mlv")
    /// MPEG-4 with sound only.
    package static let m4a = MediaType("audio/mp4")
}

extension MediaType {
    /// An XMP sidecar: RDF in XML (XMP part 3, 1.2, external storage of metadata).
    package static let xmp = MediaType("application/rdf+xml")
    /// The edits of Apple's Photos, a property list.
    static let aae = MediaType("application/x-plist")
    /// RawTherapee's and ART's edits.
    static let rawTherapee = MediaType("text/x-pp3")
    /// The edits of DxO PhotoLab.
    static let dxo = MediaType("text/x-dop")
    /// The edits of Canon's Digital Photo Professional.
    static let canonRecipe = MediaType("application/x-canon-vrd")
    /// The edits of ON1 Photo RAW.
    static let on1 = MediaType("application/x-on1")
    /// The edits of Capture One.
    static let captureOne = MediaType("application/x-captureone-cos")
}

extension MediaType {
    /// The format's common name, such as `JPEG`; the content type itself for one that is not in the table.
    package var name: String { format?.name ?? rawValue }

    /// Whether it is a camera's own format.
    package var isCameraOriginal: Bool { MediaFormat.cameraOriginals.contains { $0.type == self } }

    /// Whether it is a drawing in XML, packed or not.
    package var isDrawing: Bool { self == .svg || self == .svgz }

    /// Photo, video, audio or sidecar; by the part before the slash for a type that is not in the table.
    package var kind: MediaKind {
        if let format { return format.kind }
        if rawValue.hasPrefix("image/") { return .photo }
        return rawValue.hasPrefix("audio/") ? .audio : .video
    }

    /// The usual file name extension, without a dot; `nil` for a type that is not in the table.
    package var fileExtension: String? { format.flatMap { $0.extensions.first ?? $0.sharedExtensions.first } }

    /// Whether bytes can confirm it; if not, only a file's name tells it.
    var isMarked: Bool { format?.container != .unmarked }

    /// Whether both types share one container; such files are often renamed, so that is not worth a note.
    func isSibling(of other: MediaType) -> Bool {
        guard let format, let other = other.format else { return self == other }
        return format.container == other.container
    }

    private var format: MediaFormat? { MediaFormat.byType[self] }
}

extension MediaType: CustomStringConvertible {
    /// The content type itself.
    package var description: String { rawValue }
}
