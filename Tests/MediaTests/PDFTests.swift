import FoundationEssentials
import MediaModel
import Testing

@testable import Documents
@testable import Frames
@testable import Media
@testable import MediaMaking

/// The first page of PDF documents.
@Suite(.serialized) struct PDFTests {
    /// Red at the top left, green at the top right, blue at the bottom left, white at the bottom right.
    private static let corners = """
        1 0 0 rg 0 100 150 100 re f 0 1 0 rg 150 100 150 100 re f 0 0 1 rg 0 0 150 100 re f
        """

    private static func thumbnail(_ file: PDFFile, size: Int = 300) throws -> (facts: MediaFacts, picture: Bitmap) {
        let media = try Examined.media(file.bytes, sizes: [size])
        return (media.facts, try Bitmap(jpeg: try #require(media.thumbnails.first).bytes))
    }

    /// The colours in the middle of the four quarters: top left, top right, bottom left, bottom right.
    private static func quarters(_ picture: Bitmap) -> String {
        let (width, height) = (picture.width, picture.height)
        let places = [(1, 1), (3, 1), (1, 3), (3, 3)].map { (width * $0.0 / 4, height * $0.1 / 4) }
        return String(
            places.map { place -> Character in
                let isSet = picture.pixel(place.0, place.1).map { $0 > 128 }
                return isSet == [true, false, false]
                    ? "R" : isSet == [false, true, false] ? "G" : isSet == [false, false, true] ? "B" : "-"
            })
    }

    @Test(arguments: [(0, "RGB-"), (90, "BR-G"), (180, "-BGR"), (270, "G-RB"), (-90, "G-RB")])
    func thePageIsShownUpright(degrees: Int, colours: String) throws {
        let (facts, picture) = try Self.thumbnail(PDFFile(page: "/Rotate \(degrees)", contents: Self.corners))
        let sides = degrees % 180 == 0 ? [300, 200] : [200, 300]
        #expect([facts.width, facts.height] == sides)
        #expect([picture.width, picture.height] == sides)
        #expect(Self.quarters(picture) == colours)
        #expect(facts.type == .pdf && facts.kind == .photo && facts.notes == [])
    }

    @Test func whatIsCutOffIsNotShown() throws {
        let (facts, picture) = try Self.thumbnail(PDFFile(page: "/CropBox [0 100 300 200]", contents: Self.corners))
        #expect([facts.width, facts.height] == [300, 100])
        #expect(Self.quarters(picture) == "RGRG")
    }

    /// Its size on paper says nothing of how sharp it is.
    @Test(arguments: [
        ("0 0 30 20", "0 0 30 20"), ("0 0 300 200", "0 0 300 200"), ("-150 -100 150 100", "-150 -100 300 200"),
        ("300 200 0 0", "0 0 300 200"), ("0 0 12000000 8000000", "0 0 12000000 8000000"),
    ])
    func thePageFillsTheThumbnail(box: String, filled: String) throws {
        let (_, picture) = try Self.thumbnail(PDFFile(box: box, contents: "1 0 0 rg \(filled) re f"), size: 480)
        #expect([picture.width, picture.height] == [480, 320])
        #expect(Self.quarters(picture) == "RRRR")
    }

    @Test func aThinPageIsAPixelWide() throws {
        let (_, picture) = try Self.thumbnail(PDFFile(box: "0 0 14000 1", contents: "0 g 0 0 7000 1 re f"), size: 128)
        #expect([picture.width, picture.height] == [128, 1])
    }

    @Test func aScanIsShownAsItIs() throws {
        let scene = Scene(seed: 31, width: 600, height: 400, hasGrain: false).bitmap()
        let head =
            "/Type /XObject /Subtype /Image /Width 600 /Height 400 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode"
        let file = PDFFile(
            page: "/Resources << /XObject << /Scan 5 0 R >> >>", contents: "300 0 0 200 0 0 cm /Scan Do",
            objects: [(head, try PictureWriter.encode(scene, as: .jpeg))])
        let (facts, picture) = try Self.thumbnail(file)
        #expect(facts.notes == [])
        #expect(picture.likeness(to: scene.resampled(width: 300, height: 200)) > 0.85)
    }

    /// A font whose only letter is a square.
    @Test func lettersOfFontsInTheDocumentAreDrawn() throws {
        let font =
            "/Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 "
            + "/Widths [1] /Encoding << /Differences [97 /square] >> /CharProcs << /square 6 0 R >>"
        let file = PDFFile(
            page: "/Resources << /Font << /F 5 0 R >> >>", contents: "BT /F 100 Tf 0 0 1 rg 0 0 Td (a) Tj ET",
            objects: [(font, nil), ("", Array("1 0 0 0 1 1 d1 0 0 1 1 re f".utf8))])
        let (facts, picture) = try Self.thumbnail(file)
        #expect(facts.notes == [])
        #expect(Self.quarters(picture) == "--B-")
    }

    /// Such a font is Debian's of the same widths: the letter is thin in one and has feet in the others.
    @Test(arguments: [
        ("Helvetica", 5...20), ("Arial,Bold", 5...20), ("Times-Roman", 21...32), ("TimesNewRoman", 21...32),
        ("Courier", 33...60), ("CourierNew", 33...60), ("NeverHeardOf", 5...20),
    ])
    func lettersOfFontsThatTheDocumentLacksAreDrawn(font: String, width: ClosedRange<Int>) throws {
        let head = "/Type /Font /Subtype /TrueType /BaseFont /\(font) /Encoding /WinAnsiEncoding"
        let file = PDFFile(
            page: "/Resources << /Font << /F 5 0 R >> >>", contents: "BT /F 100 Tf 100 100 Td (i) Tj ET",
            objects: [(head, nil)])
        let (facts, picture) = try Self.thumbnail(file)
        #expect(facts.notes == [])
        let columns = (0..<picture.width).filter { x in
            (0..<picture.height).contains { picture.pixel(x, $0)[0] < 128 }
        }
        let ink = try #require(columns.last) - #require(columns.first) + 1
        #expect(width.contains(ink), "\(ink)")
    }

    @Test(arguments: [
        ("Couldn't find a font for 'Helvetica'", true), ("Couldn't create a font for 'Arial'", true),
        ("Missing language pack for 'Adobe-Japan1' mapping", true), ("Unknown operator 'x'", false),
    ])
    func textThatIsLeftOutIsNoted(words: String, isLeftOut: Bool) {
        PopplerLog.ofOneDocument {
            PopplerLog.hear("poppler/error (12): \(words)")
            #expect(PopplerLog.lacksFont == isLeftOut)
            #expect(PopplerLog.words == words)
        }
    }

    @Test func aDocumentWithoutItsTableIsShown() throws {
        let (facts, picture) = try Self.thumbnail(PDFFile(contents: Self.corners, hasTable: false))
        #expect(facts.notes == [])
        #expect(Self.quarters(picture) == "RGB-")
    }

    @Test(arguments: [
        (
            PDFFile(
                trailer:
                    "/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <\(Self.zeros)> /U <\(Self.zeros)> >>"
            ),
            "The document is encrypted: its pages need its password"
        ),
        (PDFFile(hasPage: false), "The document has no pages"),
    ])
    func aDocumentWithoutAPageToDrawSaysWhy(file: PDFFile, note: String) throws {
        let media = try Examined.media(file.bytes)
        #expect(media.facts.notes == [note])
        #expect(media.thumbnails.isEmpty)
    }

    static let zeros = String(repeating: "00", count: 32)

    @Test func whatOnlyBeginsLikeADocumentIsDamaged() throws {
        let reason = try Examined.failure(Array("%PDF-1.7\nnothing".utf8))
        #expect(reason.hasSuffix("The file is damaged or cut short"))
    }

    /// A document's own date is when it was written, not when the photo in it was taken.
    @Test(arguments: [
        ("exif:DateTimeOriginal=\"1987-06-05T04:03:02Z\"", 549_864_182),
        ("xmp:CreateDate=\"2001-02-03T04:05:06Z\"", nil),
    ])
    func theDateIsThatOfThePhoto(written: String, seconds: Int?) throws {
        let xmp = "<x:xmpmeta><rdf:RDF><rdf:Description \(written)/></rdf:RDF></x:xmpmeta>"
        let file = PDFFile(
            catalog: "/Metadata 5 0 R", trailer: "/Info 6 0 R", contents: Self.corners,
            objects: [
                ("/Type /Metadata /Subtype /XML", Array(xmp.utf8)), ("/CreationDate (D:20010203040506Z)", nil),
            ])
        let facts = try Examined.media(file.bytes).facts
        #expect(facts.takenAtSource == (seconds == nil ? .file : .xmp))
        if let seconds { #expect(facts.takenAt == Date(timeIntervalSince1970: Double(seconds))) }
    }
}
