/// One row of the table of formats: a content type's name and the extensions that stand for it.
struct MediaFormat: Sendable {
    let type: MediaType
    let kind: MediaKind
    let name: String
    let container: Container
    /// Lowercase, without dot; the usual one first.
    let extensions: [String]
    /// Extensions that other kinds of files also use, such as `hdr`; they count only if the bytes agree.
    var sharedExtensions: [String] = []
    /// Extensions that source text also uses, such as `ts` (TypeScript); they count unless the bytes are text.
    var extensionsOfText: [String] = []

    /// The container that the bytes show; several content types may share one.
    enum Container: Hashable {
        case jpeg, png, gif, riffWebP, bmp, tiff, jxl, isoImage, jp2, psd, tga, canonISO, canonCIFF, fuji, sigma,
            minolta, icon, exr, pnm, pcx, sgi, dpx, sunRaster, xbm, xpm, xwd, pict, iff, qoi, dds, svg, gzip, radiance,
            wbmp,
            pdf
        case jpegXR, gimp, postScript, photoCD, paintShop, fits
        case isoMovie, matroska, avi, mpegTS, mpegPS, asf, flv, ogg, mxf, dv, realMedia, red, magicLantern
        case xmp
        /// The format has no mark, or an unspecific one such as ZIP's, so that only the name tells it.
        case unmarked
    }

    /// How much the name of a file says about it.
    enum Claim: Hashable {
        /// Only media have such names.
        case certain
        /// It counts unless the bytes are text.
        case unlessText
        /// It counts only if the bytes agree.
        case ifBytesAgree

        /// Whether the name decides where the bytes match no signature.
        func suffices(for bytes: HeaderBytes) -> Bool {
            self == .certain || self == .unlessText && !bytes.isText
        }
    }
}

extension MediaFormat {
    static let all: [MediaFormat] = photos + otherPictures + cameraOriginals + movies + sidecars

    static let byType: [MediaType: MediaFormat] =
        Dictionary(all.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })

    /// The format that an extension stands for, and how much the extension alone says.
    static let byExtension: [String: (format: MediaFormat, claim: Claim)] =
        Dictionary(
            all.flatMap { row in
                row.extensions.map { ($0, (row, .certain)) } + row.extensionsOfText.map { ($0, (row, .unlessText)) }
                    + row.sharedExtensions.map { ($0, (row, .ifBytesAgree)) }
            },
            uniquingKeysWith: { first, _ in first })

    private static let photos = [
        MediaFormat(
            type: .jpeg, kind: .photo, name: "JPEG", container: .jpeg,
            // MPO holds several JPEGs; THM and INSP are JPEGs beside or from action cameras.
            extensions: ["jpg", "jpeg", "jpe", "jfif", "mpo", "thm", "insp"]),
        MediaFormat(type: .jpegLS, kind: .photo, name: "JPEG-LS", container: .jpeg, extensions: ["jls"]),
        MediaFormat(type: .png, kind: .photo, name: "PNG", container: .png, extensions: ["png", "apng"]),
        MediaFormat(type: .gif, kind: .photo, name: "GIF", container: .gif, extensions: ["gif"]),
        MediaFormat(type: .webp, kind: .photo, name: "WebP", container: .riffWebP, extensions: ["webp"]),
        MediaFormat(type: .bmp, kind: .photo, name: "BMP", container: .bmp, extensions: ["bmp", "dib"]),
        MediaFormat(type: .tiff, kind: .photo, name: "TIFF", container: .tiff, extensions: ["tif", "tiff"]),
        MediaFormat(type: .jxl, kind: .photo, name: "JPEG XL", container: .jxl, extensions: ["jxl"]),
        MediaFormat(
            type: .heic, kind: .photo, name: "HEIC", container: .isoImage, extensions: ["heic", "hif"]),
        MediaFormat(
            type: .heicSequence, kind: .photo, name: "HEIC sequence", container: .isoImage, extensions: ["heics"]),
        MediaFormat(type: .heif, kind: .photo, name: "HEIF", container: .isoImage, extensions: ["heif"]),
        MediaFormat(
            type: .heifSequence, kind: .photo, name: "HEIF sequence", container: .isoImage, extensions: ["heifs"]),
        MediaFormat(type: .avif, kind: .photo, name: "AVIF", container: .isoImage, extensions: ["avif", "avifs"]),
        MediaFormat(type: .jp2, kind: .photo, name: "JPEG 2000", container: .jp2, extensions: ["jp2", "j2k", "jpf"]),
        MediaFormat(type: .psd, kind: .photo, name: "Photoshop", container: .psd, extensions: ["psd", "psb"]),
        MediaFormat(
            type: .tga, kind: .photo, name: "Targa", container: .tga, extensions: ["tga"]),
        MediaFormat(type: .icon, kind: .photo, name: "icon", container: .icon, extensions: ["ico", "cur"]),
        MediaFormat(type: .exr, kind: .photo, name: "OpenEXR", container: .exr, extensions: ["exr"]),
        MediaFormat(
            type: .radiance, kind: .photo, name: "Radiance HDR", container: .radiance, extensions: [],
            sharedExtensions: ["hdr"]),
        MediaFormat(type: .wbmp, kind: .photo, name: "WBMP", container: .wbmp, extensions: ["wbmp"]),
        MediaFormat(
            type: .pnm, kind: .photo, name: "Netpbm", container: .pnm, extensions: ["pnm", "ppm", "pgm", "pbm", "pam"],
            sharedExtensions: ["pfm", "phm"]),
        MediaFormat(type: .pcx, kind: .photo, name: "PCX", container: .pcx, extensions: ["pcx"]),
        MediaFormat(
            type: .sgi, kind: .photo, name: "SGI", container: .sgi, extensions: ["sgi"],
            sharedExtensions: ["rgb", "rgba", "bw"]),
        MediaFormat(type: .dpx, kind: .photo, name: "DPX", container: .dpx, extensions: ["dpx"]),
        MediaFormat(
            type: .sunRaster, kind: .photo, name: "Sun raster", container: .sunRaster, extensions: ["ras"],
            sharedExtensions: ["sun"]),
        // Programs have them as source text, so the name alone says little.
        MediaFormat(
            type: .xbm, kind: .photo, name: "X bitmap", container: .xbm, extensions: [], sharedExtensions: ["xbm"]),
        MediaFormat(
            type: .xpm, kind: .photo, name: "X pixmap", container: .xpm, extensions: [], sharedExtensions: ["xpm"]),
        MediaFormat(type: .xwd, kind: .photo, name: "X window dump", container: .xwd, extensions: ["xwd"]),
        MediaFormat(
            type: .pict, kind: .photo, name: "PICT", container: .pict, extensions: ["pict"],
            sharedExtensions: ["pct", "pic"]),
        // Sound and Maya's pictures are called so, too.
        MediaFormat(
            type: .iff, kind: .photo, name: "IFF", container: .iff, extensions: ["lbm", "ilbm"],
            sharedExtensions: ["iff"]),
        MediaFormat(type: .qoi, kind: .photo, name: "QOI", container: .qoi, extensions: ["qoi"]),
        MediaFormat(type: .dds, kind: .photo, name: "DDS", container: .dds, extensions: ["dds"]),
        MediaFormat(
            type: .svg, kind: .photo, name: "SVG", container: .svg, extensions: [], sharedExtensions: ["svg"]),
        MediaFormat(type: .svgz, kind: .photo, name: "packed SVG", container: .gzip, extensions: ["svgz"]),
        // Scans lie among photos, so documents count; but a file that only has the name does not.
        MediaFormat(
            type: .pdf, kind: .photo, name: "PDF", container: .pdf, extensions: [], sharedExtensions: ["pdf", "ai"]),
    ]

    /// Pictures that are stored unchanged, because nothing here decodes them.
    private static let otherPictures = [
        MediaFormat(
            type: .jpegXR, kind: .photo, name: "JPEG XR", container: .jpegXR, extensions: ["jxr", "wdp", "hdp"]),
        MediaFormat(type: .gimp, kind: .photo, name: "GIMP picture", container: .gimp, extensions: ["xcf"]),
        MediaFormat(
            type: .postScript, kind: .photo, name: "EPS", container: .postScript, extensions: ["eps", "epsf"]),
        // Clouds of points have this extension, too.
        MediaFormat(
            type: .photoCD, kind: .photo, name: "Photo CD", container: .photoCD, extensions: [],
            sharedExtensions: ["pcd"]),
        MediaFormat(
            type: .paintShop, kind: .photo, name: "Paint Shop Pro", container: .paintShop, extensions: ["pspimage"],
            sharedExtensions: ["psp"]),
        // The tracks of sports watches have this extension, too.
        MediaFormat(
            type: .fits, kind: .photo, name: "FITS", container: .fits, extensions: ["fits", "fts"],
            sharedExtensions: ["fit"]),
        MediaFormat(type: .openRaster, kind: .photo, name: "OpenRaster", container: .unmarked, extensions: ["ora"]),
        MediaFormat(type: .krita, kind: .photo, name: "Krita", container: .unmarked, extensions: ["kra"]),
        MediaFormat(
            type: .affinity, kind: .photo, name: "Affinity Photo", container: .unmarked, extensions: ["afphoto"]),
        MediaFormat(type: .livePack, kind: .photo, name: "Live Photo", container: .unmarked, extensions: ["livp"]),
    ]

    static let cameraOriginals = [
        MediaFormat(type: .dng, kind: .photo, name: "DNG", container: .tiff, extensions: ["dng"]),
        MediaFormat(type: .cr2, kind: .photo, name: "Canon CR2", container: .tiff, extensions: ["cr2"]),
        MediaFormat(type: .cr3, kind: .photo, name: "Canon CR3", container: .canonISO, extensions: ["cr3"]),
        MediaFormat(type: .crw, kind: .photo, name: "Canon CRW", container: .canonCIFF, extensions: ["crw"]),
        MediaFormat(type: .nef, kind: .photo, name: "Nikon NEF", container: .tiff, extensions: ["nef", "nrw"]),
        MediaFormat(type: .arw, kind: .photo, name: "Sony ARW", container: .tiff, extensions: ["arw", "sr2", "srf"]),
        MediaFormat(type: .raf, kind: .photo, name: "Fujifilm RAF", container: .fuji, extensions: ["raf"]),
        MediaFormat(type: .rw2, kind: .photo, name: "Panasonic RW2", container: .tiff, extensions: ["rw2", "rwl"]),
        MediaFormat(type: .orf, kind: .photo, name: "Olympus ORF", container: .tiff, extensions: ["orf", "ori"]),
        MediaFormat(type: .pef, kind: .photo, name: "Pentax PEF", container: .tiff, extensions: ["pef"]),
        MediaFormat(type: .srw, kind: .photo, name: "Samsung SRW", container: .tiff, extensions: ["srw"]),
        MediaFormat(type: .mrw, kind: .photo, name: "Minolta MRW", container: .minolta, extensions: ["mrw"]),
        MediaFormat(type: .x3f, kind: .photo, name: "Sigma X3F", container: .sigma, extensions: ["x3f"]),
        // Hasselblad, Phase One, Leaf, Mamiya, Epson, Kodak and GoPro. Captured network traffic is called CAP, too.
        MediaFormat(
            type: .otherRaw, kind: .photo, name: "camera original", container: .tiff,
            extensions: ["3fr", "fff", "iiq", "mos", "mef", "mfw", "erf", "dcr", "dcs", "kdc", "k25", "gpr"],
            sharedExtensions: ["cap"]),
        // Arri, Casio, Capture One, QuickTake, Kodak and others.
        MediaFormat(
            type: .unmarkedRaw, kind: .photo, name: "camera original", container: .unmarked,
            extensions: ["bay", "eip", "qtk", "pxn", "rdc", "rwz", "cs1", "dc2", "kc2"], sharedExtensions: ["ari"]),
    ]

    private static let movies = [
        MediaFormat(
            type: .mp4, kind: .video, name: "MP4", container: .isoMovie,
            // LRV, INSV and 360 are MP4s from action cameras.
            extensions: ["mp4", "lrv", "insv"], sharedExtensions: ["360"]),
        MediaFormat(type: .m4v, kind: .video, name: "MP4", container: .isoMovie, extensions: ["m4v"]),
        MediaFormat(
            type: .quickTime, kind: .video, name: "QuickTime", container: .isoMovie,
            // BRAW is the original of Blackmagic's cameras.
            extensions: ["mov", "qt", "braw"]),
        MediaFormat(
            type: .mobile3GPP, kind: .video, name: "3GPP", container: .isoMovie, extensions: ["3gp", "3gpp"]),
        MediaFormat(
            type: .mobile3GPP2, kind: .video, name: "3GPP2", container: .isoMovie, extensions: ["3g2", "3gpp2"]),
        MediaFormat(type: .m4a, kind: .audio, name: "MPEG-4 audio", container: .isoMovie, extensions: ["m4a"]),
        MediaFormat(type: .matroska, kind: .video, name: "Matroska", container: .matroska, extensions: ["mkv"]),
        MediaFormat(type: .webm, kind: .video, name: "WebM", container: .matroska, extensions: ["webm"]),
        MediaFormat(type: .avi, kind: .video, name: "AVI", container: .avi, extensions: ["avi", "divx"]),
        MediaFormat(
            type: .mpegTS, kind: .video, name: "MPEG-TS", container: .mpegTS, extensions: ["m2ts", "m2t", "tod"],
            extensionsOfText: ["ts", "mts"]),
        MediaFormat(
            type: .mpegPS, kind: .video, name: "MPEG", container: .mpegPS,
            extensions: ["mpg", "mpeg", "mpe", "m2v", "m1v", "vob", "vro"], sharedExtensions: ["mod"]),
        MediaFormat(
            type: .wmv, kind: .video, name: "Windows Media", container: .asf, extensions: ["wmv", "asf"]),
        MediaFormat(type: .flv, kind: .video, name: "Flash video", container: .flv, extensions: ["flv", "f4v"]),
        MediaFormat(type: .ogg, kind: .video, name: "Ogg video", container: .ogg, extensions: ["ogv"]),
        MediaFormat(type: .mxf, kind: .video, name: "MXF", container: .mxf, extensions: ["mxf"]),
        MediaFormat(
            type: .dv, kind: .video, name: "DV", container: .dv, extensions: ["dv"], sharedExtensions: ["dif"]),
        MediaFormat(
            type: .realMedia, kind: .video, name: "RealMedia", container: .realMedia, extensions: ["rm", "rmvb"]),
        MediaFormat(type: .red, kind: .video, name: "REDCODE", container: .red, extensions: ["r3d"]),
        MediaFormat(
            type: .magicLantern, kind: .video, name: "Magic Lantern video", container: .magicLantern,
            extensions: ["mlv"]),
    ]

    private static let sidecars = [
        MediaFormat(type: .xmp, kind: .sidecar, name: "XMP sidecar", container: .xmp, extensions: ["xmp"]),
        MediaFormat(type: .aae, kind: .sidecar, name: "Apple's edits", container: .unmarked, extensions: ["aae"]),
        MediaFormat(
            type: .rawTherapee, kind: .sidecar, name: "RawTherapee's edits", container: .unmarked,
            extensions: ["pp3", "arp"]),
        MediaFormat(type: .dxo, kind: .sidecar, name: "DxO's edits", container: .unmarked, extensions: ["dop"]),
        MediaFormat(
            type: .canonRecipe, kind: .sidecar, name: "Canon's edits", container: .unmarked,
            extensions: ["vrd", "dr4"]),
        MediaFormat(
            type: .on1, kind: .sidecar, name: "ON1's edits", container: .unmarked, extensions: [],
            sharedExtensions: ["on1"]),
        MediaFormat(
            type: .captureOne, kind: .sidecar, name: "Capture One's edits", container: .unmarked, extensions: [],
            sharedExtensions: ["cos"]),
    ]
}
