import MediaModel
import Platform
import TestSupport
import Testing

@testable import Benchmarks

@Suite struct GalleryFilesTests {
    @Test func noTwoFilesShareAPathOrContent() {
        let numbers = Array(0..<300) + Array(9_900..<10_100)
        #expect(Set(numbers.map(GalleryFiles.path)).count == numbers.count)
        #expect(Set(numbers.map(GalleryFiles.content)).count == numbers.count)
    }

    @Test func aHundredShareADirectory() {
        #expect(GalleryFiles.path(0).parent == GalleryFiles.path(99).parent)
        #expect(GalleryFiles.path(99).parent != GalleryFiles.path(100).parent)
        #expect(GalleryFiles.path(0).parent != GalleryFiles.path(10_000).parent)
    }

    @Test func theirBytesSayJPEG() {
        #expect(MediaIdentity(header: GalleryFiles.content(7), fileExtension: [])?.type == .jpeg)
    }

    @Test func laterOnesAreNewer() throws {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        try GalleryFiles(folder: folder.path, count: 120).write()
        let times = try (0..<120).map { try FileFacts(of: folder.path.appending(GalleryFiles.path($0))).modifiedAt }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.nanoseconds < $1.nanoseconds })
    }

    @Test func withoutALibraryNothingIsStored() async throws {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let files = GalleryFiles(folder: folder.path, count: 3)
        #expect(try await !files.areNewestStored(in: folder.path.appending("library.sqlite")))
    }
}
