import Foundation
import Platform
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Gallery

@Suite struct SenderTests {
    /// A sender for `workshop`, and an item of `a.jpg` as it is now.
    private func parts(_ workshop: Workshop) async throws -> (Sender, Library, Item) {
        let library = try Library(path: workshop.folder.appending("library.sqlite"))
        let known = try await library.root(at: workshop.gallery).root
        let facts = try FileFacts(of: workshop.gallery.appending("a.jpg"))
        let content = try OpenFile(reading: workshop.gallery.appending("a.jpg")).readAll()
        let item = Item(
            root: known.name, path: "a.jpg", role: .original, contentType: "image/jpeg", size: facts.size,
            sha256: SHA256.hash(content).hexadecimal, modifiedAt: facts.modifiedAt, bucket: "media",
            objectKey: ObjectKey(root: known.name, path: "a.jpg"), now: Date())
        let sender = Sender(
            storage: workshop.storage, library: library, destination: workshop.destination,
            roots: RootBook([Root(known: known)]), cache: ThumbnailCache(folder: workshop.folder.appending("cache")),
            settings: workshop.settings.upload, clock: { Date() })
        try await workshop.storage.createBucket("media", BucketSettings(isPublic: false))
        return (sender, library, try #require(item.claimed(at: Date())))
    }

    @Test func anItemWhoseFileChangedIsWithdrawnAndItsBytesCountAsOurs() async throws {
        try await Workshop.with(["a.jpg": "one"]) { workshop in
            let (sender, library, item) = try await parts(workshop)
            try OpenFile(creating: workshop.gallery.appending("a.jpg")).append(Array("other".utf8))
            #expect(try await sender.send(item) == .ended(.withdrawn))
            #expect(
                try await library.isOurs(
                    destination: workshop.destination.name, key: item.objectKey, sha256: item.sha256))
        }
    }

    @Test func anItemWhoseFileIsGoneIsWithdrawn() async throws {
        try await Workshop.with(["a.jpg": "one"]) { workshop in
            let (sender, _, item) = try await parts(workshop)
            try Directory(workshop.gallery).remove(file: "a.jpg")
            #expect(try await sender.send(item) == .ended(.withdrawn))
        }
    }

    @Test func aSecondSendOfTheSameBytesIsAcceptedWithoutANewObject() async throws {
        try await Workshop.with(["a.jpg": "one"]) { workshop in
            let (sender, _, item) = try await parts(workshop)
            guard case .accepted(let first) = try await sender.send(item),
                case .accepted(let second) = try await sender.send(item)
            else {
                Issue.record("not accepted")
                return
            }
            #expect(first.objectID == second.objectID)
            #expect(first.isUploaded && !second.isUploaded)
            #expect(first.evidence.md5 == MD5.hash("one".utf8).hexadecimal)
            #expect(second.evidence == first.evidence)
        }
    }

    @Test func aForeignObjectMovesTheItemBesideIt() async throws {
        try await Workshop.with(["a.jpg": "one"]) { workshop in
            let (sender, _, item) = try await parts(workshop)
            _ = try await workshop.storage.upload(
                .bytes(Array("theirs".utf8)), bucket: "media", key: item.objectKey.text, contentType: "image/jpeg")
            #expect(try await sender.send(item) == .ended(.moved(item.objectKey.beside(item.sha256))))
        }
    }
}
