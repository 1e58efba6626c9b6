import MediaModel
import Platform
import TestSupport
import Testing

@testable import Queue

@Suite struct ObjectKeyTests {
    @Test(
        arguments: [
            ("what storage takes stays", "2026/IMG_1 (2) - it's.jpg", "Pictures/2026/IMG_1 (2) - it's.jpg"),
            ("letters beyond ASCII, byte by byte", "写.jpg", "Pictures/!E5!86!99.jpg"),
            ("the escape itself", "wow!.jpg", "Pictures/wow!21.jpg"),
            (
                "storage's signing quirk is avoided", "a+b&c=d@e$f;g,h:i.jpg",
                "Pictures/a!2Bb!26c!3Dd!40e!24f!3Bg!2Ch!3Ai.jpg"
            ),
            ("what a URL gives a meaning", "50%#1?.jpg", "Pictures/50!25!231!3F.jpg"),
            (
                "what storage refuses", "a[b]{c}^d~e`f|g\"h<i>j\\k*.jpg",
                "Pictures/a!5Bb!5D!7Bc!7D!5Ed!7Ee!60f!7Cg!22h!3Ci!3Ej!5Ck!2A.jpg"
            ),
            ("line breaks and tabs", "a\n\tb", "Pictures/a!0A!09b"),
            ("composed", "\u{E9}.jpg", "Pictures/!C3!A9.jpg"),
            ("decomposed is another object", "e\u{301}.jpg", "Pictures/e!CC!81.jpg"),
            ("a double slash is one", "a//b", "Pictures/a/b"),
            ("a name of three dots is a name", "...", "Pictures/..."),
            ("storage refuses dot segments", "./../x", "Pictures/!2E/!2E!2E/x"),
        ] as [(String, String, String)])
    func key(_ row: (why: String, path: String, key: String)) {
        #expect(ObjectKey(root: "Pictures", path: FilePath(row.path)).text == row.key, "\(row.why)")
    }

    @Test func aPrefixComesFirstAsItIs() {
        let key = ObjectKey(prefix: "user-1/laptop", root: "Bücher", path: "a.jpg")
        #expect(key.text == "user-1/laptop/B!C3!BCcher/a.jpg")
        #expect(key.location(prefix: "user-1/laptop")?.path == "a.jpg")
        #expect(key.location(prefix: "user-1/lap") == nil)
        #expect(key.location(prefix: "other") == nil)
    }

    @Test func bytesThatAreNotUTF8AreANameToo() throws {
        let path = FilePath(bytes: [0xFF, 0xFE, 0x2E, 0x6A])
        let key = ObjectKey(root: "Pictures", path: path)
        #expect(key.text == "Pictures/!FF!FE.j")
        #expect(key.location()?.path == path)
    }

    // MARK: Limits

    @Test(arguments: [
        ("200 bytes stay", 196, "a", 200, false),
        ("one byte more is shortened", 197, "a", 98, true),
        ("66 escapes stay", 65, "\u{7F}", 199, false),
        ("67 escapes are shortened", 66, "\u{7F}", 98, true),
    ])
    func segments(_ row: (why: String, count: Int, character: String, bytes: Int, isShort: Bool)) throws {
        let name = String(repeating: row.character, count: row.count) + ".jpg"
        let segment = try #require(ObjectKey(root: "R", path: FilePath(name)).text.split(separator: "/").last)
        #expect(segment.utf8.count == row.bytes, "\(row.why)")
        #expect(segment.contains("!!") == row.isShort, "\(row.why)")
        #expect(segment.hasSuffix(".jpg"))
    }

    @Test(arguments: [0, 1, 2])
    func aShortenedSegmentIsCutAtAWholeEscape(plain: Int) throws {
        let name = String(repeating: "x", count: plain) + String(repeating: "写", count: 60) + ".mp4"
        let segment = try #require(ObjectKey(root: "R", path: FilePath(name)).text.split(separator: "/").last)
        let head = segment.utf8.prefix(while: { $0 != UInt8(ascii: "!") }).count
        #expect(head == plain)
        let digest = SHA256.hash(name.utf8).hexadecimal.prefix(32)
        #expect(segment.hasSuffix("!!\(digest).mp4"))
        #expect((segment.utf8.count - "!!\(digest).mp4".utf8.count - plain) % 3 == 0)
    }

    @Test func anExtensionThatIsHalfTheNameIsNotKept() throws {
        let name = "a." + String(repeating: "ü", count: 100)
        let segment = try #require(ObjectKey(root: "R", path: FilePath(name)).text.split(separator: "/").last)
        #expect(segment.utf8.count <= 200)
    }

    @Test func ofALongKeyTheMiddleDirectoriesBecomeOne() {
        let middle = Array(repeating: String(repeating: "d", count: 99), count: 7)
        func key(_ name: String) -> String {
            ObjectKey(root: "Pictures", path: FilePath((middle + [name]).joined(separator: "/"))).text
        }
        // "Pictures/", seven times 100, and 91 more are the 800th byte.
        let last = String(repeating: "n", count: 91)
        #expect(key(last).utf8.count == 800)
        #expect(ObjectKey(text: key(last)).location() != nil)
        let digest = SHA256.hash(middle.joined(separator: "/").utf8).hexadecimal.prefix(32)
        #expect(key(last + "n") == "Pictures/!!\(digest)/\(last)n")
        #expect(ObjectKey(text: key(last + "n")).location() == nil)
    }

    // MARK: Ten thousand names

    /// Names that are similar to each other in every known way.
    static let names: [[UInt8]] = {
        var generator = SeededGenerator(seed: 7)
        let pieces: [[UInt8]] = [
            Array("é".utf8), Array("e\u{301}".utf8), Array("写真".utf8), Array("👨‍👩‍👧".utf8), Array("IMG".utf8),
            Array("img".utf8),
            Array(".".utf8), Array("..".utf8), Array(" ".utf8), Array("!".utf8), Array("!!".utf8), Array("!2E".utf8),
            Array("!2F".utf8), Array("--".utf8), Array("%2F".utf8), Array(".jpg".utf8), Array(".JPG".utf8), [0xFF],
            [0xC3],
            [0x80], [0x01], [0x7F], Array("\\".utf8), Array("#?&=+".utf8), Array("ｅ".utf8), Array("ß".utf8),
            Array("SS".utf8),
        ]
        var names: Set<[UInt8]> = []
        while names.count < 10_000 {
            var name: [UInt8] = []
            let length = [3, 8, 60, 200, 255][names.count % 5]
            while name.count < length {
                name +=
                    Bool.random(using: &generator)
                    ? pieces.randomElement(using: &generator) ?? [] : [UInt8.random(in: 1...255, using: &generator)]
            }
            name = Array(name.prefix(length)).map { $0 == UInt8(ascii: "/") ? 0x5C : $0 }
            if name != Array(".".utf8), name != Array("..".utf8) { names.insert(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }()

    /// The contract's expression, section 3.
    static func isLegal(_ key: ObjectKey, segment: Int = 200, whole: Int = 800) -> Bool {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_/!.*'() &$=@;:+,?-".utf8)
        let segments = key.text.split(separator: "/", omittingEmptySubsequences: false)
        return !key.text.isEmpty && key.text.utf8.allSatisfy(allowed.contains) && key.text.utf8.count <= whole
            && segments.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= segment }
    }

    @Test func noTwoNamesShareAKeyAndEveryKeyIsLegal() {
        var keys: Set<[UInt8]> = []
        for name in Self.names {
            let key = ObjectKey(root: "Pictures", path: FilePath(bytes: name))
            #expect(keys.insert(Array(key.text.utf8)).inserted, "\(name)")
            #expect(Self.isLegal(key), "\(key.text)")
            // Storage lists case-insensitively, but keys are case-sensitive; the folder of thumbnails is separate.
            #expect(!key.text.hasPrefix(ObjectKey.thumbnailFolder))
        }
    }

    @Test func everyKeyThatWasNotShortenedReadsBack() {
        for name in Self.names {
            let path = FilePath(bytes: name)
            let key = ObjectKey(root: "R", path: path)
            let location = key.location()
            #expect(key.text.contains("!!") ? location == nil : location?.path == path, "\(key.text)")
        }
    }

    @Test(
        arguments: [
            ("Pictures/a.jpg", "Pictures", "a.jpg", .original),
            ("Pictures/2026/a!26b.jpg", "Pictures", "2026/a&b.jpg", .original),
            (".thumbnails/256/Pictures/a.png.jpg", "Pictures", "a.png", .thumbnail(256)),
            (".thumbnails/1024/Pictures/2026/a!26b.jpg.webp", "Pictures", "2026/a&b.jpg", .thumbnail(1024)),
        ] as [(String, String, FilePath, Item.Role)])
    func aKeyTellsItsFile(_ text: String, _ root: String, _ path: FilePath, _ role: Item.Role) throws {
        for prefix in ["", "user-1/laptop"] {
            let file = try #require(ObjectKey(text: prefix.isEmpty ? text : "\(prefix)/\(text)").file(prefix: prefix))
            #expect(file.root == root && file.path == path && file.role == role)
        }
    }

    @Test(arguments: [
        "a.jpg", ".thumbnails/256/a.jpg.jpg", ".thumbnails/small/Pictures/a.jpg.jpg", ".thumbnails/256/Pictures/a.txt",
        ".thumbnails/256/Pictures/!!0123/a.jpg.jpg", ".thumbnails/+256/Pictures/a.jpg.jpg", ".thumbnails/256",
    ])
    func aKeyThatIsNoFilesTellsNone(_ text: String) {
        #expect(ObjectKey(text: text).file() == nil)
    }

    @Test func deepPathsAreLegalAndDistinct() {
        var generator = SeededGenerator(seed: 8)
        var paths: Set<FilePath> = []
        var keys: Set<String> = []
        for _ in 0..<3_000 {
            let depth = Int.random(in: 1...20, using: &generator)
            let names = (0..<depth).compactMap { _ in Self.names.randomElement(using: &generator) }
            let path = FilePath(bytes: Array(names.joined(separator: [UInt8(ascii: "/")])))
            guard paths.insert(path).inserted else { continue }
            let key = ObjectKey(prefix: "0b9c6a4e-8f3a-4c1e-9d53-0a1b2c3d4e5f", root: "Pictures", path: path)
            #expect(keys.insert(key.text).inserted)
            #expect(Self.isLegal(key), "\(key.text)")
        }
    }

    // MARK: Keys made from keys

    @Test func aThumbnailLiesBesideTheRootsUnderTheSameKey() {
        let key = ObjectKey(prefix: "user", root: "Pictures", path: "a/b.heic")
        #expect(ObjectKey(thumbnail: 512, of: key, prefix: "user").text == "user/.thumbnails/512/Pictures/a/b.heic.jpg")
        let bare = ObjectKey(root: "Pictures", path: "a/b.heic")
        #expect(ObjectKey(thumbnail: 512, of: bare).text == ".thumbnails/512/Pictures/a/b.heic.jpg")
    }

    @Test(arguments: [(ThumbnailFormat.jpeg, "jpg"), (.webp, "webp"), (.avif, "avif")])
    func aThumbnailsNameEndsAsItsFormat(_ format: ThumbnailFormat, _ end: String) {
        let key = ObjectKey(thumbnail: 512, of: ObjectKey(root: "Pictures", path: "a/b.heic"), format: format)
        #expect(key.text == ".thumbnails/512/Pictures/a/b.heic.\(end)")
        #expect(key.thumbnailFormat == format)
    }

    @Test func thumbnailsAndNeighboursOfEveryKeyAreDistinctAndFitTheServersDisk() {
        var keys: Set<String> = []
        for name in Self.names {
            let original = ObjectKey(root: "Pictures", path: FilePath(bytes: name))
            let beside = original.beside("0123456789abcdef")
            for key in [
                original, beside, ObjectKey(thumbnail: 512, of: original), ObjectKey(thumbnail: 512, of: beside),
            ] {
                #expect(keys.insert(key.text).inserted, "\(key.text)")
                #expect(Self.isLegal(key, segment: 255, whole: 900), "\(key.text)")
            }
        }
    }

    /// A longer name would have been shortened, but for the mark of a key beside another.
    @Test(arguments: [
        ("the longest name", 196, ".jpg", true), ("one byte more", 197, ".jpg", false),
        ("the longest beside another", 196, "--01234567.jpg", true), ("one byte more", 197, "--01234567.jpg", false),
        ("other digits", 196, "--0123456G.jpg", false), ("fewer digits", 196, "--0123456.jpg", false),
        ("one dash", 196, "-x01234567.jpg", false),
    ])
    func theKeyOfALongNameTellsTheFile(_ row: (why: String, count: Int, end: String, isTold: Bool)) {
        let name = String(repeating: "x", count: row.count) + row.end
        let location = ObjectKey(text: "Pictures/a!2Bb/\(name)").location()
        #expect(location?.path == (row.isTold ? FilePath("a+b/\(name)") : nil), "\(row.why)")
    }

    @Test(arguments: [
        ("before the extension", "R/a/b.tar.gz", "R/a/b.tar--01234567.gz"),
        ("at the end without one", "R/a/b", "R/a/b--01234567"),
        ("a hidden name has none", "R/a/.b", "R/a/.b--01234567"),
        ("a dot in a directory is none", "R/a.b/c", "R/a.b/c--01234567"),
        ("a key of one segment", "c.jpg", "c--01234567.jpg"),
    ])
    func beside(_ row: (why: String, key: String, beside: String)) {
        let key = ObjectKey(text: row.key).beside("0123456789abcdef")
        #expect(key.text == row.beside, "\(row.why)")
        #expect(key.isBeside("0123456789abcdef"))
        #expect(!key.isBeside("1123456789abcdef"))
    }

    @Test(arguments: [
        ("no file", "Pictures"), ("nothing", ""), ("an empty name", "Pictures//a.jpg"),
        ("a way out", "Pictures/../../etc/passwd"),
        ("an escaped way out", "Pictures/!2E!2E/passwd"), ("an escaped slash", "Pictures/a!2Fb"),
        ("a root with a slash", "!2Fetc/passwd"), ("an escaped NUL", "Pictures/a!00b"),
        ("half an escape", "Pictures/a!4"),
        ("an escape in small letters", "Pictures/!e5"), ("an escape that was not needed", "Pictures/!41.jpg"),
        ("a byte that should be escaped", "Pictures/a+b.jpg"),
    ])
    func aKeyWeWouldNotHaveMadeLeadsNowhere(_ row: (why: String, key: String)) {
        #expect(ObjectKey(text: row.key).location() == nil, "\(row.why)")
    }
}
