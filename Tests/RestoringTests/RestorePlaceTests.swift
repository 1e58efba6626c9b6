import Fixtures
import Platform
import Supabase
import TestSupport
import Testing

@testable import Queue
@testable import Restoring
@testable import Sync
@testable import Uploading

@Suite struct RestorePlaceTests {
    static let sha256 = String(repeating: "0123456789abcdef", count: 4)

    static func metadata(_ path: FilePath) -> ObjectMetadata {
        ObjectMetadata(Items.pending(path), facts: nil).with { $0.sha256 = sha256 }
    }

    // MARK: Keys of ours

    @Test(arguments: [
        FilePath("2026/IMG_1.jpg"), "ひ/写真 (1).jpg", "a!b/#1%.jpg", "e\u{301}.jpg", "é.jpg", "👨‍👩‍👧.png",
        FilePath(bytes: [0xFF, 0x2F, 0xC3, 0x28]), "\u{1}\n\t.jpg", "...", "-rf", "~", "a\\b",
    ])
    func aKeyAloneSaysWhere(_ path: FilePath) throws {
        for prefix in ["", "0b9c6a4e-8f3a-4c1e-9d53-0a1b2c3d4e5f", "backup/laptop"] {
            let key = ObjectKey(prefix: prefix, root: "My 写真", path: path).text
            let place = try RestorePlace(key: key, prefix: prefix, metadata: nil)
            #expect(place.path == FilePath("My 写真").appending(path))
            #expect(place.source == .key)
        }
    }

    static let long = FilePath("2026/" + String(repeating: "写", count: 80) + ".jpg")
    static let deep = FilePath(Array(repeating: String(repeating: "d", count: 120), count: 8).joined(separator: "/"))

    @Test(arguments: [long, deep, FilePath(bytes: Array("x/".utf8) + [UInt8](repeating: 0xFF, count: 255))])
    func aShortenedKeyIsReadFromTheMetadata(_ path: FilePath) throws {
        for prefix in ["", "backup"] {
            let key = ObjectKey(prefix: prefix, root: "Pictures", path: path).text
            #expect(key.contains("!!"))
            let place = try RestorePlace(key: key, prefix: prefix, metadata: Self.metadata(path))
            #expect(place.path == FilePath("Pictures").appending(path))
            #expect(place.source == .metadata)
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let key: String
        let metadata: ObjectMetadata?
        let path: FilePath
        let source: RestorePlace.Source
        /// The place that the file had, where another object has its key.
        let wanted: FilePath?

        init(
            _ fact: String, _ key: String, _ metadata: ObjectMetadata?, _ path: FilePath,
            _ source: RestorePlace.Source, wanted: FilePath? = nil
        ) {
            (testDescription, self.key, self.metadata, self.path, self.source) = (fact, key, metadata, path, source)
            self.wanted = wanted
        }
    }

    private static let longKey = ObjectKey(root: "Pictures", path: long).text
    private static let almostLong = String(repeating: "x", count: 196)
    private static let longRoot = String(repeating: "写", count: 80)
    private static let longRootKey = ObjectKey(root: longRoot, path: "a+b.jpg").text
    private static let astray = FilePath("../" + String(repeating: "写", count: 80) + ".jpg")
    private static let astrayKey = ObjectKey(root: "Pictures", path: astray).text

    @Test(arguments: [
        Row("a moved object is where its key says", "Pictures/new.jpg", metadata("old.jpg"), "Pictures/new.jpg", .key),
        Row(
            "a shortened key beside another keeps its mark",
            ObjectKey(root: "Pictures", path: long).beside(sha256).text, metadata(long),
            FilePath("Pictures/2026/" + String(repeating: "写", count: 80) + "--01234567.jpg"), .metadata,
            wanted: FilePath("Pictures").appending(long)),
        Row(
            "a key beside another has the file's name in its metadata", "Pictures/a/b--01234567.jpg",
            metadata("a/b.jpg"), "Pictures/a/b--01234567.jpg", .key, wanted: "Pictures/a/b.jpg"),
        Row(
            "an object that was moved has the path of its former name there", "Pictures/a/b--01234567.jpg",
            metadata("old.jpg"), "Pictures/a/b--01234567.jpg", .key, wanted: "Pictures/a/b.jpg"),
        Row(
            "also where the key beside is longer than a name may be",
            ObjectKey(root: "Pictures", path: FilePath("a+b/\(almostLong).jpg")).beside(sha256).text,
            metadata("old.jpg"), FilePath("Pictures/a+b/\(almostLong)--01234567.jpg"), .key,
            wanted: FilePath("Pictures/a+b/\(almostLong).jpg")),
        Row(
            "a file has such a name by itself", "Pictures/b--01234567.jpg", metadata("b--01234567.jpg"),
            "Pictures/b--01234567.jpg", .key),
        Row(
            "other digits are of another file", "Pictures/b--89abcdef.jpg", metadata("b.jpg"),
            "Pictures/b--89abcdef.jpg", .key),
        Row(
            "a shortened root keeps the name it has in the key", longRootKey, metadata("a+b.jpg"),
            FilePath(longRootKey.prefix { $0 != "/" } + "/a+b.jpg"), .metadata),
        Row(
            "but for metadata that names it", longRootKey, metadata("a+b.jpg").with { $0.root = longRoot },
            FilePath(longRoot).appending("a+b.jpg"), .metadata),
        Row(
            "with the name of another root", longRootKey, metadata("a+b.jpg").with { $0.root = "Other" },
            FilePath(longRootKey.prefix { $0 != "/" } + "/a+b.jpg"), .metadata),
        Row(
            "a root is one name", ObjectKey(root: "../" + longRoot, path: "a").text,
            metadata("a").with { $0.root = "../" + longRoot },
            FilePath(ObjectKey(root: "../" + longRoot, path: "a").text), .metadata),
        Row("without metadata a shortened key is taken literally", longKey, nil, FilePath(longKey), .literal),
        Row("so it is with that of another file", longKey, metadata("2026/other.jpg"), FilePath(longKey), .literal),
        Row("with a way out", longKey, metadata("../../etc/passwd"), FilePath(longKey), .literal),
        Row("with an absolute path", longKey, metadata("/etc/passwd"), FilePath(longKey), .literal),
        Row(
            "and with dots in the path that was shortened", astrayKey, metadata(astray), FilePath(astrayKey),
            .literal),
    ])
    func metadataIsFollowedWhereItIsThatOfTheKey(_ row: Row) throws {
        let place = try RestorePlace(key: row.key, prefix: "", metadata: row.metadata)
        #expect(place.path == row.path)
        #expect(place.source == row.source)
        #expect(place.wanted == row.wanted)
    }

    @Test(
        arguments: [
            ("a--01234567.jpg", "a.jpg"), ("b/a--89abcdef", "b/a"), ("a--b--01234567.jpg", "a--b.jpg"),
            ("a-01234567.jpg", nil), ("a--0123456.jpg", nil), ("a--0123456g.jpg", nil), ("a--0123456A.jpg", nil),
            ("--01234567.jpg", nil), ("a.jpg", nil),
        ] as [(FilePath, FilePath?)])
    func theNameTellsBesideWhichKeyItsOwnMayBe(path: FilePath, other: FilePath?) {
        #expect(ObjectKey.besideWhich(path) == other)
    }

    /// File systems take names of 255 bytes; no character is cut in two.
    @Test(
        arguments: [
            ("a/b.jpg", "a/b--01234567.jpg"),
            (
                FilePath(String(repeating: "写", count: 83) + ".jpg"),
                FilePath(String(repeating: "写", count: 80) + "--01234567.jpg")
            ),
            (
                FilePath("a/x" + String(repeating: "n", count: 254)),
                FilePath("a/x" + String(repeating: "n", count: 244) + "--01234567")
            ),
        ] as [(FilePath, FilePath)])
    func aNameBesideIsNoLongerThanADiskTakes(path: FilePath, beside: FilePath) {
        #expect(RestorePlace.beside(path, Self.sha256) == beside)
        #expect(beside.name.count <= 255)
    }

    // MARK: Keys of others

    @Test(arguments: [
        ("no root", "a.jpg", "a.jpg"), ("signs we would escape", "shop/a+b@2x.jpg", "shop/a+b@2x.jpg"),
        ("escapes we would not make", "Pictures/!41.jpg", "Pictures/!41.jpg"),
        ("half an escape", "Pictures/wow!.jpg", "Pictures/wow!.jpg"),
        ("an escaped slash stays one name", "Pictures/..!2F..!2Fetc", "Pictures/..!2F..!2Fetc"),
        ("an escaped NUL stays text", "Pictures/a.jpg!00.exe", "Pictures/a.jpg!00.exe"),
        ("escaped dots stay text", "Pictures/!2E!2E/x", "Pictures/!2E!2E/x"),
        ("three dots are a name", "Pictures/.../x", "Pictures/.../x"),
    ])
    func aForeignKeyIsAPath(_ row: (why: String, key: String, path: String)) throws {
        let place = try RestorePlace(key: row.key, prefix: "", metadata: nil)
        #expect(place.path == FilePath(row.path), "\(row.why)")
    }

    @Test(arguments: [
        ("up", "Pictures/../../etc/passwd", ""), ("up at once", "../x", ""), ("here", "Pictures/./x", ""),
        ("absolute", "/etc/passwd", ""), ("an empty name", "Pictures//x", ""), ("a folder's marker", "Pictures/", ""),
        ("nothing", "", ""), ("a NUL", "Pictures/a\0b", ""), ("another prefix", "other/x", "backup"),
        ("the prefix alone", "backup", "backup"), ("the prefix and no more", "backup/", "backup"),
        ("half the prefix", "backups/x", "backup"),
    ])
    func whatNamesNoFileBelowADirectoryIsRefused(_ row: (why: String, key: String, prefix: String)) {
        #expect(throws: RestoreRefusal.self, "\(row.why)") {
            try RestorePlace(key: row.key, prefix: row.prefix, metadata: nil)
        }
    }

    @Test func noKeyLeadsOutOfTheDirectory() {
        var generator = SeededGenerator(seed: 11)
        let pieces = ["..", ".", "/", "//", "!2E", "!2F", "!00", "\0", "a", "!!", "é", "!C3", "Pictures"]
        for _ in 0..<20_000 {
            let key = (0..<Int.random(in: 0...8, using: &generator))
                .compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            let known = Self.metadata(
                FilePath((0..<4).compactMap { _ in pieces.randomElement(using: &generator) }.joined()))
            guard let path = try? RestorePlace(key: key, prefix: "", metadata: known).path else { continue }
            #expect(!path.isEmpty && !path.isAbsolute && !path.bytes.contains(0), "\(key)")
            #expect(path.components.allSatisfy { $0 != [46] && $0 != [46, 46] }, "\(key)")
            #expect(path.components.joined(separator: [47]).elementsEqual(path.bytes), "\(key)")
        }
    }

    // MARK: Thumbnails

    static let user = "0b9c6a4e-8f3a-4c1e-9d53-0a1b2c3d4e5f"

    @Test(arguments: [
        ("of a root", ".thumbnails/512/Pictures/a.jpg.jpg", "", true),
        ("below a prefix", "backup/.thumbnails/512/Pictures/a.jpg.jpg", "backup", true),
        ("of a user", "\(user)/.thumbnails/512/Pictures/a.jpg.jpg", "", true),
        ("of a user who signed in", "\(user)/.thumbnails/512/Pictures/a.jpg.jpg", user, true),
        ("of a user, below a prefix", "backup/\(user)/.thumbnails/512/x.jpg", "backup", true),
        ("a folder of that name in a root", "Pictures/.thumbnails/512/x.jpg", "", false),
        ("a file of that name", ".thumbnails", "", false), ("a name that begins so", ".thumbnails2/x.jpg", "", false),
        ("a file in a root of that name", ".thumbnails/x.jpg", "", false),
        ("what lies where sizes do", ".thumbnails/512", "", false),
        ("a folder in a root of that name", ".thumbnails/2026 in Rome/x.jpg", "", false),
        ("a size below zero", ".thumbnails/-512/Pictures/x.jpg", "", false),
        ("a size without a digit", ".thumbnails//Pictures/x.jpg", "", false),
        ("a size that no number holds", ".thumbnails/99999999999999999999/Pictures/x.jpg", "", false),
        ("a folder of that name in a root called like a user", "\(user)/.thumbnails/x.jpg", "", false),
        ("a photo", "Pictures/a.jpg", "", false), ("a user's photo", "\(user)/Pictures/a.jpg", "", false),
    ])
    func thumbnails(_ row: (why: String, key: String, prefix: String, isThumbnail: Bool)) {
        #expect(RestorePlace.isThumbnail(row.key, prefix: row.prefix) == row.isThumbnail, "\(row.why)")
    }
}

extension ObjectMetadata {
    func with(_ change: (inout ObjectMetadata) -> Void) -> ObjectMetadata {
        var metadata = self
        change(&metadata)
        return metadata
    }
}
