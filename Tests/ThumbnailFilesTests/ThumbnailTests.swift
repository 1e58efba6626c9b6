import Configuration
import MediaModel
import Output
import Platform
import Roots
import Sync
import TestSupport
import Testing

@testable import ThumbnailFiles

/// What `thumbnail` reads, what it writes, and what it leaves alone.
@Suite struct ThumbnailTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

    /// A worker that always answers with one picture per size.
    private struct Painter: MediaExamining {
        var findsSound = false

        func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
            if findsSound { return .examined(MediaFacts(kind: .audio, type: job.type, notes: ["Sound only"]), []) }
            let thumbnails = job.specs.map { Thumbnail(spec: $0, width: 4, height: 3, bytes: Array("picture".utf8)) }
            return .examined(MediaFacts(kind: .photo, type: job.type), thumbnails)
        }

        func tend() async {}
    }

    private static func folder(_ names: [String]) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        for name in names {
            let path = directory.path.appending(name)
            try Directory.create(at: path.parent)
            try OpenFile(creating: path).write(jpeg, at: 0)
        }
        return directory
    }

    private static func maker(
        _ target: FilePath, sizes: [Int] = [64], of sources: [ThumbnailSource], findsSound: Bool = false
    ) -> ThumbnailMaker {
        ThumbnailMaker(
            workers: Painter(findsSound: findsSound), settings: Settings().thumbnails,
            folder: ThumbnailFolder(
                path: target, sizes: sizes, format: .jpeg, protected: Set(sources.compactMap(\.identity))))
    }

    private static func names(_ sources: [ThumbnailSource]) -> [String] { sources.map(\.name.display) }

    @Test func aDirectoryIsWalkedByTheRulesAndNotIntoTheTarget() throws {
        let folder = try Self.folder(["a.jpg", "2026/b.jpg", ".hidden.jpg", "@eaDir/c.jpg", "thumbs/a.jpg"])
        defer { folder.remove() }
        let sources = try ThumbnailSource.all(
            in: [folder.path], rules: IgnoreRules(), except: folder.path.appending("thumbs"))
        #expect(Self.names(sources) == ["2026/b", "a"])
        #expect(sources.allSatisfy { !$0.isNamed && $0.size == 4 })
    }

    struct Named: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What the user names, of a folder with the files that end so.
        let paths: [FilePath]
        /// The names of the thumbnails, of each file its own.
        let names: [String]
    }

    @Test(arguments: [
        Named(testDescription: "a name needs no extension", paths: ["x/a.jpg", "x/b.png"], names: ["a", "b"]),
        Named(
            testDescription: "a photo and its movie keep theirs", paths: ["x/c.HEIC", "x/c.MOV", "x/a.jpg"],
            names: ["c.HEIC", "c.MOV", "a"]),
        Named(
            testDescription: "as does what is called like one of them", paths: ["x/c.HEIC", "x/c.MOV", "x/c.HEIC.jpg"],
            names: ["c.HEIC", "c.MOV", "c.HEIC.jpg"]),
        Named(
            testDescription: "files of one name in two directories", paths: ["x/a.jpg", "y/a.jpg", "x/b.png"],
            names: ["x/a.jpg", "y/a.jpg", "b"]),
        Named(
            testDescription: "in directories of one name as well", paths: ["x/z/a.jpg", "y/z/a.jpg"],
            names: ["x/z/a.jpg", "y/z/a.jpg"]),
        Named(
            testDescription: "in two named directories", paths: ["x", "y"],
            names: ["x/a.jpg", "b", "c.HEIC", "c.HEIC.jpg", "c.MOV", "x/z/a.jpg", "y/a.jpg", "y/z/a.jpg"]),
        Named(testDescription: "one that is named twice is one", paths: ["x/b.png", "x/b.png"], names: ["b"]),
        Named(testDescription: "however it is spelled", paths: ["x/b.png", "y/../x/b.png"], names: ["b"]),
        Named(
            testDescription: "two names of one file are two", paths: ["x/b.png", "y/b.png"],
            names: ["x/b.png", "y/b.png"]),
        Named(
            testDescription: "and one that its directory names, too", paths: ["y", "y/a.jpg"], names: ["a", "z/a"]),
    ])
    func noTwoFilesShareAName(_ row: Named) throws {
        let folder = try Self.folder([
            "x/a.jpg", "x/b.png", "x/c.HEIC", "x/c.HEIC.jpg", "x/c.MOV", "x/z/a.jpg", "y/a.jpg", "y/z/a.jpg",
        ])
        defer { folder.remove() }
        if row.paths.contains("y/b.png") { try Directory(folder.path).link("x/b.png", to: "y/b.png") }
        let sources = try ThumbnailSource.all(
            in: row.paths.map(folder.path.appending), rules: IgnoreRules(), except: "/elsewhere")
        #expect(Self.names(sources) == row.names)
        #expect(Set(sources.map(\.file)).count == row.names.count)
    }

    @Test(.enabled(if: Host.userID != 0, "root lists every directory"))
    func aDirectoryThatCannotBeListedIsAFailureOfItsOwn() async throws {
        let folder = try Self.folder(["a.jpg", "closed/b.jpg"])
        defer { folder.remove() }
        try Directory.create(at: folder.path.appending("shut"), mode: 0)
        let sources = try ThumbnailSource.all(in: [folder.path], rules: IgnoreRules(), except: "/elsewhere")
        #expect(Self.names(sources) == ["a", "closed/b", "shut"])
        let made = try await Self.maker(folder.path.appending("t"), of: sources).make(sources[2])
        #expect(made.failure?.contains("Permission denied") == true)
    }

    @Test(arguments: [([64], ["a.jpg"]), ([64, 128], ["a-64.jpg", "a-128.jpg"])])
    func oneSizeNeedsNoNumber(sizes: [Int], names: [String]) async throws {
        let folder = try Self.folder(["a.png"])
        defer { folder.remove() }
        let target = folder.path.appending("out")
        let sources = try ThumbnailSource.all(
            in: [folder.path.appending("a.png")], rules: IgnoreRules(), except: target)
        let made = try await Self.maker(target, sizes: sizes, of: sources).make(try #require(sources.first))
        #expect(made.failure == nil)
        #expect(made.pictures == names.map { target.appending($0).display })
        #expect(Set(try Directory(target).names().map(\.display)) == Set(names))
    }

    @Test(
        arguments: [
            ("by us", [0xFF, 0xD8, 0xFF, 0xFE, 0x00, 0x0E] + Array("gallery-sync".utf8), true),
            ("a photo", [0xFF, 0xD8, 0xFF, 0xE1], false),
        ] as [(String, [UInt8], Bool)])
    func whatIsNoThumbnailOfOursIsLeft(_ why: String, _ old: [UInt8], isReplaced: Bool) async throws {
        let folder = try Self.folder(["a.png"])
        defer { folder.remove() }
        let target = folder.path.appending("out")
        try Directory.create(at: target)
        try OpenFile(creating: target.appending("a.jpg")).append(old)
        let sources = try ThumbnailSource.all(
            in: [folder.path.appending("a.png")], rules: IgnoreRules(), except: target)
        let maker = Self.maker(target, of: sources)
        if isReplaced {
            try maker.folder.check(sources)
        } else {
            #expect(throws: OutputTaken.self) { try maker.folder.check(sources) }
        }
        _ = try await maker.make(try #require(sources.first))
        #expect(try (OpenFile(reading: target.appending("a.jpg")).readAll() == old) != isReplaced, "\(why)")
    }

    /// A picture before and after the comment, and the name of its file.
    struct Marking: Sendable {
        let format: ThumbnailFormat
        let name: String
        let picture: [UInt8]
        let marked: [UInt8]
    }

    private static let words = Array("gallery-sync".utf8)

    @Test(arguments: [
        Marking(
            format: .jpeg, name: "a.jpg", picture: [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xDB],
            marked: [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFE, 0, 0x0E] + words + [0xFF, 0xDB]),
        Marking(
            format: .webp, name: "a.webp",
            picture: Array("RIFF".utf8) + [14, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [2, 0, 0, 0, 7, 7],
            marked: Array("RIFF".utf8) + [34, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [2, 0, 0, 0, 7, 7]
                + Array("gsyn".utf8) + [12, 0, 0, 0] + words),
        Marking(
            format: .avif, name: "a.avif", picture: [0, 0, 0, 8] + Array("ftyp".utf8),
            marked: [0, 0, 0, 8] + Array("ftyp".utf8) + [0, 0, 0, 20] + Array("free".utf8) + words),
    ])
    func aThumbnailCarriesOurMark(_ row: Marking) throws {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let place = ThumbnailFolder(path: folder.path, sizes: [64], format: row.format, protected: [])
        let spec = ThumbnailSpec(longSide: 64, maxBytes: 9_999, format: row.format)
        let thumbnail = Thumbnail(spec: spec, width: 4, height: 3, bytes: row.picture)
        for _ in 1...2 { _ = try place.write(thumbnail, "a") }
        let path = folder.path.appending(FilePath(row.name))
        #expect(try OpenFile(reading: path).readAll() == row.marked)
        try OpenFile(appending: path).append([0])
        if row.format != .jpeg { #expect(throws: OutputTaken.self) { try place.write(thumbnail, "a") } }
    }

    @Test func aSourceIsNeverReplaced() async throws {
        let folder = try Self.folder(["a.jpg"])
        defer { folder.remove() }
        let file = folder.path.appending("a.jpg")
        let sources = try ThumbnailSource.all(in: [file], rules: IgnoreRules(), except: folder.path)
        let made = try await Self.maker(folder.path, of: sources).make(try #require(sources.first))
        #expect(made.failure?.contains("would replace") == true)
        #expect(try OpenFile(reading: file).readAll(limit: 100) == Self.jpeg)
    }

    @Test func whatIsNoMediaFailsOnlyWhenItWasNamed() async throws {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let notes = folder.path.appending("notes.txt")
        try OpenFile(creating: notes).write(Array("words".utf8), at: 0)
        let found = try ThumbnailSource.all(in: [folder.path], rules: IgnoreRules(), except: "/elsewhere")
        let named = try ThumbnailSource.all(in: [notes], rules: IgnoreRules(), except: "/elsewhere")
        let maker = Self.maker(folder.path.appending("out"), of: found)
        let left = try await maker.make(try #require(found.first))
        #expect(left.isNoMedia && left.failure == nil)
        let refused = try await maker.make(try #require(named.first))
        #expect(!refused.isNoMedia && refused.failure != nil)
    }

    @Test func soundAloneIsNoFailure() async throws {
        let folder = try Self.folder(["a.mp4"])
        defer { folder.remove() }
        let sources = try ThumbnailSource.all(in: [folder.path], rules: IgnoreRules(), except: "/elsewhere")
        let maker = Self.maker(folder.path.appending("out"), of: sources, findsSound: true)
        let made = try await maker.make(try #require(sources.first))
        #expect(made.failure == nil)
        #expect(made.remark != nil)
        #expect(made.pictures.isEmpty)
    }

    @Test func aFileThatIsNotThereFailsInWords() async throws {
        let sources = try ThumbnailSource.all(in: ["/nowhere/a.jpg"], rules: IgnoreRules(), except: "/elsewhere")
        let made = try await Self.maker("/elsewhere", of: sources).make(try #require(sources.first))
        #expect(made.failure == "No such file or directory", "its name is said before it")
    }

    @Test func theTallyAddsUp() throws {
        let sources = try ThumbnailSource.all(
            in: ["/nowhere/a.jpg", "/nowhere/b.jpg", "/nowhere/c.txt"], rules: IgnoreRules(), except: "/elsewhere")
        var tally = ThumbnailTally(sources)
        tally.count(ThumbnailMaker.Made(source: sources[0], pictures: ["1", "2"]))
        tally.count(ThumbnailMaker.Made(source: sources[1], failure: "broken"))
        tally.count(ThumbnailMaker.Made(source: sources[2], isNoMedia: true))
        #expect(tally.summary == "2 thumbnails of 2 files, 1 failed, 1 left out: no media")
        #expect(tally.progress.counts == [Progress.Count(.thumbnail, done: 3, of: 3, failed: 1)])
    }
}
