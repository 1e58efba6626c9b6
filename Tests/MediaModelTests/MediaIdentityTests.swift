import Testing

@testable import MediaModel

@Suite struct MediaIdentityTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let header: [UInt8]
        let fileExtension: String
        let type: MediaType?
        let note: String?
        let isCertain: Bool

        init(
            _ fact: String, _ header: [UInt8], _ fileExtension: String, _ type: MediaType?, note: String? = nil,
            isCertain: Bool = true
        ) {
            testDescription = fact
            self.header = header
            self.fileExtension = fileExtension
            self.type = type
            self.note = note
            self.isCertain = isCertain
        }
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    private static let plainTIFF: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    private static let targa: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 3, 0, 24, 0]
    private static let icon: [UInt8] = [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 24, 0, 0x68, 3, 0, 0, 22, 0, 0, 0]
    private static let bareBitmap: [UInt8] = [40, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 24, 0]
    private static let zeros = [UInt8](repeating: 0, count: 512)
    private static let text = Array("Dear diary, this is no picture at all".utf8)

    @Test(arguments: [
        Row("name and bytes agree", jpeg, ".jpg", .jpeg),
        Row("case does not matter", jpeg, ".JPG", .jpeg),
        Row("the dot does not matter", jpeg, "jpeg", .jpeg),
        Row("bytes suffice without a name", jpeg, "", .jpeg),
        Row("an extension that only others use claims nothing", jpeg, ".bin", .jpeg),
        Row("the bytes win", jpeg, ".png", .jpeg, note: "Named like PNG, but it is JPEG"),
        Row("a video in disguise", Headers.ftyp("isom"), ".jpg", .mp4, note: "Named like JPEG, but it is MP4"),
        Row(
            "text is media by its name", text, ".jpg", .jpeg, note: "Named like JPEG, but its bytes are not",
            isCertain: false),
        Row("so is nothing at all", [], ".heic", .heic, note: "The file is empty", isCertain: false),
        Row("text with a text's name is not", text, ".txt", nil),
        Row("an empty file without a name is not", [], "", nil),
        Row("TypeScript is no MPEG-TS", text, ".ts", nil),
        Row("nor is its module", text, ".mts", nil),
        Row("but MPEG-TS is", Headers.packets(188), ".ts", .mpegTS),
        Row(
            "and what is no text, such as a camcorder's file whose first blocks were lost", zeros, ".MTS", .mpegTS,
            note: "Named like MPEG-TS, but its bytes are not", isCertain: false),
        Row("an empty one may be text", [], ".ts", nil),
        Row("a TIFF may be a NEF", plainTIFF, ".nef", .nef),
        Row("and a PEF", plainTIFF, ".PEF", .pef),
        Row("but not an RW2, which has its own mark", plainTIFF, ".rw2", .tiff),
        Row("a DNG is one whatever its name", Headers.tiff(tag: 0xC612), ".tif", .dng),
        Row("and a Hasselblad's original", plainTIFF, ".3FR", .otherRaw),
        Row("an original of a form that is not known here", text, ".bay", .unmarkedRaw, isCertain: false),
        Row("a frame of Arri's", Array("ARRI\u{12}".utf8), ".ari", .unmarkedRaw),
        Row("text named like one", text, ".ari", nil),
        Row("and text that begins like one", Array("ARRIVALS".utf8), ".txt", nil),
        Row("a Phase One's original", plainTIFF, ".CAP", .otherRaw),
        Row("without a TIFF", Array("IIII\u{0C}waR".utf8), ".cap", .otherRaw),
        Row("in the other order", Array("MMMMRaw\u{0C}".utf8), ".cap", .otherRaw),
        Row("what was captured from a network", [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0], ".cap", nil),
        Row("an editor's archive", Array("PK\u{3}\u{4}".utf8), ".kra", .krita, isCertain: false),
        Row("what only looks like its name", jpeg, ".kra", .jpeg, note: "Named like Krita, but it is JPEG"),
        Row("nothing at all named like one", [], ".kra", .krita, note: "The file is empty", isCertain: false),
        Row("a clip of Blackmagic's", [0, 0, 0, 8] + Array("wide".utf8) + zeros, ".braw", .quickTime),
        Row("an M4V has the brand of an MP4", Headers.ftyp("mp42"), ".m4v", .m4v),
        Row("siblings do not disagree", Headers.ftyp("qt  "), ".mp4", .quickTime),
        Row("nor do HEIC and HEIF", Headers.ftyp("heic"), ".heif", .heic),
        Row("two bytes and the name make a JPEG XL", [0xFF, 0x0A, 0x7F], ".jxl", .jxl),
        Row("two bytes alone do not", [0xFF, 0x0A, 0x7F], ".dat", nil),
        Row("a plausible Targa with its name", targa, ".tga", .tga),
        Row("and without it", targa, ".dat", nil),
        Row(
            "text named like a Targa", text, ".tga", .tga, note: "Named like Targa, but its bytes are not",
            isCertain: false),
        Row("an icon with its name, though it may pass for a Targa", icon, ".ico", .icon),
        Row("and a pointer", icon, ".cur", .icon),
        Row("but not without it", icon, ".dat", nil),
        Row("a Netpbm picture with its name", Array("P6\n4 4 255\n".utf8), ".ppm", .pnm),
        Row("and text that begins like one", Array("P6 is a parking deck".utf8), ".txt", nil),
        Row("a PCX with its name", [0x0A, 5, 1, 8, 0], ".pcx", .pcx),
        Row("a PICT of the first kind with its name", [UInt8](repeating: 0, count: 522) + [0x11, 1], ".pct", .pict),
        Row("a window of X with its name", [0, 0, 0, 0x6B, 0, 0, 0, 7, 0, 0, 0, 2], ".xwd", .xwd),
        Row("a JPEG with a damaged marker", [0xFF, 0xD8, 0xFE, 0xE0], ".jpg", .jpeg),
        Row("which only its name tells", [0xFF, 0xD8, 0xFE, 0xE0], ".dat", nil),
        Row("a bitmap without a file's header", bareBitmap, ".dib", .bmp),
        Row("which only its name tells, too", bareBitmap, ".dat", nil),
        Row("a packed drawing", [0x1F, 0x8B, 8, 0], ".svgz", .svgz),
        Row("another packed file", [0x1F, 0x8B, 8, 0], ".gz", nil),
        Row(
            "SVG with a prefix", Array("<?xml version='1.0'?>\n<ns0:svg xmlns:ns0='http://www.w3.org/2000/svg'/>".utf8),
            ".svg", .svg),
        Row("SVG after white space", Array("\n\t <svg/>".utf8), ".svg", .svg),
        Row("SVG by its bytes", Array("<?xml version='1.0'?>\n<svg/>".utf8), ".txt", .svg),
        Row("a page is no drawing", Array("<html><svg/></html>".utf8), ".svg", nil),
        Row("an editor's notes", Array("<?xpacket begin='' id='W5M0'?><x:xmpmeta>".utf8), ".XMP", .xmp),
        Row("notes without a wrapper", Array("<?xml version='1.0'?>\n<rdf:RDF/>".utf8), "xmp", .xmp),
        Row("Apple's edits", Array("<?xml version='1.0'?>\n<plist/>".utf8), ".AAE", .aae, isCertain: false),
        Row("RawTherapee's", Array("[Version]\nAppVersion=5.9\n".utf8), ".pp3", .rawTherapee, isCertain: false),
        Row("Capture One's", Array("\u{FEFF}<?xml version='1.0'?>\n<SL Engine='1300'>".utf8), ".cos", .captureOne),
        Row("other settings named so", text, ".cos", nil),
        Row("ON1's", Array("\n{\"photos\": {}}".utf8), ".on1", .on1),
        Row("what is not written like them", [0x7B, 0, 1, 2], ".on1", nil),
        Row("notes are nothing without their name", Array("<x:xmpmeta/>".utf8), ".xml", nil),
        Row(
            "text named like notes", text, ".xmp", .xmp, note: "Named like XMP sidecar, but its bytes are not",
            isCertain: false),
        Row("an extension that is not UTF-8 claims nothing", jpeg, "\u{FFFD}", .jpeg),
    ])
    func bytesDecideThenTheName(_ row: Row) {
        let identity = MediaIdentity(header: row.header, fileExtension: Array(row.fileExtension.utf8))
        #expect(identity?.type == row.type)
        #expect(identity?.note == row.note)
        #expect(identity.map(\.isCertain) == row.type.map { _ in row.isCertain })
    }

    @Test func everyExtensionBelongsToOneFormat() {
        let extensions = MediaFormat.all.flatMap { $0.extensions + $0.sharedExtensions + $0.extensionsOfText }
        #expect(Set(extensions).count == extensions.count)
        #expect(extensions.allSatisfy { $0 == $0.lowercased() })
    }

    @Test func everyContentTypeHasOneRow() {
        #expect(Set(MediaFormat.all.map(\.type)).count == MediaFormat.all.count)
        #expect(MediaFormat.all.allSatisfy { !($0.extensions + $0.sharedExtensions).isEmpty })
    }

    @Test(arguments: [
        (MediaType.jpeg, MediaKind.photo), (.nef, .photo), (.mxf, .video), (.m4a, .audio),
        (MediaType(rawValue: "image/x-new"), .photo), (MediaType(rawValue: "audio/x-new"), .audio),
        (MediaType(rawValue: "video/x-new"), .video),
    ])
    func theTypeTellsTheKind(type: MediaType, kind: MediaKind) {
        #expect(type.kind == kind)
    }

    @Test func anUnknownTypeIsNamedByItself() {
        #expect(MediaType(rawValue: "image/x-new").name == "image/x-new")
        #expect(MediaType.jxl.name == "JPEG XL")
        #expect(MediaType.jpeg.fileExtension == "jpg")
    }

    /// Facts are kept by content, and all empty files have the same.
    @Test(arguments: [
        (0, "mp4", MediaType.mp4), (0, "", .jpeg), (0, "JPG", .jpeg), (0, "txt", .jpeg), (1, "mp4", .jpeg),
    ])
    func anEmptyFileIsWhatItsNameSays(size: Int64, name: String, type: MediaType) {
        #expect(MediaType(kept: "image/jpeg", size: size, fileExtension: Array(name.utf8)) == type)
    }
}
