import MediaModel
import Platform
import TestSupport
import Testing

@testable import Benchmarks

/// How the programs that make pictures are run, and what is concluded from what they left.
@Suite struct PictureMakersTests {
    private static let ours = ["gallery-sync": Script.agent]
    private static let both = ["vipsthumbnail": Script.vipsthumbnail, "ffmpegthumbnailer": Script.ffmpegthumbnailer]

    /// A peer that fails on a file goes on with the others, whether it gets them one by one or together.
    @Test(arguments: [Peer.vipsthumbnail, .ffmpegthumbnailer])
    func eachSideOpensWhatItCan(peer: Peer) async throws {
        try await Bench.with(ours: Self.ours, others: Self.both) { bench in
            let files = try bench.files("a.gif", "bad1.gif", "b.gif", "bad 2.gif", "c d.gif")
            let opened = try await PictureMakers(bench: bench.bench, files: files).opened(peer)
            #expect(opened.ours == Set([files[0], files[2], files[4]]))
            #expect(opened.theirs == opened.ours)
        }
    }

    @Test func withoutThePeerOursAreCounted() async throws {
        try await Bench.with(ours: Self.ours) { bench in
            let files = try bench.files("a.gif")
            let makers = PictureMakers(bench: bench.bench, files: files)
            let opened = try await makers.opened(.vipsthumbnail)
            #expect(opened.ours == Set(files) && opened.theirs == nil)
            #expect(try await makers.compare(with: .vipsthumbnail).theirs == nil)
            #expect(try await makers.compareWatched(with: .vipsthumbnail).theirs == nil)
        }
    }

    @Test(arguments: [Peer.vipsthumbnail, .ffmpegthumbnailer])
    func bothAreTimedOnTheSameFiles(peer: Peer) async throws {
        try await Bench.with(ours: Self.ours, others: Self.both, "--rounds 1") { bench in
            let makers = PictureMakers(bench: bench.bench, files: try bench.files("a.gif", "b.gif", "c.gif"))
            let taken = try await makers.compare(with: peer)
            #expect(taken.ours > 0)
            #expect(try #require(taken.theirs) > 0)
            let watched = try await makers.compareWatched(with: peer)
            #expect(watched.theirs != nil)
        }
    }

    /// A time is worth nothing where pictures are missing, whichever program owes them.
    @Test(arguments: [
        ("ours", "gallery-sync", "#!/bin/sh\nexit 0\n", "made 0 pictures of 2 files"),
        ("ours", "gallery-sync", "#!/bin/sh\nexit 3\n", "own/gallery-sync ended with exited(3)"),
        ("theirs", "vipsthumbnail", "#!/bin/sh\nexit 0\n", "made 0 pictures of 2 files"),
    ])
    func aRunThatOwesPicturesHasNoTime(side: String, name: String, script: String, words: String) async throws {
        let own = side == "ours" ? [name: script] : Self.ours
        let others = side == "ours" ? Self.both : [name: script]
        try await Bench.with(ours: own, others: others, "--rounds 1") { bench in
            let makers = PictureMakers(bench: bench.bench, files: try bench.files("a.gif", "b.gif"))
            do {
                _ = try await makers.compare(with: .vipsthumbnail)
                Issue.record("it has a time")
            } catch {
                #expect("\(error)".hasSuffix(words), "\(error)")
            }
        }
    }

    @Test(
        arguments: [
            ("of three and of one", [3, 1], 2.0), ("none was told", [], 0), ("a photo has none", [nil, 4], 2),
        ] as [(String, [Int?], Double)])
    func theDecodedFramesAreCountedPerVideo(why: String, frames: [Int?], mean: Double) async throws {
        let lines = frames.map { count in
            "echo '{\"facts\":{\"kind\":\"video\",\"type\":\"video/mp4\",\"isMirrored\":false,\"notes\":[]\(count.map { ",\"posterFrames\":\($0)" } ?? "")}}'\n"
        }
        try await Bench.with(ours: ["gallery-sync": "#!/bin/sh\n" + lines.joined()]) { bench in
            let makers = PictureMakers(bench: bench.bench, files: try bench.files("a.mp4"))
            #expect(try await makers.framesDecoded() == mean, "\(why)")
        }
    }

    @Test(arguments: ["exit 1", "echo nonsense"])
    func whatCannotBeReadIsNoCountOfFrames(script: String) async throws {
        try await Bench.with(ours: ["gallery-sync": "#!/bin/sh\n\(script)\n"]) { bench in
            let makers = PictureMakers(bench: bench.bench, files: try bench.files("a.mp4"))
            await #expect(throws: (any Error).self) { try await makers.framesDecoded() }
        }
    }
}

/// The rows of a user's own files.
@Suite struct CorpusRowTests {
    private static func rows(
        _ names: String..., others: [String: String] = [:]
    ) async throws -> [String] {
        var found: [String] = []
        try await FileTree().withDirectory { photos in
            for name in names {
                let bytes = name.hasSuffix("gif") ? Array("GIF89a".utf8) : [0xFF, 0xD8, 0xFF, 0xE0]
                try OpenFile(creating: photos.appending(FilePath(name))).append(bytes)
            }
            // The links of the bench are named by their formats.
            let agent = Script.agent.replacing("bad*", with: "jpg-*")
            try await Bench.with(
                ours: ["gallery-sync": agent], others: others, "corpus --rounds 1 --corpus \(photos.display)"
            ) { bench in
                found = await CorpusRow.benchmark.measurements(on: bench.bench).map { row in
                    "\(row.what) \(row.verdict.rawValue)"
                }
            }
        }
        return found
    }

    @Test func aPeerThatOpensNoneIsOutdone() async throws {
        let rows = try await Self.rows("a.gif", "b.gif", others: ["vipsthumbnail": "#!/bin/sh\nexit 1\n"])
        #expect(rows == ["GIF: files opened of 2 reached"])
    }

    @Test func whatNeitherOpensIsNotCompared() async throws {
        let rows = try await Self.rows("a.jpg", others: ["vipsthumbnail": "#!/bin/sh\nexit 1\n"])
        #expect(rows == ["JPEG: files opened of 1 unmeasured"])
    }

    @Test func whatOnlyThePeerOpensIsMissed() async throws {
        let rows = try await Self.rows("a.jpg", others: ["vipsthumbnail": Script.vipsthumbnail])
        #expect(rows == ["JPEG: files opened of 1 missed"])
    }

    /// Speeds and memory are compared on what both open; without a peer ours is shown alone.
    @Test func eachFormatHasItsRows() async throws {
        let rows = try await Self.rows("a.gif", "b.gif", "c.jpg")
        #expect(
            rows == [
                "GIF: files opened of 2 unmeasured", "GIF: thumbnails of 2 files unmeasured",
                "GIF: thumbnails of 2 files, of processor time unmeasured", "GIF: peak of one process unmeasured",
                "JPEG: files opened of 1 unmeasured",
            ])
    }
}
