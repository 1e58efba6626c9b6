import Fixtures
import Glibc
import MediaModel
import Platform
import Records
import Roots
import TestSupport
import Testing

@testable import Catalog
@testable import Configuration
@testable import Queue
@testable import Sync
@testable import Uploading

/// When pictures that exist already are reused.
@Suite struct ThumbnailerTests {
    /// Fills every file with the requested background, and reports that the background is visible.
    private struct Painter: MediaExamining {
        let isTransparent: Bool
        let jobs = Shared<[MediaJob]>([])

        func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
            jobs.change { $0.append(job) }
            var facts = MediaFacts(kind: .photo, type: job.type)
            facts.background = isTransparent ? job.background : nil
            let colour = isTransparent ? job.background.hexadecimal : "opaque"
            return .examined(
                facts, job.specs.map { Thumbnail(spec: $0, width: 4, height: 3, bytes: Array(colour.utf8)) })
        }

        func tend() async {}
    }

    private static let blue = RGBColour(red: 0, green: 0, blue: 255)

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let isTransparent: Bool
        let backgrounds: [RGBColour]
        let examinations: Int
        let pictures: [String]

        init(_ fact: String, isTransparent: Bool, _ backgrounds: [RGBColour], examinations: Int, _ pictures: [String]) {
            testDescription = fact
            self.isTransparent = isTransparent
            self.backgrounds = backgrounds
            self.examinations = examinations
            self.pictures = pictures
        }
    }

    @Test(arguments: [
        Row(
            "the same setting: made once", isTransparent: true, [.white, .white], examinations: 1,
            ["#ffffff", "#ffffff"]),
        Row(
            "another background: made again", isTransparent: true, [.white, blue], examinations: 2,
            ["#ffffff", "#0000ff"]),
        Row(
            "and back", isTransparent: true, [.white, blue, .white], examinations: 3, ["#ffffff", "#0000ff", "#ffffff"]),
        Row(
            "another background behind an opaque picture: made once", isTransparent: false, [.white, blue],
            examinations: 1, ["opaque", "opaque"]),
    ])
    func picturesHaveTheBackgroundThatIsSet(_ row: Row) async throws {
        try await FileTree(["a.png": "picture"]).withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let painter = Painter(isTransparent: row.isTransparent)
            var pictures: [String] = []
            for background in row.backgrounds {
                var settings = Settings.Thumbnails()
                settings.background = background
                let cache = ThumbnailCache(folder: folder.appending("cache"))
                let thumbnailer = Thumbnailer(workers: painter, library: library, cache: cache, settings: settings)
                let asset = try Self.asset(folder)
                let outcome = try await thumbnailer.pictures(of: asset, in: Self.root(folder))
                // Also where the pictures are there already.
                #expect(outcome.facts != nil)
                let made = outcome.thumbnails
                let picture = try OpenFile(reading: cache.path(of: asset.sha256, size: 512)).readAll()
                #expect(made.map(\.sha256) == [SHA256.hash(picture).hexadecimal])
                pictures.append(String(decoding: picture, as: UTF8.self))
            }
            #expect(pictures == row.pictures)
            #expect(painter.jobs.value.count == row.examinations)
        }
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The settings of one examination after the other.
        let formats: [ThumbnailFormat]
        var stored: [ThumbnailFormat] = []
        var isForced = false
        let made: [ThumbnailFormat]
        let examinations: Int
    }

    @Test(arguments: [
        Change(testDescription: "new files come as set", formats: [.webp], made: [.webp], examinations: 1),
        Change(
            testDescription: "equal files have what was made first", formats: [.jpeg, .avif], made: [.jpeg, .jpeg],
            examinations: 1),
        Change(
            testDescription: "a stored picture keeps its format when it is made anew", formats: [.webp],
            stored: [.jpeg], made: [.jpeg], examinations: 1),
        Change(
            testDescription: "of two that are stored, the one that is set", formats: [.webp], stored: [.jpeg, .webp],
            made: [.webp], examinations: 1),
        Change(
            testDescription: "all of it asked for again", formats: [.jpeg, .webp], stored: [.jpeg], isForced: true,
            made: [.jpeg, .webp], examinations: 2),
    ])
    func aPictureHasTheFormatThatIsSet(_ row: Change) async throws {
        try await FileTree(["a.png": "picture"]).withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let painter = Painter(isTransparent: false)
            let place = try await Self.place(withPictures: row.stored, in: library, folder)
            var made: [ThumbnailFormat] = []
            for format in row.formats {
                var settings = Settings.Thumbnails()
                settings.format = format
                let cache = ThumbnailCache(folder: folder.appending("cache"))
                let thumbnailer = Thumbnailer(workers: painter, library: library, cache: cache, settings: settings)
                let asset = try Self.asset(folder, at: place, isForced: row.isForced)
                made += try await thumbnailer.pictures(of: asset, in: Self.root(folder)).thumbnails.map(\.format)
            }
            #expect(made == row.made)
            #expect(painter.jobs.value.count == row.examinations)
        }
    }

    /// A worker that is ended with the run.
    private struct Interrupted: MediaExamining {
        func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
            withUnsafeCurrentTask { $0?.cancel() }
            return .failed("cancelled")
        }

        func tend() async {}
    }

    @Test func anExaminationThatTheEndOfTheRunCutShortSaysNothingAboutTheFile() async throws {
        try await FileTree(["a.png": "picture"]).withDirectory { folder in
            let thumbnailer = Thumbnailer(
                workers: Interrupted(), library: try Library(path: folder.appending("library.sqlite")),
                cache: ThumbnailCache(folder: folder.appending("cache")), settings: Settings.Thumbnails())
            let asset = try Self.asset(folder)
            let run = Task { try await thumbnailer.pictures(of: asset, in: Self.root(folder)).note }
            await #expect(throws: CancellationError.self) { _ = try await run.value }
        }
    }

    /// Workers that end each examination in the same way.
    private struct Ending: MediaExamining {
        let outcome: MediaOutcome

        func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome { outcome }
        func tend() async {}
    }

    @Test(arguments: [
        (MediaOutcome.unavailable("no memory for a process"), Asset.Pictures.wanted),
        (.failed("moov atom not found"), .failed), (.crashed(signal: 11), .failed), (.timedOut, .failed),
        (.outOfMemory, .failed),
    ])
    func onlyAFailureOfTheFileIsRemembered(_ outcome: MediaOutcome, _ state: Asset.Pictures) async throws {
        try await FileTree(["a.png": "picture"]).withDirectory { folder in
            let thumbnailer = Thumbnailer(
                workers: Ending(outcome: outcome), library: try Library(path: folder.appending("library.sqlite")),
                cache: ThumbnailCache(folder: folder.appending("cache")), settings: Settings.Thumbnails())
            let pictures = try await thumbnailer.pictures(of: Self.asset(folder), in: Self.root(folder))
            #expect(pictures.state == state)
            #expect(pictures.note == "No thumbnail: \(outcome.reason)")
        }
    }

    /// Workers that a hostile file has taken over, which answer whatever it likes.
    private struct TakenOver: MediaExamining {
        let pictures: [ThumbnailSpec]

        func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
            .examined(
                MediaFacts(kind: .photo, type: job.type),
                pictures.map { Thumbnail(spec: $0, width: 4, height: 3, bytes: Array("picture".utf8)) })
        }

        func tend() async {}
    }

    @Test(arguments: [
        ("a size that was not asked for", [ThumbnailSpec(longSide: 512), ThumbnailSpec(longSide: 9999)], [512]),
        ("one twice", [ThumbnailSpec(longSide: 512), ThumbnailSpec(longSide: 512)], [512]),
        ("one in two formats", [ThumbnailSpec(longSide: 512), ThumbnailSpec(longSide: 512, format: .webp)], [512]),
        ("in place of another format", [ThumbnailSpec(longSide: 512, format: .webp)], [512]),
        ("none of those asked for", [ThumbnailSpec(longSide: 1)], []),
    ])
    func onlyPicturesThatWereAskedForAreKept(_ row: (what: String, answer: [ThumbnailSpec], kept: [Int])) async throws {
        try await FileTree(["a.png": "picture"]).withDirectory { folder in
            let cache = folder.appending("cache")
            let thumbnailer = Thumbnailer(
                workers: TakenOver(pictures: row.answer),
                library: try Library(path: folder.appending("library.sqlite")),
                cache: ThumbnailCache(folder: cache), settings: Settings.Thumbnails())
            let pictures = try await thumbnailer.pictures(of: Self.asset(folder), in: Self.root(folder))
            #expect(pictures.thumbnails.map(\.size) == row.kept, "\(row.what)")
            let files = row.kept.isEmpty ? [] : try Directory(cache.appending("ab")).names()
            #expect(files.count == row.kept.count, "\(row.what)")
        }
    }

    @Test func picturesWhoseWorkersAreKilledAreOwedButNotForEver() async throws {
        try await FileTree(["a.png": "picture"]).withDirectory { folder in
            let thumbnailer = Thumbnailer(
                workers: Ending(outcome: .killed), library: try Library(path: folder.appending("library.sqlite")),
                cache: ThumbnailCache(folder: folder.appending("cache")), settings: Settings.Thumbnails())
            var states: [Asset.Pictures] = []
            for _ in 1...6 {
                states.append(try await thumbnailer.pictures(of: Self.asset(folder), in: Self.root(folder)).state)
            }
            #expect(states == [.wanted, .wanted, .wanted, .wanted, .failed, .failed])
        }
    }

    @Test func aCacheThatTakesNothingCostsThePicturesAlone() async throws {
        try await FileTree(["a.png": "picture", "cache": "no folder"]).withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let cache = ThumbnailCache(folder: folder.appending("cache"))
            let thumbnailer = Thumbnailer(
                workers: Painter(isTransparent: false), library: library, cache: cache, settings: Settings.Thumbnails())
            let asset = try Self.asset(folder)
            let pictures = try await thumbnailer.pictures(of: asset, in: Self.root(folder))
            #expect(pictures.thumbnails.isEmpty && pictures.state == .wanted && pictures.facts != nil)
            #expect(
                pictures.note == "No thumbnail: the thumbnail cache \(cache.folder) cannot be used: File exists")
            #expect(try await library.content(asset.sha256)?.facts != nil)
        }
    }

    @Test(arguments: [
        (ENOSPC, "the disk of the thumbnail cache /c is full"), (EDQUOT, "the disk of the thumbnail cache /c is full"),
        (EROFS, "the disk of the thumbnail cache /c is read-only"),
        (EACCES, "the thumbnail cache /c cannot be used: Permission denied"),
    ])
    func theCachesTroubleNamesItsDisk(code: Int32, words: String) {
        #expect(ThumbnailCache(folder: "/c").trouble(SystemError(call: "write", code: code, path: "/c/1/2")) == words)
    }

    /// Workers during whose work the file gets other bytes.
    private struct Overtaken: MediaExamining {
        let path: FilePath

        func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
            do { try OpenFile(creating: path).write(Array("other bytes".utf8), at: 0) } catch {
                return .failed("\(error)")
            }
            return .examined(
                MediaFacts(kind: .photo, type: job.type),
                job.specs.map { Thumbnail(spec: $0, width: 4, height: 3, bytes: Array("of other bytes".utf8)) })
        }

        func tend() async {}
    }

    @Test func pictureAndFactsOfAFileThatChangedMeanwhileAreNotKeptForItsFormerContent() async throws {
        try await FileTree(["a.png": "picture"]).withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let cache = ThumbnailCache(folder: folder.appending("cache"))
            let thumbnailer = Thumbnailer(
                workers: Overtaken(path: folder.appending("a.png")), library: library, cache: cache,
                settings: Settings.Thumbnails())
            let asset = try Self.asset(folder)
            let pictures = try await thumbnailer.pictures(of: asset, in: Self.root(folder))
            #expect(pictures.thumbnails.isEmpty && pictures.areOwed)
            #expect(try await library.content(asset.sha256)?.facts == nil)
            #expect(try cache.existing(asset.sha256, size: 512) == nil)
        }
    }

    private static func root(_ folder: FilePath) -> Root {
        Root(known: KnownRoot(id: 1, name: "Pictures", path: folder))
    }

    /// The place of a file whose pictures in these formats are stored.
    private static func place(
        withPictures formats: [ThumbnailFormat], in library: Library, _ folder: FilePath
    ) async throws -> Asset.Place {
        let root = try await library.root(at: folder, name: "Pictures").root
        try await library.make([MadeAsset("a.png")], below: root)
        for format in formats {
            let key = ObjectKey(
                thumbnail: 512, of: ObjectKey(root: "Pictures", path: "a.png"), format: format)
            let item = Item(
                root: "Pictures", path: "a.png", role: .thumbnail(512), contentType: format.type.rawValue, size: 7,
                sha256: MadeAsset("a.png").sha256, modifiedAt: FileTime(nanoseconds: 0), bucket: "media",
                objectKey: key,
                now: Items.now)
            let receipt = Receipt(
                destination: "here", key: key, role: item.role, item: item.id, sha256: item.sha256, size: item.size,
                objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Items.now, proof: .md5)
            try await library.record([(receipt, item)])
        }
        return try #require(try await library.asset(root: "Pictures", path: "a.png")).place
    }

    private static func asset(
        _ folder: FilePath, at place: Asset.Place? = nil, isForced: Bool = false
    ) throws -> IdentifiedAsset {
        let file = try OpenFile(reading: folder.appending("a.png"))
        let facts = try file.facts()
        let asset = Asset(
            place: place ?? Asset.Place(directory: 1, name: Array("a.png".utf8)), root: "Pictures", path: "a.png",
            size: facts.size, modifiedAt: facts.modifiedAt, state: .seen, sha256: nil,
            rank: Asset.Rank(rawValue: 0), forcedAt: isForced ? facts.modifiedAt : nil)
        let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let identity = try #require(MediaIdentity(header: header, fileExtension: Array("png".utf8)))
        return IdentifiedAsset(
            asset: asset, identity: identity, sha256: String(repeating: "ab", count: 32), file: file)
    }
}
