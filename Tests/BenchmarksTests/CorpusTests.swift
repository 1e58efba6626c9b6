import MediaModel
import Platform
import TestSupport
import Testing

@testable import Benchmarks

@Suite struct CorpusTests {
    @Test func filesAreFoundByTheirBytesAndNamedApart() async throws {
        let photos: FileTree = ["a": ["same.jpg": "GIF89a"], "b": ["same.jpg": "GIF89a"], "note.txt": "x"]
        try await photos.withDirectory { folder in
            let work = try TemporaryDirectory()
            defer { work.remove() }
            let bench = try Workbench(try BenchmarkOrder(["corpus", "--folder", work.path.display]))
            let formats = try await Corpus(folder, on: bench).formats
            #expect(formats.map(\.type) == [.gif])
            let paths = try #require(formats.first).paths
            #expect(Set(paths.map(\.name)).count == 2)
            for path in paths { #expect(try OpenFile(reading: path).readAll() == Array("GIF89a".utf8)) }
        }
    }

    /// What is no media file, has no certain kind, or is a link is left out; the format with the most files comes first.
    @Test func onlyMediaCountTheMostFirst() async throws {
        let photos: FileTree = [
            "a.gif": "GIF89a", "deep": ["er": ["b.gif": "GIF89a"]], "c.webp": "RIFF....WEBPVP8 ", "d.txt": "text",
            "empty.jpg": "",
        ]
        try await photos.withDirectory { folder in
            try Directory(folder).createLink("link.gif", to: folder.appending("a.gif"))
            let work = try TemporaryDirectory()
            defer { work.remove() }
            let bench = try Workbench(try BenchmarkOrder(["corpus", "--folder", work.path.display]))
            let formats = try await Corpus(folder, on: bench).formats
            #expect(formats.map { "\($0.type.name) \($0.paths.count)" } == ["GIF 2", "WebP 1"])
        }
    }

    @Test func withoutAFolderTheRowIsLeftOut() async throws {
        let work = try TemporaryDirectory()
        defer { work.remove() }
        let bench = try Workbench(try BenchmarkOrder(["corpus", "--folder", work.path.display]))
        #expect(await CorpusRow.benchmark.measurements(on: bench).map(\.verdict) == [.unmeasured])
    }
}
