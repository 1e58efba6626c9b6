import Testing

@testable import MediaModel

@Suite struct SignatureTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let header: [UInt8]
        let type: MediaType?

        init(_ fact: String, _ header: [UInt8], _ type: MediaType?) {
            testDescription = fact
            self.header = header
            self.type = type
        }

        init(_ fact: String, _ text: String, _ type: MediaType?) {
            self.init(fact, Array(text.utf8), type)
        }
    }

    /// Behind 512 bytes of the program that wrote it, a length and a rectangle.
    private static func pict(_ start: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: 522) + start }

    private static func recognized(_ header: [UInt8]) -> MediaType? {
        MediaIdentity(header: header, fileExtension: [])?.type
    }

    private static let bmp: [UInt8] = Array("BM".utf8) + [0x36, 0, 1, 0, 0, 0, 0, 0, 0x36, 0, 0, 0, 40, 0, 0, 0]
    private static let ebml: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 1, 0x42, 0x82]

    @Test(arguments: [
        Row("JPEG", [0xFF, 0xD8, 0xFF, 0xDB], .jpeg),
        Row("JPEG-LS", [0xFF, 0xD8, 0xFF, 0xF7, 0, 0x11], .jpegLS),
        Row("JPEG-LS behind SPIFF", [0xFF, 0xD8, 0xFF, 0xE8, 0, 4, 1, 2, 0xFF, 0xFE, 0, 2, 0xFF, 0xF7], .jpegLS),
        Row("JPEG behind a segment", [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0], .jpeg),
        Row("Radiance", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n", .radiance),
        Row("Radiance by others", "#?RGBE\nFORMAT=32-bit_rle_rgbe\n", .radiance),
        Row("a float map", "PF\n640 480\n-1.0\n", .pnm),
        Row("a float map by Photoshop", "PF\n640\n480\n-1.0000\n", .pnm),
        Row("a grey float map", "Pf\n64 4\n1.0\n", .pnm), Row("one of halves", "PH\n64 4\n-1.0\n", .pnm),
        Row("text that begins like a float map", "PF\nis 12\n", nil),
        Row("text with two numbers", "PF\n12 13\n", nil),
        Row("PICT", pict([0, 0x11, 2, 0xFF, 0x0C, 0]), .pict),
        Row("PICT of the first kind", pict([0x11, 1, 1, 0]), nil),
        Row("IFF", "FORM\0\0\0\u{40}ILBMBMHD", .iff),
        Row("sound in IFF", "FORM\0\0\0\u{40}AIFFCOMM", nil),
        Row("a script", "#?/bin/sh\n", nil),
        Row("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        Row("PNG after a text-mode transfer is none", [0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A], nil),
        Row("GIF 87a", "GIF87a", .gif),
        Row("GIF 89a", "GIF89a", .gif),
        Row("GIF of another year", "GIF90a", nil),
        Row("WebP", "RIFF\0\0\0\0WEBPVP8 ", .webp),
        Row("AVI", "RIFF\0\0\0\0AVI LIST", .avi),
        Row("a WAV is no asset", "RIFF\0\0\0\0WAVEfmt ", nil),
        Row("BMP with BITMAPINFOHEADER", bmp, .bmp),
        Row("BMP with a header of 66 bytes", bmp.prefix(14) + [66, 0, 0, 0], .bmp),
        Row("BMP with a header of 125 bytes", bmp.prefix(14) + [125, 0, 0, 0], nil),
        Row("text that begins with BM", "BM is short for bitmap, is it not?", nil),
        Row("JPEG XL container", [0, 0, 0, 0x0C] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A], .jxl),
        Row("JPEG 2000", [0, 0, 0, 0x0C] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A], .jp2),
        Row("JPEG 2000 codestream", [0xFF, 0x4F, 0xFF, 0x51, 0], .jp2),
        Row("Photoshop", "8BPS\0\u{1}\0\0", .psd),
        Row("OpenEXR", [0x76, 0x2F, 0x31, 0x01, 2], .exr),
        Row("SGI", [0x01, 0xDA, 1, 1, 0, 3], .sgi),
        Row("SGI of four dimensions", [0x01, 0xDA, 1, 1, 0, 4], nil),
        Row("DPX", "SDPX\0\0", .dpx),
        Row("Sun raster", [0x59, 0xA6, 0x6A, 0x95], .sunRaster),
        Row("X bitmap", "#define a_width 16\n#define a_height 16\n", .xbm),
        Row("C", "#define a 16\n", nil),
        Row("X pixmap", "/* XPM */\nstatic char", .xpm),
        Row("QOI", "qoif\0\0\0\u{1}", .qoi),
        Row("DDS", Array("DDS ".utf8) + [124, 0, 0, 0], .dds),
        Row("text that begins with DDS", "DDS is short for what?", nil),
        Row("PDF", "%PDF-1.7\n", .pdf),
        Row("PDF after a byte order mark", [0xEF, 0xBB, 0xBF] + Array("%PDF-1.4\n".utf8), .pdf),
        Row("text about PDF", "A file begins with %PDF-1.7", nil),
        Row("SVG", "<svg xmlns='http://www.w3.org/2000/svg'/>", .svg),
        Row("Matroska", ebml + [0x88] + Array("matroska".utf8), .matroska),
        Row("WebM", ebml + [0x84] + Array("webm".utf8), .webm),
        Row("WebM with a long size", ebml + [0x40, 4] + Array("webm".utf8), .webm),
        Row("MPEG program stream", [0, 0, 1, 0xBA, 0x44], .mpegPS),
        Row("MPEG video", [0, 0, 1, 0xB3, 0x14], .mpegPS),
        Row(
            "Windows Media",
            [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C], .wmv),
        Row("Flash video", [0x46, 0x4C, 0x56, 1, 5], .flv),
        Row(
            "MXF",
            [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02, 0x01, 0x01, 0x02, 0x04, 0x00], .mxf),
        Row("JPEG XR", [0x49, 0x49, 0xBC, 1, 0x20], .jpegXR),
        Row("GIMP", "gimp xcf v011\0", .gimp),
        Row("EPS", "%!PS-Adobe-3.0 EPSF-3.0\n", .postScript),
        Row("EPS with a preview", [0xC5, 0xD0, 0xD3, 0xC6, 0x20], .postScript),
        Row("a document in PostScript", "%!PS-Adobe-3.0\n%%Pages: 12\n", nil),
        Row("Photo CD", [UInt8](repeating: 0, count: 2048) + Array("PCD_IPI".utf8), .photoCD),
        Row("Paint Shop Pro", "Paint Shop Pro Image File\n\u{1A}", .paintShop),
        Row("FITS", "SIMPLE  =                    T", .fits),
        Row("DV of 625 lines", [0x1F, 7, 0, 0xBF, 0xF8], .dv),
        Row("DV of 525 lines", [0x1F, 7, 0, 0x3F, 0x78], .dv),
        Row("RealMedia", ".RMF\0\0\0\u{12}", .realMedia),
        Row("REDCODE", "\0\0\0\0RED2", .red),
        Row("Magic Lantern", "MLVI4\0\0\0v2.0", .magicLantern),
        Row("Fujifilm RAF", "FUJIFILMCCD-RAW 0201", .raf),
        Row("Panasonic RW2", [0x49, 0x49, 0x55, 0, 0x18, 0, 0, 0], .rw2),
        Row("Olympus ORF", "IIRO\u{8}\0\0\0", .orf),
        Row("Olympus ORF, other mark", "IIRS\u{8}\0\0\0", .orf),
        Row("Olympus ORF, big-endian", "MMOR\0\0\0\u{8}", .orf),
        Row("Canon CRW", "II\u{1A}\0\0\0HEAPCCDR", .crw),
        Row("Canon CR2", [0x49, 0x49, 42, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0], .cr2),
        Row("Sigma X3F", "FOVb", .x3f),
        Row("Minolta MRW", "\0MRM", .mrw),
    ])
    func aFormatIsKnownByItsFirstBytes(_ row: Row) {
        #expect(Self.recognized(row.header) == row.type)
    }

    @Test func oggIsAVideoOnlyWithTheora() {
        let page = Array("OggS".utf8) + [UInt8](repeating: 0, count: 24)
        #expect(Self.recognized(page + [0x80] + Array("theora".utf8)) == .ogg)
        #expect(Self.recognized(page + [1] + Array("vorbis".utf8)) == nil)
    }

    @Test(arguments: [
        Row("iPhone photo", Headers.ftyp("heic", "mif1", "heic"), .heic),
        Row("generic brand, coded as HEVC", Headers.ftyp("mif1", "mif1", "heic"), .heic),
        Row("generic brand, coded as AV1", Headers.ftyp("mif1", "miaf", "avif"), .avif),
        Row("generic brand alone", Headers.ftyp("mif1"), .heif),
        Row("burst", Headers.ftyp("msf1", "hevc"), .heicSequence),
        Row("AVIF", Headers.ftyp("avif"), .avif),
        Row("animated AVIF", Headers.ftyp("avis", "avif", "msf1"), .avif),
        Row("Canon CR3", Headers.ftyp("crx ", "crx ", "isom"), .cr3),
        Row("MP4", Headers.ftyp("isom", "iso2", "avc1", "mp41"), .mp4),
        Row("QuickTime", Headers.ftyp("qt  "), .quickTime),
        Row("3GPP of any release", Headers.ftyp("3gp9"), .mobile3GPP),
        Row("3GPP2", Headers.ftyp("3g2a"), .mobile3GPP2),
        Row("audio", Headers.ftyp("M4A "), .m4a),
        Row("unheard of, but compatible with QuickTime", Headers.ftyp("xxxx", "yyyy", "qt  "), .quickTime),
        Row("unheard of altogether", Headers.ftyp("xxxx"), .mp4),
        Row("cut off within the brand", Array(Headers.ftyp("isom").prefix(11)), nil),
        Row("a size field that lies", [0xFF, 0xFF, 0xFF, 0xFF] + Array("ftypheic".utf8), .heic),
        Row("old QuickTime, index first", [0, 0, 1, 8] + Array("moov\0\0\0lmvhd".utf8), .quickTime),
        Row("old QuickTime, 64-bit size", [0, 0, 0, 1] + Array("mdat".utf8), .quickTime),
        Row("text that happens to say moov", "The moov atom", nil),
    ])
    func anISOFileIsKnownByItsBrands(_ row: Row) {
        #expect(Self.recognized(row.header) == row.type)
    }

    @Test(arguments: [
        Row("plain", Headers.tiff(), .tiff),
        Row("plain, big-endian", Headers.tiff(bigEndian: true), .tiff),
        Row("DNG", Headers.tiff(tag: 0xC612), .dng),
        Row("DNG, big-endian", Headers.tiff(tag: 0xC612, bigEndian: true), .dng),
        Row("NEF", Headers.tiff(subfileType: 1, maker: "NIKON CORPORATION", bigEndian: true), .nef),
        Row("NEF told by its sub-directories", Headers.tiff(tag: 0x14A, maker: "NIKON"), .nef),
        Row("ARW", Headers.tiff(subfileType: 1, maker: "SONY"), .arw),
        Row("PEF", Headers.tiff(subfileType: 1, maker: "RICOH IMAGING"), .pef),
        Row("SRW", Headers.tiff(subfileType: 1, maker: "Samsung"), .srw),
        Row("exported from a camera's picture", Headers.tiff(maker: "NIKON CORPORATION"), .tiff),
        Row("a maker that makes no such files", Headers.tiff(subfileType: 1, maker: "Acme"), .tiff),
        Row("directory beyond the header", [0x49, 0x49, 42, 0, 0xFF, 0xFF, 0xFF, 0x7F], .tiff),
        Row("BigTIFF", [0x4D, 0x4D, 0, 43, 0, 8, 0, 0], .tiff),
        Row("BigTIFF with another offset size", [0x4D, 0x4D, 0, 43, 0, 4, 0, 0], nil),
        Row("cut off", [0x49, 0x49, 42], nil),
    ])
    func aTIFFMayBeACameraOriginal(_ row: Row) {
        #expect(Self.recognized(row.header) == row.type)
    }

    @Test(arguments: [
        Row("packets of 188 bytes", Headers.packets(188), .mpegTS),
        Row("packets of 192 bytes", Headers.packets(192), .mpegTS),
        Row("a short one", Headers.packets(188, count: 3), .mpegTS),
        Row("too short to be sure", Headers.packets(188, count: 2), nil),
        Row("out of step after three", Headers.packets(188, count: 3) + Headers.packets(192), nil),
        Row("a text of Gs", String(repeating: "G is 0x47. ", count: 200), nil),
    ])
    func aTransportStreamIsKnownByItsPackets(_ row: Row) {
        #expect(Self.recognized(row.header) == row.type)
    }

    /// No prefix of any signature traps, and none shorter than three bytes names a format.
    @Test func aShortHeaderIsHarmless() {
        let whole = Headers.tiff(tag: 0x14A, subfileType: 1, maker: "NIKON")
        for count in 0...whole.count { _ = Self.recognized(Array(whole.prefix(count))) }
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max { #expect(Self.recognized([first, second]) == nil) }
        }
    }

    @Test func everySignatureCitesItsSource() {
        #expect((Signature.all + Signature.weak).allSatisfy { $0.specification.count > 10 })
        #expect(Set(Signature.all.map(\.specification)).count == Signature.all.count)
    }
}
