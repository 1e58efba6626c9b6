import MediaModel
import Testing

@testable import Media
@testable import MediaMaking

/// The options of `make`, and the files it makes.
@Suite(.serialized) struct MakeTests {
    @Test func withoutAFormatItIsTheGallery() throws {
        let order = try MakeOrder(["there"])
        #expect(order.directory == "there")
        #expect(order.files.map(\.path) == MadeFile.gallery.map(\.path))
    }

    @Test func aSeriesIsNamedByFormatSizeAndNumber() throws {
        let words = ["--only", "jpeg", "there", "--only", "mov", "--count", "2", "--size", "64x48"]
        let order = try MakeOrder(words)
        #expect(
            order.files.map(\.path) == [
                "jpeg-64x48-0001.jpg", "jpeg-64x48-0002.jpg", "mov-64x48-0001.mov", "mov-64x48-0002.mov",
            ])
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String { words.joined(separator: " ") }
        let words: [String]
        let message: String

        init(_ words: String, _ message: String) {
            self.words = words.split(separator: " ").map(String.init)
            self.message = message
        }
    }

    @Test(arguments: [
        Row("", "Where to? Name a directory"),
        Row("a b", "One directory at a time"),
        Row("a --only heics", "No format heics"),
        Row("a --only", "--only wants a value"),
        Row("a --colour red", "No option --colour"),
        Row("a --count 0", "--count wants a number from 1 to 1000000"),
        Row("a --count many", "--count wants a number from 1 to 1000000"),
        Row("a --orientation 9", "--orientation wants a number from 1 to 8"),
        Row("a --size 64", "--size wants WIDTHxHEIGHT, both even, from 16 to 16384"),
        Row("a --size 64x49", "--size wants WIDTHxHEIGHT, both even, from 16 to 16384"),
        Row("a --size 64x48x3", "--size wants WIDTHxHEIGHT, both even, from 16 to 16384"),
    ])
    func anythingElseIsMisuse(_ row: Row) {
        #expect(throws: MakeOrder.Misuse(message: row.message)) { try MakeOrder(row.words) }
    }

    /// Encoders may depend on chance or on the number of cores; here they must not.
    @Test(arguments: MadeFormat.all.map(\.name))
    func theSameOrderMakesTheSameBytes(format: String) throws {
        let words = ["--only", format, "--count", "2", "--size", "64x48", "--seconds", "1", "--fps", "5", "there"]
        let files = try MakeOrder(words).files
        let once = try files.map { try $0.encoded() }
        #expect(try files.map { try $0.encoded() } == once)
        #expect(once[0] != once[1])
        let identity = MediaIdentity(header: Array(once[0].prefix(4096)), fileExtension: Array(format.utf8))
        #expect(identity?.isCertain == true)
        #expect(identity?.note == nil)
    }

    @Test func anOrientationIsUndoneInWhatIsStored() throws {
        let words = ["--only", "jpeg", "--size", "64x48", "--orientation", "6", "there"]
        let media = try Examined.media(try MakeOrder(words).files[0].encoded())
        #expect(media.facts.rotation == 90)
        #expect(media.facts.width == 64)
    }

    @Test func theGalleryHoldsEveryFormatAndEveryOddity() {
        let paths = MadeFile.gallery.map(\.path)
        #expect(Set(paths).count == paths.count)
        for format in MadeFormat.all { #expect(paths.contains { $0.hasSuffix(".\(format.fileExtension)") }) }
        #expect(paths.contains { $0.contains("🎆") })
        #expect(paths.contains { $0.contains("夏") })
        #expect(paths.filter { $0.contains("orientation") }.count == 8)
    }

    @Test(arguments: MadeFile.gallery.filter { $0.path.hasPrefix("Odd/") }.map(\.path))
    func theOddFilesAreOdd(path: String) throws {
        let file = try #require(MadeFile.gallery.first { $0.path == path })
        let bytes = try file.encoded()
        let fileExtension = Array(path.split(separator: ".").last.map(String.init)?.utf8 ?? "".utf8)
        let identity = MediaIdentity(header: Array(bytes.prefix(4096)), fileExtension: fileExtension)
        switch path {
        case "Odd/notes.txt": #expect(identity == nil)
        case "Odd/cut short.mp4": #expect(try Examined.failure(bytes).contains("moov atom not found"))
        case "Odd/cut short.jpg":
            #expect(try Examined.media(bytes).facts.notes.contains { $0.hasPrefix("Damaged") })
        default: #expect(identity?.note != nil)
        }
    }
}
