import Fixtures
import FoundationEssentials
import MediaModel
import Platform
import Serving
import Sync
import TestSupport
import Testing
import Uploading

@testable import Catalog
@testable import Dashboard
@testable import Queue

@Suite struct OriginalTests {
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
        Row(range: "pages=1", status: 200, content: nil, length: 10),
    ])
    func aRangeIsSent(_ row: Row) async throws {
        try await PageStand.with { stand in
            let answer = await stand.ask(
                "/api/1/assets/\(try await stand.id("a.jpg"))/original", [("range", row.range)])
            #expect(answer.status == row.status && answer.headers["content-range"] == row.content)
            #expect(try answer.bytes.count == row.length)
            #expect(answer.headers["content-security-policy"] == "default-src 'none'; sandbox")
        }
    }

    @Test func aRangeOfAnotherStateOfTheFileIsTheWhole() async throws {
        try await PageStand.with { stand in
            let target = "/api/1/assets/\(try await stand.id("a.jpg"))/original"
            let answer = await stand.ask(target, [("range", "bytes=0-3"), ("if-range", "\"other\"")])
            #expect(answer.status == 200)
        }
    }

    @Test func aSymlinkInPlaceOfTheFileIsNotFollowed() async throws {
        try await PageStand.with { stand in
            let answer = await stand.ask("/api/1/assets/\(try await stand.id("c.jpg"))/original")
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
        try await PageStand.with { stand in
            let target = "/api/1/assets/\(try await stand.id("gone.jpg"))/original"
            #expect(await stand.ask(target).status == 404)
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
            try await stand.keep(bytes, of: "gone.jpg")
            let answer = await stand.ask(target, [("range", "bytes=1-2097200")])
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
        try await PageStand.with { stand in
            let target = "/api/1/assets/\(try await stand.id("a.jpg"))/thumbnail"
            #expect(await stand.ask(target).status == 404)
            let cache = try #require(stand.desk.shelf).thumbnails
            let content = MadeAsset("a.jpg").sha256
            for size in [256, 512] {
                let picture = Thumbnail(
                    spec: ThumbnailSpec(longSide: size), width: 1, height: 1, bytes: Array("\(size)".utf8))
                _ = try cache.keep(picture, of: content)
            }
            for (query, size) in [("", "256"), ("?size=256", "256"), ("?size=257", "512"), ("?size=2000", "512")] {
                let answer = await stand.ask(target + query)
                #expect(try answer.text == size)
                let tag = try #require(answer.headers["etag"])
                #expect(await stand.ask(target + query, [("if-none-match", tag)]).status == 304)
            }
        }
    }
}

extension OriginalTests {
    @Test func whatWasLookedAtIsThereWithoutAConnection() async throws {
        try await PageStand.with { stand in
            let bytes = (0..<(KeptPieces.size * 2 + 5)).map { UInt8(truncatingIfNeeded: $0 / 251) }
            try await stand.keep(bytes, of: "gone.jpg")
            let target = "/api/1/assets/\(try await stand.id("gone.jpg"))/original"
            let first = await stand.ask(target, [("range", "bytes=1048570-1048580")])
            #expect(first.status == 206)
            #expect(try await first.streamed() == Array(bytes[1_048_570...1_048_580]))
            #expect(try await stand.ask(target).streamed() == bytes)
            stand.host.isOffline = true
            #expect(try await stand.ask(target).streamed() == bytes)
        }
    }

    @Test func whatIsNotAtHandSaysSo() async throws {
        try await PageStand.with { stand in
            try await stand.keep([1, 2, 3], of: "gone.jpg")
            stand.host.isOffline = true
            let answer = await stand.ask("/api/1/assets/\(try await stand.id("gone.jpg"))/original")
            let text = try answer.text
            #expect(answer.status == 503 && text.contains("not at hand"))
        }
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

extension PageStand {
    /// Has storage hold the bytes of an asset, with a receipt for them.
    fileprivate func keep(_ bytes: [UInt8], of name: FilePath) async throws {
        let item = Items.pending(name, size: Int64(bytes.count))
        let receipt = Receipt(
            destination: "here", key: item.objectKey, role: .original, item: item.id, sha256: MadeAsset(name).sha256,
            size: item.size, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Items.now, proof: .md5)
        host.hold(bytes, at: item.objectKey.text)
        try await library.record([(receipt, item)])
    }
}
