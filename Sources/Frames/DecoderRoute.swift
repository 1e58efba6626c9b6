package import MediaModel

/// How the pictures of a content type are read, if they can be.
package enum DecoderRoute: Equatable {
    /// The whole file is one coded picture for this decoder.
    case picture(decoder: String, codec: String)
    /// A container, read by the first of these demuxers that accepts it.
    case container(demuxers: [String])
    /// A HEIF or AVIF collection.
    case collection
    /// A camera original.
    case raw
    /// A document, whose first page is shown.
    case document
    /// A sidecar, which is about another file.
    case sidecar
    /// A format that is recognised by its bytes, but that nothing here decodes.
    case notDecoded

    /// The route for files whose bytes begin as `type`.
    package init(_ type: MediaType) {
        self = Self.table[type] ?? .notDecoded
    }

    private static let table: [MediaType: DecoderRoute] = [
        .jpeg: .picture(decoder: "mjpeg", codec: "jpeg"),
        .jpegLS: .picture(decoder: "jpegls", codec: "jpegls"),
        .png: .picture(decoder: "png", codec: "png"),
        .webp: .picture(decoder: "webp", codec: "webp"),
        .bmp: .picture(decoder: "bmp", codec: "bmp"),
        .tiff: .picture(decoder: "tiff", codec: "tiff"),
        .jxl: .picture(decoder: "libjxl", codec: "jpegxl"),
        .jp2: .picture(decoder: "jpeg2000", codec: "jpeg2000"),
        .psd: .picture(decoder: "psd", codec: "psd"),
        .tga: .picture(decoder: "targa", codec: "targa"),
        .icon: .picture(decoder: "bmp", codec: "ico"),
        .exr: .picture(decoder: "exr", codec: "exr"),
        // One decoder reads all of Netpbm's formats, whatever its name.
        .pnm: .picture(decoder: "ppm", codec: "pnm"),
        .radiance: .picture(decoder: "hdr", codec: "rgbe"),
        .wbmp: .picture(decoder: "wbmp", codec: "wbmp"),
        .pcx: .picture(decoder: "pcx", codec: "pcx"),
        .sgi: .picture(decoder: "sgi", codec: "sgi"),
        .dpx: .picture(decoder: "dpx", codec: "dpx"),
        .sunRaster: .picture(decoder: "sunrast", codec: "sunrast"),
        .xbm: .picture(decoder: "xbm", codec: "xbm"),
        .xpm: .picture(decoder: "xpm", codec: "xpm"),
        .xwd: .picture(decoder: "xwd", codec: "xwd"),
        .pict: .picture(decoder: "qdraw", codec: "qdraw"),
        .qoi: .picture(decoder: "qoi", codec: "qoi"),
        .dds: .picture(decoder: "dds", codec: "dds"),
        .svg: .picture(decoder: "librsvg", codec: "svg"),
        .svgz: .picture(decoder: "librsvg", codec: "svg"),
        .gif: .container(demuxers: ["gif"]),
        .iff: .container(demuxers: ["iff"]),
        .heic: .collection, .heicSequence: .collection, .heif: .collection, .heifSequence: .collection,
        .avif: .collection,
        .dng: .raw, .cr2: .raw, .cr3: .raw, .crw: .raw, .nef: .raw, .arw: .raw, .raf: .raw, .rw2: .raw, .orf: .raw,
        .pef: .raw, .srw: .raw, .mrw: .raw, .x3f: .raw, .otherRaw: .raw, .pdf: .document, .xmp: .sidecar,
        .mp4: movie, .m4v: movie, .quickTime: movie, .mobile3GPP: movie, .mobile3GPP2: movie, .m4a: movie,
        .matroska: .container(demuxers: ["matroska"]),
        .webm: .container(demuxers: ["matroska"]),
        .avi: .container(demuxers: ["avi"]),
        .mpegTS: .container(demuxers: ["mpegts"]),
        .mpegPS: .container(demuxers: ["mpeg", "mpegvideo"]),
        .wmv: .container(demuxers: ["asf"]),
        .flv: .container(demuxers: ["flv"]),
        .ogg: .container(demuxers: ["ogg"]),
        .mxf: .container(demuxers: ["mxf"]),
        .dv: .container(demuxers: ["dv"]),
        .realMedia: .container(demuxers: ["rm"]),
    ]

    private static let movie = DecoderRoute.container(demuxers: ["mov"])

    /// The decoders allowed for containers: those for formats of cameras, phones and editors, not all of FFmpeg's.
    static let pictureDecoders: Set<String> = [
        "h264", "hevc", "libdav1d", "vp8", "vp9", "libvpx", "libvpx-vp9", "mpeg4", "mpeg2video", "mpeg1video", "mjpeg",
        "h263", "msmpeg4", "msmpeg4v2", "msmpeg4v1", "wmv1", "wmv2", "wmv3", "vc1", "theora", "flv", "vp6", "vp6f",
        "dvvideo", "prores", "dnxhd", "svq1", "svq3", "cinepak", "huffyuv", "ffvhuff", "ffv1", "rawvideo", "qtrle",
        "png", "apng", "gif", "iff", "webp", "bmp", "tiff", "libjxl", "jpeg2000", "cfhd", "v210", "utvideo", "rpza",
        "rv10", "rv20", "rv30", "rv40",
    ]
}
