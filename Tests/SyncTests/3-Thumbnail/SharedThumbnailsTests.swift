import Fixtures
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

/// The pictures in the desktop's cache.
@Suite(.serialized) struct SharedThumbnailsTests {
    /// Pictures of a real photo, made by the real worker.
    private static func pictures(_ fixture: MediaFixture, of file: OpenFile, _ specs: [ThumbnailSpec]) async throws
        -> [Thumbnail]
    {
        let outcome = await (try fixture.pool()).examine(file, MediaJob(type: .jpeg, specs: specs))
        guard case .examined(_, let thumbnails) = outcome else {
            Issue.record("\(outcome)")
            return []
        }
        return thumbnails
    }

    /// The name is the sum of the URI: `printf file:///home/ada/a%20photo.jpg | md5sum`.
    private static let photo: FilePath = "/home/ada/a photo.jpg"
    private static let name = "55a194f8cdd1152ea027ba28f3cdc7d5.png"
    private static let time = FileTime(nanoseconds: 1_700_000_000_999_999_999)

    @Test func aPhotoIsKeptWithItsURIAndTimeReadableByItsOwnerOnly() async throws {
        try await MediaFixture.with { fixture in
            let folder = fixture.folder.appending("cache/thumbnails")
            let shared = SharedThumbnails(folder: folder)
            let file = try await fixture.made("jpeg", size: "1024x768")
            let wanted = try shared.wanted(for: Self.photo, modifiedAt: Self.time)
            #expect(wanted.map(\.longSide) == [256, 512] && wanted.allSatisfy { $0.format == .png })
            for picture in try await Self.pictures(fixture, of: file, wanted) {
                try shared.keep(picture, of: Self.photo, modifiedAt: Self.time)
            }
            for (size, side) in [("large", 256), ("x-large", 512)] {
                #expect(try FileFacts(of: folder.appending(size)).mode & 0o777 == 0o700)
                let path = folder.appending(size).appending(Self.name)
                #expect(try FileFacts(of: path).mode & 0o777 == 0o600)
                let picture = try #require(SharedPNG(OpenFile(reading: path).readAll()))
                #expect(picture.isPlain(side: side) && !picture.isPlain(side: side - 1))
                #expect(
                    picture.texts == ["Thumb::URI": "file:///home/ada/a%20photo.jpg", "Thumb::MTime": "1700000000"])
                // libpng reads it, sums included.
                let outcome = await (try fixture.pool()).examine(
                    try OpenFile(reading: path), MediaFixture.job(.png))
                #expect(outcome.isPicture)
                #expect(try Directory(folder.appending(size)).names().count == 1)
            }
            #expect(try shared.wanted(for: Self.photo, modifiedAt: Self.time).isEmpty)
        }
    }

    @Test func onlyAPictureOfThisVersionOfTheFileCounts() async throws {
        try await MediaFixture.with { fixture in
            let shared = SharedThumbnails(folder: fixture.folder.appending("thumbnails"))
            let spec = ThumbnailSpec(longSide: 256, format: .png)
            let file = try await fixture.made("jpeg", size: "64x48")
            let picture = try #require(try await Self.pictures(fixture, of: file, [spec]).first)
            try shared.keep(picture, of: Self.photo, modifiedAt: Self.time)
            #expect(try shared.wanted(for: Self.photo, modifiedAt: Self.time).map(\.longSide) == [512])
            let later = FileTime(nanoseconds: 1_700_000_001_000_000_000)
            #expect(try shared.wanted(for: Self.photo, modifiedAt: later).map(\.longSide) == [256, 512])
            try shared.keep(picture, of: Self.photo, modifiedAt: later)
            #expect(try shared.wanted(for: Self.photo, modifiedAt: later).map(\.longSide) == [512])
            let place = fixture.folder.appending("thumbnails/large").appending(Self.name)
            try OpenFile(creating: place).write(Array("no picture".utf8), at: 0)
            #expect(try shared.wanted(for: Self.photo, modifiedAt: later).map(\.longSide) == [256, 512])
        }
    }

    @Test func theCacheHasNoPicturesOfItself() throws {
        let shared = SharedThumbnails(folder: "/home/ada/.cache/thumbnails")
        #expect(try shared.wanted(for: "/home/ada/.cache/thumbnails/large/a.png", modifiedAt: Self.time).isEmpty)
    }

    /// What a worker that a file has taken over might answer.
    @Test(arguments: [[], Array("no picture".utf8), SharedPNG.signature])
    func whatIsNoPictureIsNotKept(bytes: [UInt8]) async throws {
        try await FileTree().withDirectory { folder in
            let shared = SharedThumbnails(folder: folder)
            let spec = ThumbnailSpec(longSide: 256, format: .png)
            try shared.keep(
                Thumbnail(spec: spec, width: 4, height: 3, bytes: bytes), of: Self.photo, modifiedAt: Self.time)
            #expect(try Directory(folder).names().isEmpty)
        }
    }

    @Test func aCacheThatCannotBeWrittenKeepsNothingFromBeingStored() async throws {
        try await MediaFixture.with { fixture in
            let file = try await fixture.made("jpeg", size: "64x48")
            // A file where the folder should be.
            try OpenFile(creating: fixture.folder.appending("thumbnails")).write([1], at: 0)
            let thumbnailer = Thumbnailer(
                workers: try fixture.pool(), library: try Library(path: fixture.folder.appending("library.sqlite")),
                cache: ThumbnailCache(folder: fixture.folder.appending("cache")), settings: Settings.Thumbnails(),
                shared: SharedThumbnails(folder: fixture.folder.appending("thumbnails")))
            let root = Root(known: KnownRoot(id: 1, name: "Pictures", path: "/home/ada"))
            let pictures = try await thumbnailer.pictures(of: try Self.identified(file), in: root)
            #expect(pictures.thumbnails.map(\.size) == [512])
        }
    }

    /// The picture that is stored is not made again for the desktop's sake.
    @Test func aCopyElsewhereGetsItsOwnPictures() async throws {
        try await MediaFixture.with { fixture in
            let file = try await fixture.made("jpeg", size: "1024x768")
            let folder = fixture.folder.appending("thumbnails")
            let thumbnailer = Thumbnailer(
                workers: try fixture.pool(), library: try Library(path: fixture.folder.appending("library.sqlite")),
                cache: ThumbnailCache(folder: fixture.folder.appending("cache")), settings: Settings.Thumbnails(),
                shared: SharedThumbnails(folder: folder))
            var made: [[CachedThumbnail]] = []
            for place: FilePath in ["/home/ada", "/home/ada/copies"] {
                let root = Root(known: KnownRoot(id: 1, name: "Pictures", path: place))
                made.append(try await thumbnailer.pictures(of: try Self.identified(file), in: root).thumbnails)
            }
            #expect(made[0].count == 1 && made[0] == made[1])
            #expect(try Directory(folder.appending("large")).names().count == 2)
            #expect(try Directory(folder.appending("x-large")).names().count == 2)
        }
    }

    private static func identified(_ file: OpenFile) throws -> IdentifiedAsset {
        let facts = try file.facts()
        let asset = Asset(
            place: Asset.Place(directory: 1, name: Array("a.jpg".utf8)), root: "Pictures", path: "a.jpg",
            size: facts.size, modifiedAt: facts.modifiedAt, state: .seen, sha256: nil,
            rank: Asset.Rank(rawValue: 0), forcedAt: nil)
        let identity = try #require(
            MediaIdentity(header: try file.read(at: 0, upTo: MediaIdentity.headerLength), fileExtension: []))
        return IdentifiedAsset(
            asset: asset, identity: identity, sha256: String(repeating: "ab", count: 32), file: file)
    }
}
