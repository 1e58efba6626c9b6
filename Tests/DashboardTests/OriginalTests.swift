import Fixtures
import FoundationEssentials
import MediaModel
import Platform
import Records
import Roots
import Serving
import Sync
import TestSupport
import Testing
import Uploading

@testable import Catalog
@testable import Dashboard
@testable import Queue

@Suite struct OriginalTests {
    /// The cache may be trimmed between the look and the opening.
    @Test func aPictureThatComesAndGoesIsNoTroubleOfTheServer() async throws {
        try await PageFixture.with { page in
            let asset = try #require(try await page.library.asset(root: "Pictures", path: "a.jpg"))
            let cache = ThumbnailCache(folder: page.folder.appending("cache"))
            let picture = cache.path(of: try #require(asset.sha256), size: 512)
            try Directory.create(at: picture.parent)
            let id = try await page.id("a.jpg")
            let isOver = Shared(false)
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask {
                    while !isOver.value {
                        try OpenFile(creating: picture).append([1, 2, 3])
                        try Directory(picture.parent).remove(file: FilePath(bytes: picture.name))
                    }
                }
                var statuses: Set<Int> = []
                for _ in 0..<3_000 { statuses.insert(await page.ask("/api/1/assets/\(id)/thumbnail").status) }
                isOver.change { $0 = true }
                #expect(statuses.isSubset(of: [200, 404]))
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let range: String
        let status: Int
        let content: String?
        let length: Int
        var testDescription: String { range }
    }

    @Test(arguments: [
        Row(range: "bytes=0-3", status: 206, content: "bytes 0-3/10", length: 4),
        Row(range: "bytes=9-", status: 206, content: "bytes 9-9/10", length: 1),
        Row(range: "bytes=-4", status: 206, content: "bytes 6-9/10", length: 4),
        Row(range: "bytes=5-99", status: 206, content: "bytes 5-9/10", length: 5),
        Row(range: "bytes=10-", status: 416, content: "bytes */10", length: 0),
        Row(range: "bytes=0-1,3-4", status: 200, content: nil, length: 10),
        Row(range: "bytes=5-2", status: 200, content: nil, length: 10),
        Row(range: "bytes=a-b", status: 200, content: nil, length: 10),
        Row(range: "pages=1", status: 200, content: nil, length: 10),
    ])
    func aRangeIsSent(_ row: Row) async throws {
        try await PageFixture.with { fixture in
            let answer = await fixture.ask(
                "/api/1/assets/\(try await fixture.id("a.jpg"))/original", [("range", row.range)])
            #expect(answer.status == row.status && answer.headers["content-range"] == row.content)
            #expect(try answer.bytes.count == row.length)
            #expect(answer.headers["content-security-policy"] == "default-src 'none'; sandbox")
        }
    }

    @Test func aRangeOfAnotherStateOfTheFileIsTheWhole() async throws {
        try await PageFixture.with { fixture in
            let target = "/api/1/assets/\(try await fixture.id("a.jpg"))/original"
            let answer = await fixture.ask(target, [("range", "bytes=0-3"), ("if-range", "\"other\"")])
            #expect(answer.status == 200)
        }
    }

    @Test func aSymlinkInPlaceOfTheFileIsNotFollowed() async throws {
        try await PageFixture.with { fixture in
            let answer = await fixture.ask("/api/1/assets/\(try await fixture.id("c.jpg"))/original")
            #expect(answer.status == 404)
        }
    }

    @Test(
        arguments: [
            ("a b.jpg", .jpeg, "", "inline; filename=\"a b.jpg\"; filename*=UTF-8''a%20b.jpg", "image/jpeg"),
            (
                "\"\r\nX: y.jpg", .jpeg, "", "inline; filename=\"___X: y.jpg\"; filename*=UTF-8''%22%0D%0AX%3A%20y.jpg",
                "image/jpeg"
            ),
            (
                "ü(1).mp4", .mp4, "?download=1",
                "attachment; filename=\"__(1).mp4\"; filename*=UTF-8''%C3%BC%281%29.mp4", "application/octet-stream"
            ),
            ("x.xmp", .xmp, "", "attachment; filename=\"x.xmp\"; filename*=UTF-8''x.xmp", "application/octet-stream"),
            (
                "x.svg", MediaType(rawValue: "image/svg+xml"), "",
                "attachment; filename=\"x.svg\"; filename*=UTF-8''x.svg", "application/octet-stream"
            ),
            (
                "x.svgz", MediaType(rawValue: "image/svg+xml-compressed"), "",
                "attachment; filename=\"x.svgz\"; filename*=UTF-8''x.svgz", "application/octet-stream"
            ),
        ] as [(String, MediaType, String, String, String)])
    func onlyKnownMediaAreShown(name: String, type: MediaType, query: String, disposition: String, sent: String) {
        let request = Request(method: "GET", target: "/original\(query)")
        let answer = OriginalDelivery(request, name: Array(name.utf8), type: type).answer(size: 0, tag: "\"t\"") { _ in
            .none
        }
        #expect(answer.headers["content-disposition"] == disposition)
        #expect(answer.headers["content-type"] == sent)
    }

    @Test func whatIsOnlyInStorageComesFromThere() async throws {
        try await PageFixture.with { fixture in
            let target = "/api/1/assets/\(try await fixture.id("gone.jpg"))/original"
            #expect(await fixture.ask(target).status == 404)
            let bytes = Randomness.bytes(3_000_000)
            try await fixture.keep(bytes, of: "gone.jpg")
            let answer = await fixture.ask(target, [("range", "bytes=1-2097200")])
            #expect(answer.status == 206)
            guard case .stream(2_097_200, let next) = answer.body else {
                Issue.record("no stream")
                return
            }
            var received: [UInt8] = []
            while let piece = try await next() { received += piece }
            #expect(received == Array(bytes[1...2_097_200]))
        }
    }

    @Test func aThumbnailIsAtLeastAsLargeAsAskedWhereOneIs() async throws {
        try await PageFixture.with { fixture in
            let target = "/api/1/assets/\(try await fixture.id("a.jpg"))/thumbnail"
            #expect(await fixture.ask(target).status == 404)
            let cache = try #require(fixture.router.contents).thumbnails
            let content = MadeAsset("a.jpg").sha256
            for size in [256, 512] {
                let picture = Thumbnail(
                    spec: ThumbnailSpec(longSide: size), width: 1, height: 1, bytes: Array("\(size)".utf8))
                _ = try cache.keep(picture, of: content)
            }
            for (query, size) in [("", "256"), ("?size=256", "256"), ("?size=257", "512"), ("?size=2000", "512")] {
                let answer = await fixture.ask(target + query)
                #expect(try answer.text == size)
                let tag = try #require(answer.headers["etag"])
                #expect(await fixture.ask(target + query, [("if-none-match", tag)]).status == 304)
            }
        }
    }
}

extension OriginalTests {
    @Test func aStoredPictureIsTheNewestOfTheLargestSize() async throws {
        try await PageFixture.with { fixture in
            let target = "/api/1/assets/\(try await fixture.id("gone.jpg"))/thumbnail"
            #expect(await fixture.ask(target).status == 404)
            try await fixture.keepPicture("small", size: 256, key: "small")
            try await fixture.keepPicture("older", size: 1024, key: "older", made: Items.now - 60)
            try await fixture.keepPicture("large", size: 1024, key: "large")
            #expect(try (await fixture.ask(target)).text == "large")
            try await fixture.keepPicture("newer", size: 1024, key: "newer", made: Items.now + 60)
            #expect(try (await fixture.ask(target)).text == "newer")
            // Where none could be made, a stored one shows earlier bytes.
            let place = try #require(try await fixture.library.asset(root: "Pictures", path: "gone.jpg")).place
            try await fixture.library.setPictures(of: place, to: .failed)
            try await fixture.library.commit()
            #expect(await fixture.ask(target).status == 404)
        }
    }

    @Test(arguments: ThumbnailFormat.stored, [true, false])
    func aPictureIsServedAsWhatItIs(_ format: ThumbnailFormat, isCached: Bool) async throws {
        try await PageFixture.with { fixture in
            let name = isCached ? "a.jpg" : "gone.jpg"
            if isCached {
                let spec = ThumbnailSpec(longSide: 512, format: format)
                let cache = try #require(fixture.router.contents).thumbnails
                _ = try cache.keep(
                    Thumbnail(spec: spec, width: 1, height: 1, bytes: Array("it".utf8)), of: MadeAsset("a.jpg").sha256)
            } else {
                try await fixture.keepPicture("it", size: 512, key: "gone.jpg.\(format.fileExtension)")
            }
            let answer = await fixture.ask("/api/1/assets/\(try await fixture.id(name))/thumbnail")
            #expect(try answer.text == "it")
            #expect(answer.headers["content-type"] == format.type.rawValue)
        }
    }

    @Test func thePicturesOfARowComeInOneAnswer() async throws {
        try await PageFixture.with { fixture in
            let cache = try #require(fixture.router.contents).thumbnails
            for (size, format, bytes) in [(256, ThumbnailFormat.jpeg, "small"), (512, .webp, "larger")] {
                let spec = ThumbnailSpec(longSide: size, format: format)
                _ = try cache.keep(
                    Thumbnail(spec: spec, width: 1, height: 1, bytes: Array(bytes.utf8)), of: MadeAsset("a.jpg").sha256)
            }
            // What only storage has is asked for by itself: it may take long.
            try await fixture.keepPicture("stored", size: 512, key: "gone.jpg.jpg")
            let (here, gone) = (try await fixture.id("a.jpg"), try await fixture.id("gone.jpg"))
            let unknown = AssetIdentifier(Asset.Place(directory: 99, name: Array("x".utf8))).text
            let ids = [here, gone, unknown, here].joined(separator: ",")
            for (size, parts, text) in [
                (256, "5 image/jpeg,0,0,5 image/jpeg", "smallsmall"),
                (257, "6 image/webp,0,0,6 image/webp", "largerlarger"),
            ] {
                let answer = await fixture.ask("/api/1/thumbnails?size=\(size)&ids=\(ids)")
                #expect(answer.status == 200 && answer.headers["x-pictures"] == parts)
                #expect(try answer.text == text)
            }
        }
    }

    @Test func onlyAFewPicturesAreAskedForAtOnce() async throws {
        try await PageFixture.with { fixture in
            let id = try await fixture.id("a.jpg")
            #expect(await fixture.ask("/api/1/thumbnails?size=abc&ids=\(id)").status == 400)
            for (ids, status) in [("", 400), ("x", 400), ("\(id),", 200)] {
                #expect(await fixture.ask("/api/1/thumbnails?ids=\(ids)").status == status)
            }
            for (count, status) in [(64, 200), (65, 400)] {
                let ids = Array(repeating: id, count: count).joined(separator: ",")
                #expect(await fixture.ask("/api/1/thumbnails?ids=\(ids)").status == status)
            }
        }
    }

    @Test func theOriginalIsNoPicture() async throws {
        try await PageFixture.with { fixture in
            try await fixture.keep([1, 2, 3], of: "gone.jpg")
            #expect(await fixture.ask("/api/1/assets/\(try await fixture.id("gone.jpg"))/thumbnail").status == 404)
        }
    }

    @Test func whatWasLookedAtIsThereWithoutAConnection() async throws {
        try await PageFixture.with { fixture in
            let bytes = (0..<(KeptPieces.size * 2 + 5)).map { UInt8(truncatingIfNeeded: $0 / 251) }
            try await fixture.keep(bytes, of: "gone.jpg")
            let target = "/api/1/assets/\(try await fixture.id("gone.jpg"))/original"
            let first = await fixture.ask(target, [("range", "bytes=1048570-1048580")])
            #expect(first.status == 206)
            #expect(try await first.streamed() == Array(bytes[1_048_570...1_048_580]))
            #expect(try await fixture.ask(target).streamed() == bytes)
            fixture.host.isOffline = true
            #expect(try await fixture.ask(target).streamed() == bytes)
        }
    }

    @Test(arguments: ["clip.jpg", "pair.jpg"]) func theMotionOfALivePhotoIsAVideoOfItsOwn(name: FilePath) async throws {
        try await PageFixture.with { fixture in
            try FileTree(["clip.jpg": "pictureMOVIE.", "pair.jpg": "picture", "pair.mov": "MOVIE"]).write(
                to: fixture.folder.appending("Pictures"))
            try await fixture.add(LivePhotos.assets)
            let target = "/api/1/assets/\(try await fixture.id(name.display))"
            let whole = await fixture.ask(target + "/motion")
            #expect(try whole.status == 200 && whole.text == "MOVIE")
            #expect(whole.headers["content-type"]?.hasPrefix("video/") == true)
            let part = await fixture.ask(target + "/motion", [("range", "bytes=1-2")])
            #expect(try part.status == 206 && part.text == "OV" && part.headers["content-range"] == "bytes 1-2/5")
            #expect(try await fixture.ask(target).text.contains(#""live":"\#(name == "clip.jpg" ? "clip" : "pair")""#))
            #expect(await fixture.ask("/api/1/assets/\(try await fixture.id("a.jpg"))/motion").status == 404)
        }
    }

    @Test func theMotionComesFromStorageWhereItsFileIsGone() async throws {
        try await PageFixture.with { fixture in
            try await fixture.add(LivePhotos.assets.map(\.remoteOnly))
            try await fixture.keep(Array("pictureMOVIE.".utf8), of: "clip.jpg")
            try await fixture.keep(Array("MOVIE".utf8), of: "pair.mov")
            for name in ["clip.jpg", "pair.jpg"] {
                let answer = await fixture.ask("/api/1/assets/\(try await fixture.id(name))/motion")
                #expect(try await answer.streamed() == Array("MOVIE".utf8))
            }
        }
    }

    @Test func aFileThatBecameShorterThanItsClipHasNoMotion() async throws {
        try await PageFixture.with { fixture in
            try FileTree(["clip.jpg": "pictureMOV"]).write(to: fixture.folder.appending("Pictures"))
            try await fixture.add(LivePhotos.assets)
            #expect(await fixture.ask("/api/1/assets/\(try await fixture.id("clip.jpg"))/motion").status == 404)
        }
    }

    /// As a worker may state it that a hostile file has taken over.
    @Test(arguments: [
        EmbeddedClip(offset: -5, length: -1), .init(offset: 0, length: -1), .init(offset: 0, length: 0),
        .init(offset: .min, length: 1), .init(offset: .max, length: .max), .init(offset: 7, length: .max),
    ])
    func aClipThatLiesInNoFileHasNoMotion(_ clip: EmbeddedClip) async throws {
        try await PageFixture.with { fixture in
            try FileTree(["clip.jpg": "pictureMOVIE"]).write(to: fixture.folder.appending("Pictures"))
            var asset = MadeAsset("clip.jpg")
            asset.clip = clip
            try await fixture.add([asset])
            #expect(await fixture.ask("/api/1/assets/\(try await fixture.id("clip.jpg"))/motion").status == 404)
        }
    }

    @Test func whatIsOnlyInStorageIsAwayUntilItWasLookedAt() async throws {
        try await PageFixture.with { fixture in
            func away() async throws -> [String] {
                let columns = try Columns(await fixture.ask("/api/1/timeline/assets"))
                return zip(columns.names, columns.away).filter(\.1).map(\.0)
            }
            try await fixture.keep([1, 2, 3], of: "gone.jpg")
            #expect(try await away() == ["gone.jpg"])
            _ = try await fixture.ask("/api/1/assets/\(try await fixture.id("gone.jpg"))/original").streamed()
            #expect(try await away() == [])
            let root = try #require(fixture.router.contents?.roots["Pictures"])
            root.sight.absence = RootAbsence("it is not mounted")
            #expect(try await away().count == 3)
        }
    }

    /// A power cut leaves a kept piece empty, or a part of it.
    @Test(arguments: [0, 2]) func aPieceThatWasNotKeptWholeIsFetchedAgain(left: Int) async throws {
        try await PageFixture.with { fixture in
            try await fixture.keep([1, 2, 3], of: "gone.jpg")
            let target = "/api/1/assets/\(try await fixture.id("gone.jpg"))/original"
            let piece = fixture.folder.appending("originals").appending("\(MadeAsset("gone.jpg").sha256)-0")
            for _ in 0..<2 {
                #expect(try await fixture.ask(target).streamed() == [1, 2, 3])
                #expect(try FileFacts.existing(piece)?.size == 3 + 32, "with its hash")
                try OpenFile(appending: piece).truncate(to: Int64(left))
            }
            fixture.host.isOffline = true
            #expect(await fixture.ask(target).status == 503)
        }
    }

    @Test func whatIsNotAtHandSaysSo() async throws {
        try await PageFixture.with { fixture in
            try await fixture.keep([1, 2, 3], of: "gone.jpg")
            fixture.host.isOffline = true
            let answer = await fixture.ask("/api/1/assets/\(try await fixture.id("gone.jpg"))/original")
            let text = try answer.text
            #expect(answer.status == 503 && text.contains("not at hand"))
            let details = try await fixture.ask("/api/1/assets/\(try await fixture.id("gone.jpg"))").text
            #expect(details.contains(#""absence":"The file is not at hand:"#))
            try await fixture.keepPicture("large", size: 1024, key: "large")
            let picture = await fixture.ask("/api/1/assets/\(try await fixture.id("gone.jpg"))/thumbnail")
            #expect(try picture.status == 503 && picture.text.contains("The picture is not at hand:"))
        }
    }
}

/// A motion photo, and a Live Photo of two files.
enum LivePhotos {
    static let assets: [MadeAsset] = {
        var (clip, photo, movie) = (
            MadeAsset("clip.jpg"), MadeAsset("pair.jpg"), MadeAsset("pair.mov", type: .quickTime)
        )
        clip.clip = EmbeddedClip(offset: 7, length: 5)
        (photo.contentIdentifier, movie.contentIdentifier) = ("A", "A")
        return [clip, photo, movie]
    }()
}

extension MadeAsset {
    fileprivate var remoteOnly: MadeAsset {
        var asset = self
        asset.state = .remoteOnly
        return asset
    }
}

extension Response {
    /// The whole body of a stream.
    fileprivate func streamed() async throws -> [UInt8] {
        guard case .stream(_, let next) = body else { return [] }
        var bytes: [UInt8] = []
        while let piece = try await next() { bytes += piece }
        return bytes
    }
}

extension PageFixture {
    /// Has storage hold the bytes of an asset, with a receipt for them.
    fileprivate func keep(_ bytes: [UInt8], of name: FilePath) async throws {
        let item = Items.pending(name, size: Int64(bytes.count))
        let receipt = Receipt(
            destination: "here", key: item.objectKey, role: .original, item: item.id, sha256: MadeAsset(name).sha256,
            size: item.size, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Items.now, proof: .md5)
        host.hold(bytes, at: item.objectKey.text)
        try await library.record([(receipt, item)])
    }

    /// Has storage hold a picture of `gone.jpg` under a key.
    fileprivate func keepPicture(
        _ text: String, size: Int, key: String, made: Date = Items.now
    ) async throws {
        let item = Items.pending("gone.jpg", size: Int64(text.utf8.count), made: made, role: .thumbnail(size))
        let key = ObjectKey(text: key)
        let receipt = Receipt(
            destination: "here", key: key, role: item.role, item: item.id,
            sha256: SHA256.hash(Array(text.utf8)).hexadecimal, size: item.size, objectID: nil, version: nil, eTag: nil,
            updatedAt: nil, verifiedAt: made, proof: .md5)
        host.hold(Array(text.utf8), at: key.text)
        try await library.record([(receipt, item)])
    }
}
