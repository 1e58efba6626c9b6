import Foundation
import Platform
import Reporting
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

/// `sync` and `restore` on file names as they occur in practice.
@Suite struct SyncTests {
    /// Both normal forms of one name, bytes that are no text, 200 characters, depth.
    private static let tree: FileTree = [
        "with space.jpg": "1", "hash#tag.png": "2", "per%cent%20.gif": "3", "bang!.webp": "4", "🎉 party 👨‍👩‍👧.jpg": "5",
        "写真 夏休み.jpg": "6", "Caf\u{E9}.jpg": "7", "Cafe\u{301}.jpg": "8",
        FilePath(bytes: [0xFF, 0xFE] + Array(".jpg".utf8)): "9",
        FilePath(String(repeating: "x", count: 200) + ".jpg"): "10", "new\nline.jpg": "11", "quote's (1).jpg": "12",
        "back\\slash.mp4": "13", "empty.jpg": "", "notes.txt": "no media", ".hidden.jpg": "hidden",
        "アルバム": ["旅行": ["d.jpg": ["e": ["f": ["g": ["deep.mov": "14"]]]]]],
        FilePath(bytes: [0x62, 0xFF]): ["same.jpg": "15"],
    ]

    private static let stored = 16

    private var media: FileTree {
        var media = Self.tree
        media.nodes["notes.txt"] = nil
        media.nodes[".hidden.jpg"] = nil
        return media
    }

    @Test func everyNameByteAndTimeComesBackAndNothingIsSentTwice() async throws {
        try await ProgramFixture.local(Self.tree) { fixture in
            let old = FileTime(nanoseconds: 1_234_567_890_123_456_789)
            try Directory(fixture.gallery).open(writing: "Cafe\u{301}.jpg").setModified(old)
            let first = try await fixture.run("sync", fixture.gallery.display)
            #expect(first.code == 0)
            let start = try #require(first.results.split(separator: "\n", maxSplits: 1).last)
            #expect(start.hasPrefix("Destination: this computer. Not protected against loss of this disk."))
            #expect(first.results.hasPrefix("This run: \(Self.stored) new, "))

            let sent = try Requests(of: fixture.storage).writes().count
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            #expect(try Requests(of: fixture.storage).writes().count == sent)

            #expect(try await fixture.restored() == media)
            let back = fixture.folder.appending("back")
            #expect(try await fixture.run("restore", "--to", back.display).code == 0)
            #expect(try FileFacts(of: back.appending("Pictures/Cafe\u{301}.jpg")).modifiedAt == old)

            try OpenFile(creating: fixture.gallery.appending("bang!.webp")).append(Array("changed".utf8))
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            #expect(try Requests(of: fixture.storage).writes().count == sent + 1)
        }
    }

    @Test func aLibraryThatCannotBeReadKeepsNothingFromBeingRestored() async throws {
        try await ProgramFixture.remote(["a.jpg": "x"]) { fixture, _ in
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            let state = try Directory(fixture.folder.appending("s/state/default"))
            for name in try state.names() where name.display.hasPrefix("library.sqlite") {
                try state.remove(file: name)
            }
            try OpenFile(creating: fixture.folder.appending("s/state/default/library.sqlite")).append(
                [UInt8](repeating: 0xA5, count: 5_000))
            let back = fixture.folder.appending("back")
            #expect(try await fixture.run("restore", "--to", back.display).code == 0)
            #expect(try FileTree(at: back) == ["Pictures": ["a.jpg": "x"]])
        }
    }

    @Test func theSumsOfTheStatusAddUpAndTheQueueHasItsDocumentedKeys() async throws {
        try await ProgramFixture.local(Self.tree) { fixture in
            _ = try await fixture.run("sync", fixture.gallery.display)
            let assets = try await fixture.status().assets
            #expect(assets == Report.Assets(stored: Self.stored))
            #expect(assets.total == assets.stored + assets.waiting + assets.failed + assets.unreadable)

            let bytes = try OpenFile(reading: fixture.queueFile).readAll()
            let file = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            #expect(file["version"] as? Int == 1)
            #expect(file["journal"] is Int)
            let items = try #require(file["items"] as? [[String: Any]])
            #expect(items.count == Self.stored)
            let keys: Set = [
                "id", "root", "path", "role", "contentType", "size", "sha256", "modifiedAt", "bucket", "objectKey",
                "status", "retryCount", "createdAt", "lastAttemptAt", "completedAt", "sent",
            ]
            for item in items { #expect(keys.isSubset(of: item.keys)) }
            #expect(items.count { $0["pathBytes"] != nil } == 2)
            // One item a line, for people.
            #expect(bytes.count { $0 == UInt8(ascii: "\n") } >= items.count)
        }
    }

    @Test func aDryRunTellsAndSendsNothingEvenBesideAWatch() async throws {
        try await ProgramFixture.local(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            let end = try await fixture.run("sync", "--dry-run", fixture.gallery.display)
            #expect(end.code == 0)
            #expect(end.results.contains("Pictures/a.jpg"))
            #expect(end.results.contains("2 new or changed files"))
            #expect(try Requests(of: fixture.storage).writes().isEmpty)
            try await fixture.watching(storing: 2) { _ in
                let beside = try await fixture.run("sync", "--dry-run")
                #expect(beside.code == 0)
                #expect(beside.results == "Would look at 0 new or changed files, 0 B.\n")
            }
        }
    }

    @Test func reuploadSendsWhatStorageLostWithAndWithoutAWatch() async throws {
        try await ProgramFixture.remote(["a.jpg": "one", "b.jpg": "two"]) { fixture, server in
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            try await lose("a.jpg", fixture, server)
            let plan = try await fixture.run("reupload", "--missing", "--dry-run")
            #expect(plan.results.contains("1 file"))
            let found = try await fixture.run("reupload", "--missing", "--yes")
            #expect(found.code == 0, "\(found.results) \(found.notes)")
            #expect(try await fixture.restored() == ["a.jpg": "one", "b.jpg": "two"])

            try await fixture.watching(storing: 2) { _ in
                try await lose("b.jpg", fixture, server)
                let again = try await fixture.run("reupload", "--missing", "--yes")
                #expect(again.code == 0, "\(again.results) \(again.notes)")
                #expect(try await fixture.restored() == ["a.jpg": "one", "b.jpg": "two"])
                let all = try await fixture.run("reupload", "--all", "--dry-run")
                #expect(all.results.contains("2 files"))
                let before = try Requests(of: fixture.folder.appending("server")).writes().count
                let unforced = try await fixture.run("reupload", "--all", "--yes")
                #expect(unforced.code == 0, "\(unforced)")
                #expect(unforced.results.hasPrefix("This run: nothing to do.\n"))
                #expect(try Requests(of: fixture.folder.appending("server")).writes().count == before)
                let forced = try await fixture.run("reupload", "--all", "--force", "--yes")
                #expect(forced.code == 0 && forced.results.hasPrefix("This run: 2 sent again, "), "\(forced)")
                #expect(try Requests(of: fixture.folder.appending("server")).writes().count == before + 2)
            }
        }
    }

    /// The running agent has read the configuration before the folder was added to it.
    @Test func aFolderThatTheWatchDoesNotKnowIsNamed() async throws {
        try await ProgramFixture.local(["a.jpg": "one"]) { fixture in
            let other = fixture.folder.appending("Videos")
            try Directory.create(at: other)
            try FileTree(["b.jpg": "two"]).write(to: other)
            try await fixture.watching(storing: 1) { _ in
                let folder = fixture.folder.appending("home/.config/gallery-sync")
                try Directory.create(at: folder)
                let roots = [fixture.gallery, other].map { "\"\($0.display)\"" }.joined(separator: ", ")
                try OpenFile(creating: folder.appending("config.json5")).append(
                    Array("{profiles: {default: {roots: [\(roots)]}}}".utf8))
                let end = try await fixture.run("sync")
                #expect(end.code == 78)
                #expect(end.notes.contains("The running agent does not know \(other.display), which the configuration"))
                #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            }
            #expect(try await fixture.run("sync").code == 0)
        }
    }

    /// Removes an object of the gallery without the agent's knowledge.
    private func lose(_ name: String, _ fixture: ProgramFixture, _ server: StorageServer) async throws {
        let client = HTTPClient()
        defer { client.close() }
        let storage = StorageClient(
            endpoint: StorageEndpoint(base: "http://127.0.0.1:\(server.port ?? 0)"),
            credentials: StorageCredentials(key: server.serviceKey), transport: client)
        try await storage.delete(bucket: "media", key: "Pictures/\(name)")
    }
}
