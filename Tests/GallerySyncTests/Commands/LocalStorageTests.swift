import Catalog
import CommandLine
import Output
import Platform
import Records
import StorageServer
import TestSupport
import Testing

@testable import GallerySync

/// The embedded storage server reports what it repairs, and why it cannot start.
@Suite struct LocalStorageTests {
    /// A fixture that has stored on this computer.
    private func stored(_ body: (CommandFixture, _ storage: FilePath) async throws -> Void) async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        #expect(await fixture.run(Self.sync) == .success)
        try await body(fixture, fixture.home.appending("state/storage"))
    }

    private static let sync = "sync Pictures --local --state-dir state --set thumbnails.enabled=false"

    @Test(arguments: ["sync", "verify", "doctor"])
    func anIndexThatIsDamagedIsSaid(command: String) async throws {
        try await stored { fixture, storage in
            for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
                try Directory(storage).remove(file: FilePath(name))
            }
            try fixture.write(
                "no database, but long enough to be looked at as one", to: storage.appending("index.sqlite"))
            let line = command == "sync" ? Self.sync : "\(command) --local --state-dir state"
            #expect(await fixture.run(line) == .configuration)
            let sentence = "HOME/state/storage/index.sqlite is damaged (file is not a database). Make it anew with"
            let words = try (fixture.notes + fixture.results).split(whereSeparator: \.isWhitespace)
            #expect(words.joined(separator: " ").contains(sentence))
        }
    }

    @Test func aFullDiskIsThatOfTheStorage() {
        let words = Ending.full("The disk of the storage /data is full: make room there, then run this again")
        #expect(Refusal(storage: SystemError(call: "write", code: 28), in: "/data")?.ending == words)
        #expect(Refusal(storage: SystemError(call: "write", code: 5), in: "/data") == nil)
    }

    @Test func aSecretThatIsTooShortIsSaid() async throws {
        try await CommandFixture.with(environment: ["GALLERY_SYNC_JWT_SECRET": "short"]) { fixture async throws in
            #expect(await fixture.run(Self.sync) == .configuration)
            #expect(
                try fixture.notes.contains(
                    "gallery-sync: GALLERY_SYNC_JWT_SECRET: the secret has 5 characters, and needs at least 32."))
        }
    }

    @Test func blobsThatAreSetAsideAreNamed() async throws {
        try await stored { fixture, storage in
            let stray = storage.appending("objects/0a/0a-stray")
            try fixture.write("stray", to: stray)
            // As after a kill: the note beside the blobs does not confirm a clean state.
            try Directory(storage.appending("objects")).remove(file: "newest")
            #expect(await fixture.run(Self.sync) == .success)
            #expect(
                try fixture.notes.contains(
                    "gallery-sync: 1 files below objects have no row, and were moved to HOME/state/storage/lost: 0a-stray."
                ))
        }
    }

    @Test(arguments: ["sync Pictures -q", "verify -q", "queue resume -q"])
    func aWatchServesOnceTheProcessThatDidHasEnded(command: String) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            let folder = fixture.home.appending("state/storage")
            let other = try StorageServer(folder: folder, listening: [])
            try other.start()
            let words = "--local \(RunningTests.rest)"
            _ = try await fixture.running("watch Pictures --json --set page.enabled=false \(words)") {
                _ async throws in
                try await eventually("a photo is stored", seen: { try? fixture.results }) {
                    try fixture.results.contains("\"event\":\"stored\"")
                }
                await other.stop()
                try fixture.write("two", to: fixture.home.appending("Pictures/b.jpg"))
                #expect(await fixture.run("\(command) \(words)") == .success)
                try await eventually("the watch serves", seen: { try? fixture.notes }) {
                    try StorageServer.isRunning(in: folder)
                }
                #expect(await fixture.run("sync Pictures -q \(words)") == .success)
            }
            // The watch has let go of it, too.
            let isServed = try StorageServer.isRunning(in: folder)
            #expect(!isServed)
            #expect(await fixture.run("sync Pictures -q \(words)") == .success)
            let code = await fixture.run("verify \(words)")
            let said = try fixture.results + fixture.notes
            #expect(code == .success, "\(said)")
        }
    }
}
