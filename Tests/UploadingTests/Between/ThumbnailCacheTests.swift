import MediaModel
import Platform
import TestSupport
import Testing
import Uploading

@Suite struct ThumbnailCacheTests {
    private static let content = String(repeating: "ab", count: 32)

    private func thumbnail(_ text: String) -> Thumbnail {
        Thumbnail(spec: ThumbnailSpec(longSide: 512), width: 4, height: 3, bytes: Array(text.utf8))
    }

    @Test func whatIsKeptIsFound() async throws {
        try await FileTree().withDirectory { folder in
            let cache = ThumbnailCache(folder: folder.appending("thumbnails"))
            let before = try cache.existing(Self.content, size: 512)
            let kept = try cache.keep(thumbnail("picture"), of: Self.content)
            let found = try cache.existing(Self.content, size: 512)
            let otherSize = try cache.existing(Self.content, size: 256)
            let bytes = try OpenFile(reading: cache.path(of: Self.content, size: 512)).readAll()
            #expect(before == nil)
            #expect(found == kept)
            #expect(otherSize == nil)
            #expect(bytes == Array("picture".utf8))
        }
    }

    @Test(arguments: ThumbnailFormat.stored)
    func eachFormatIsAFileOfItsOwn(_ format: ThumbnailFormat) async throws {
        try await FileTree().withDirectory { folder in
            let cache = ThumbnailCache(folder: folder)
            let spec = ThumbnailSpec(longSide: 512, format: format)
            let kept = try cache.keep(
                Thumbnail(spec: spec, width: 4, height: 3, bytes: Array(format.rawValue.utf8)), of: Self.content)
            #expect(kept.format == format)
            for other in ThumbnailFormat.stored {
                #expect(try cache.existing(Self.content, size: 512, format: other) == (other == format ? kept : nil))
            }
            let place = try #require(try cache.place(of: Self.content, size: 512))
            #expect(place.format == format)
            #expect(try OpenFile(reading: place.path).readAll() == Array(format.rawValue.utf8))
            #expect(try cache.place(of: Self.content, size: 256) == nil)
        }
    }

    /// An item names the bytes and the time of the picture; made again after a crash, it must still be that one.
    @Test func theSamePictureMadeAgainStaysTheSameFile() async throws {
        try await FileTree().withDirectory { folder in
            let cache = ThumbnailCache(folder: folder)
            let first = try cache.keep(thumbnail("picture"), of: Self.content)
            let again = try cache.keep(thumbnail("picture"), of: Self.content)
            let other = try cache.keep(thumbnail("better"), of: Self.content)
            let found = try cache.existing(Self.content, size: 512)
            #expect(again == first)
            #expect(other.sha256 != first.sha256)
            #expect(found == other)
        }
    }

    /// What a power cut left of a picture that was not synchronized.
    @Test func anEmptyPictureIsNone() async throws {
        try await FileTree().withDirectory { folder in
            let cache = ThumbnailCache(folder: folder)
            let kept = try cache.keep(thumbnail("picture"), of: Self.content)
            try OpenFile(appending: cache.path(of: Self.content, size: 512)).truncate(to: 0)
            let cut = try cache.existing(Self.content, size: 512)
            #expect(try cache.place(of: Self.content, size: 512) == nil, "nor is there one to be shown")
            let again = try cache.keep(thumbnail("picture"), of: Self.content)
            #expect(cut == nil)
            #expect(again.sha256 == kept.sha256)
            #expect(try cache.existing(Self.content, size: 512) == again)
        }
    }

    /// Equal files are often processed together: an item whose picture another one replaced would be withdrawn.
    @Test func equalPicturesMadeAtOnceAreOneFile() async throws {
        try await FileTree().withDirectory { folder in
            let cache = ThumbnailCache(folder: folder)
            let picture = thumbnail("picture")
            for round in 0..<100 {
                let content = SHA256.hash("\(round)".utf8).hexadecimal
                let kept = try await withThrowingTaskGroup(of: CachedThumbnail.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            try await Blocking.run { () throws(SystemError) in try cache.keep(picture, of: content) }
                        }
                    }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
                let found = try #require(try cache.existing(content, size: 512))
                #expect(kept == [found])
            }
        }
    }
}
