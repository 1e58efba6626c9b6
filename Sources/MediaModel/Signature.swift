/// One way to recognize a format by its first bytes, and the specification that defines it.
struct Signature: Sendable {
    /// Title and clause.
    let specification: String
    /// The type, or `nil` when the bytes are something else.
    let recognize: @Sendable (HeaderBytes) -> MediaType?

    init(_ specification: String, _ recognize: @escaping @Sendable (HeaderBytes) -> MediaType?) {
        self.specification = specification
        self.recognize = recognize
    }

    /// Any of the alternatives in `magic` at the very start identifies `type`.
    init(_ specification: String, _ type: MediaType, _ magic: [UInt8]...) {
        self.init(specification) { header in magic.contains { header.has($0) } ? type : nil }
    }
}

extension Signature {
    /// The first that recognizes the bytes wins; the more specific ones come first.
    static let all: [Signature] = photos + containers

    /// Signatures so short that they count only with an extension that agrees.
    static let weak: [Signature] = [
        Signature("ITU-T T.81 (JPEG), B.1.1.3: SOI; decoders pass over damage behind it", .jpeg, [0xFF, 0xD8]),
        Signature("ISO/IEC 18181-1 (JPEG XL), D.1: codestream without a container", .jxl, [0xFF, 0x0A]),
        Signature("XMP part 3, 1.2 and part 1, 7.3.2: a packet, its wrapper or plain RDF, as XML") { bytes in
            let header = bytes.inUTF8
            let marks = ["<x:xmpmeta", "<?xpacket", "<rdf:RDF"].map { Array($0.utf8) }
            return marks.contains { header.contains($0, within: 1024) } ? .xmp : nil
        },
        Signature("Truevision TGA 2.0, image type, colour map and depth", targa(_:)),
        Signature("Microsoft, \"Icons\" (GRPICONDIR as a file): type 1 or 2, at least one entry") { header in
            let isIcon = header.has([0, 0, 1, 0]) || header.has([0, 0, 2, 0])
            return isIcon && header.number(at: 4, width: 2, littleEndian: true) ?? 0 > 0 && header[9] == 0 ? .icon : nil
        },
        Signature("Netpbm, ppm(5) and its kin: P, a digit, white space or a comment") { header in
            guard header.has("P"), let digit = header[1], let space = header[2] else { return nil }
            return (0x31...0x37).contains(digit) && [9, 10, 13, 32, 35].contains(space) ? .pnm : nil
        },
        Signature("RFC 1952 (gzip), 2.3: a file packed by the only method there is", .svgz, [0x1F, 0x8B, 8]),
        Signature("Microsoft Win32, BITMAPINFOHEADER without the header of a file, as clipboards have it") { header in
            guard let size = header[0], [40, 52, 56, 108, 124].contains(size), header.has([0, 0, 0], at: 1),
                header.number(at: 4, width: 4, littleEndian: true) ?? 0 > 0, header.has([1, 0], at: 12),
                let bits = header[14], header[15] == 0
            else { return nil }
            return [1, 4, 8, 16, 24, 32].contains(bits) ? .bmp : nil
        },
        Signature("ARRIRAW (dcraw, identify): mark", .unmarkedRaw, Array("ARRI".utf8)),
        Signature("Capture One's settings (ExifTool, CaptureOne.pm): XML") { $0.isText("<") ? .captureOne : nil },
        Signature("ON1 Photo RAW's sidecars: an object in JSON") { $0.isText("{") ? .on1 : nil },
        Signature("WAP-237 (WBMP), 6: type 0 without extensions, then two numbers of seven bits a byte") { header in
            header.has([0, 0]) && header[2] ?? 0 > 0 ? .wbmp : nil
        },
        Signature("Inside Macintosh, Imaging with QuickDraw, A: version 1, behind 512 bytes") { header in
            header.has([0x11, 1], at: 522) ? .pict : nil
        },
        Signature("X11, XWDFile.h: the header's version, then one of three formats") { header in
            header.has([0, 0, 0, 7, 0, 0, 0], at: 4) && header[11] ?? 3 < 3 ? .xwd : nil
        },
        Signature("ZSoft PCX, technical reference: header") { header in
            guard header.has([0x0A]), let version = header[1], let coding = header[2], let bits = header[3] else {
                return nil
            }
            return version <= 5 && coding <= 1 && [1, 2, 4, 8].contains(bits) ? .pcx : nil
        },
    ]

    private static let photos = [
        Signature("ITU-T T.87 (JPEG-LS), C.1.1 and C.2.2: its frame, perhaps behind other segments", jpegLS(_:)),
        Signature("ITU-T T.81 (JPEG), B.1.1.3: SOI, then a marker", .jpeg, [0xFF, 0xD8, 0xFF]),
        Signature(
            "W3C PNG, 5.2: PNG signature", .png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature("CompuServe GIF 89a, 17: header", .gif, Array("GIF89a".utf8), Array("GIF87a".utf8)),
        Signature("RFC 9649 (WebP), 2.4: WebP file header") { header in
            header.has("RIFF") && header.has("WEBP", at: 8) ? .webp : nil
        },
        Signature("Microsoft Win32, BITMAPFILEHEADER and the size of the DIB header after it") { header in
            guard header.has("BM"), let size = header.number(at: 14, width: 4, littleEndian: true) else { return nil }
            // OS/2's may end after any of its fields, and some programs fill theirs up to a length of their own.
            return size == 12 || (16...124).contains(size) ? .bmp : nil
        },
        Signature("IBM OS/2 Toolkit, pmbitmap.h: bitmaps, icons and pointers, perhaps in an array", os2(_:)),
        Signature(
            "ISO/IEC 18181-2 (JPEG XL), 9: JXL signature box", .jxl,
            [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
        Signature(
            "ISO/IEC 15444-1 (JPEG 2000), I.5.1: signature box; A.4.1: SOC, then SIZ", .jp2,
            [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], [0xFF, 0x4F, 0xFF, 0x51]),
        Signature(
            "Adobe Photoshop File Formats, file header; version 2 is PSB", .psd, Array("8BPS".utf8) + [0, 1],
            Array("8BPS".utf8) + [0, 2]),
        Signature("OpenEXR file layout, magic number", .exr, [0x76, 0x2F, 0x31, 0x01]),
        Signature("Netpbm, pfm(5), and of halves: a mark, two sizes in a line or in two, and a scale") { header in
            guard ["PF\n", "Pf\n", "PH\n", "Ph\n"].contains(where: { header.has($0) }) else { return nil }
            let words = header.text(at: 3, count: 48).split { $0 == " " || $0 == "\n" }
            guard words.count > 2, words[..<2].allSatisfy({ Int($0) ?? 0 > 0 }) else { return nil }
            return Double(words[2]) == nil ? nil : .pnm
        },
        Signature("Radiance file formats, picture", .radiance, Array("#?RADIANCE".utf8), Array("#?RGBE".utf8)),
        Signature("SGI image file format 1.00: magic, storage, bytes a sample, dimensions") { header in
            guard header.has([0x01, 0xDA]), let storage = header[2], let bytes = header[3], let high = header[4],
                let dimensions = header[5]
            else { return nil }
            return storage <= 1 && [1, 2].contains(bytes) && high == 0 && (1...3).contains(dimensions) ? .sgi : nil
        },
        Signature(
            "SMPTE ST 268 (DPX), 5.1: magic number and version", .dpx, Array("SDPX".utf8), Array("XPDS".utf8)),
        Signature("Sun rasterfile(5): magic number", .sunRaster, [0x59, 0xA6, 0x6A, 0x95]),
        Signature("X11 bitmap(1): the width as a definition in C") { header in
            header.has("#define ") && header.contains(Array("_width ".utf8), within: 256) ? .xbm : nil
        },
        Signature("XPM 3, 2: the comment at the start", .xpm, Array("/* XPM */".utf8)),
        Signature("Inside Macintosh, Imaging with QuickDraw, A: version 2, perhaps behind 512 bytes") { header in
            [10, 522].contains { header.has([0, 0x11, 2, 0xFF, 0x0C, 0], at: $0) } ? .pict : nil
        },
        Signature("The Quite OK Image Format 1.0: header", .qoi, Array("qoif".utf8)),
        Signature("Microsoft DirectX, DDS_HEADER: magic value and size", .dds, Array("DDS ".utf8) + [124, 0, 0, 0]),
        Signature("W3C SVG 1.1, 5.1: the root element, perhaps after a prolog", drawing(_:)),
        Signature("ISO 32000-2 (PDF), 7.5.2: file header, perhaps after a byte order mark") { header in
            header.has("%PDF-") || header.has("%PDF-", at: 3) && header.has([0xEF, 0xBB, 0xBF]) ? .pdf : nil
        },
        Signature("ITU-T T.832 (JPEG XR), A.5: file header", .jpegXR, [0x49, 0x49, 0xBC, 1]),
        Signature("GIMP, devel-docs/xcf.txt: magic string", .gimp, Array("gimp xcf ".utf8)),
        Signature("Adobe EPSF 3.0, 3 (header comments) and 5.2 (binary header)") { header in
            let isText = header.has("%!PS-Adobe-") && header.contains(Array(" EPSF-".utf8), within: 32)
            return isText || header.has([0xC5, 0xD0, 0xD3, 0xC6]) ? .postScript : nil
        },
        Signature("Kodak Photo CD (FFmpeg, photocd.c): mark of an image pack") { header in
            header.has("PCD_IPI", at: 2048) ? .photoCD : nil
        },
        Signature("Corel PSP file format 8: signature", .paintShop, Array("Paint Shop Pro Image File\n".utf8)),
        Signature("FITS 4.0, 4.4.1: the first keyword", .fits, Array("SIMPLE  =".utf8)),
        Signature("Fujifilm RAF (ExifTool, RAF tags)", .raf, Array("FUJIFILMCCD-RAW ".utf8)),
        Signature("Canon CIFF 1.0 r4, 2: heap file header") { header in
            header.has("HEAPCCDR", at: 6) ? .crw : nil
        },
        Signature("Sigma X3F (ExifTool, SigmaRaw tags)", .x3f, Array("FOVb".utf8)),
        Signature("Minolta MRW (ExifTool, MinoltaRaw tags)", .mrw, [0] + Array("MRM".utf8)),
        Signature("Phase One's originals without a TIFF (dcraw, parse_phase_one): mark, in either order") { header in
            let isRaw = header.has("IIII") && header.has("waR", at: 5) || header.has("MMMMRaw")
            return isRaw ? .otherRaw : nil
        },
        Signature("TIFF 6.0, 2 (image file header); TIFF/EP and DNG 1.7 for camera originals") {
            TIFFHeader($0)?.type
        },
    ]

    private static let containers = [
        Signature("ISO/IEC 14496-12, 4.3: file type box; QuickTime File Format, atoms", ISOBrands.type(of:)),
        Signature("RFC 8794 (EBML), 11.2; RFC 9559 (Matroska), 4: DocType", matroska(_:)),
        Signature("Microsoft AVI RIFF file reference: RIFF('AVI ')") { header in
            header.has("RIFF") && header.has("AVI ", at: 8) ? .avi : nil
        },
        Signature("ISO/IEC 13818-1, 2.5.3.3 (pack header) and 13818-2, 6.2.2.1 (sequence header)") { header in
            header.has([0, 0, 1, 0xBA]) || header.has([0, 0, 1, 0xB3]) ? .mpegPS : nil
        },
        Signature("EA IFF 85: a FORM of one of the kinds that hold a picture") { header in
            let kinds = ["ILBM", "PBM ", "ACBM", "RGB8", "DEEP"]
            return header.has("FORM") && kinds.contains { header.has($0, at: 8) } ? .iff : nil
        },
        Signature(
            "Microsoft ASF 01.20.05, 3.1: header object", .wmv,
            [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C]),
        Signature("Adobe FLV 10.1, E.2: FLV header", .flv, Array("FLV".utf8) + [1]),
        Signature("RFC 3533 (Ogg), 6, with a Theora identification header (Theora I, 6.2)") { header in
            header.has("OggS") && header.contains([0x80] + Array("theora".utf8), within: 512) ? .ogg : nil
        },
        Signature(
            "SMPTE ST 377-1 (MXF), 7.1: header partition pack", .mxf,
            [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02, 0x01, 0x01, 0x02]),
        Signature("IEC 61834-2 (DV): header section, for 525 lines or 625") { header in
            header.has([0x1F, 7, 0]) && [0x3F, 0xBF].contains(header[3]) ? .dv : nil
        },
        Signature("RealMedia file format (Helix): file header", .realMedia, Array(".RMF".utf8)),
        Signature("REDCODE (ExifTool, Red tags): first header") { header in
            header.has("RED1", at: 4) || header.has("RED2", at: 4) ? .red : nil
        },
        Signature("Magic Lantern, raw_video.h: file header", .magicLantern, Array("MLVI".utf8)),
        Signature("ISO/IEC 13818-1, 2.4.3.2: sync byte every 188 bytes; 192 on Blu-ray and AVCHD", transport(_:)),
    ]

    /// The segment may come after segments of programs, those of SPIFF among them, and after comments.
    private static func jpegLS(_ header: HeaderBytes) -> MediaType? {
        guard header.has([0xFF, 0xD8]) else { return nil }
        var place = 2
        while header[place] == 0xFF, let marker = header[place + 1], (0xE0...0xEF).contains(marker) || marker == 0xFE,
            let length = header.number(at: place + 2, width: 2, littleEndian: false)
        { place += 2 + length }
        return header.has([0xFF, 0xF7], at: place) ? .jpegLS : nil
    }

    /// A mark, and after the file header a picture header with its own size.
    private static func os2(_ header: HeaderBytes) -> MediaType? {
        let start = header.has("BA") ? 14 : 0
        guard let size = header.number(at: start + 14, width: 4, littleEndian: true), [12, 16, 40, 64].contains(size)
        else { return nil }
        if start > 0, header.has("BM", at: start) { return .bmp }
        return ["CI", "CP", "IC", "PT"].contains { header.has($0, at: start) } ? .icon : nil
    }

    /// Checks that the header is plausible, because the format has no mark at its start.
    private static func targa(_ header: HeaderBytes) -> MediaType? {
        guard header.count >= 18, let map = header[1], let kind = header[2], let depth = header[16],
            let width = header.number(at: 12, width: 2, littleEndian: true),
            let height = header.number(at: 14, width: 2, littleEndian: true)
        else { return nil }
        let isKnown = map <= 1 && [1, 2, 3, 9, 10, 11].contains(kind) && [8, 15, 16, 24, 32].contains(depth)
        return isKnown && width > 0 && height > 0 ? .tga : nil
    }

    /// XML whose first element is `svg`, perhaps with a namespace prefix.
    private static func drawing(_ header: HeaderBytes) -> MediaType? {
        let isProlog = ["<?xml", "<!DOCTYPE svg", "<!--"].contains { header.has($0) || header.has($0, at: 3) }
        let start = (0..<64).first { ![9, 10, 13, 32].contains(header[$0]) } ?? 0
        let marks = ["<svg", ":svg xmlns:"].map { Array($0.utf8) }
        let hasRoot = header.has("<svg", at: start) || isProlog && marks.contains { header.contains($0, within: 4096) }
        return hasRoot ? .svg : nil
    }

    /// EBML header with the document type as text somewhere in it.
    private static func matroska(_ header: HeaderBytes) -> MediaType? {
        guard header.has([0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
        return header.contains(Array("webm".utf8), within: 64) ? .webm : .matroska
    }

    /// Five packets in a row begin with 0x47; a shorter file needs as many as it has, but at least three.
    private static func transport(_ header: HeaderBytes) -> MediaType? {
        for (start, stride) in [(0, 188), (4, 192)] {
            let syncs = (0..<5).map { header[start + $0 * stride] }.prefix { $0 != nil }
            if syncs.count >= 3, syncs.allSatisfy({ $0 == 0x47 }) { return .mpegTS }
        }
        return nil
    }
}
