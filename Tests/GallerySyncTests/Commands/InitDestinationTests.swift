import Catalog
import Configuration
import Fixtures
import FoundationEssentials
import Output
import Platform
import Queue
import Roots
import Serving
import StorageServer
import TestSupport
import Testing

@testable import GallerySync

/// What `init` makes of a destination that is there, and of one on this computer.
@Suite struct InitDestinationTests {
    struct Change: Sendable {
        /// The destination of the profile; empty where there is none yet.
        let profile: String
        let line: String

        init(_ profile: String, _ line: String) { (self.profile, self.line) = (profile, line) }
    }

    /// On this computer, too, a budget, a bucket and a prefix are what was said, or what was there.
    @Test(arguments: [
        Fact(
            "what options say", Change("", "Pictures --local --yes --budget 4MB --bucket photos --prefix laptop"),
            "{\"bucket\": \"photos\", \"local\": true, \"prefix\": \"laptop\", \"storageBudget\": \"4 MB\"}"),
        Fact(
            "what is there stays with another folder",
            Change("local: true, bucket: 'photos', prefix: 'laptop', storageBudget: '50 GB'", "Pictures"),
            "{\"bucket\": \"photos\", \"local\": true, \"prefix\": \"laptop\", \"storageBudget\": \"50 GB\"}"),
        Fact(
            "the usual bucket, too", Change("local: true, bucket: 'media'", "Pictures"),
            "{\"bucket\": \"media\", \"local\": true}"),
        Fact(
            "another budget",
            Change("local: true, prefix: 'laptop', storageBudget: '50 GB'", "--yes --budget unlimited"),
            "{\"local\": true, \"prefix\": \"laptop\", \"storageBudget\": \"unlimited\"}"),
        Fact(
            "those of a project are not this computer's",
            Change("url: 'https://a.example', bucket: 'b', prefix: 'p', storageBudget: '8 GB'", "--local --yes"),
            "{\"local\": true}"),
        Fact(
            "but for what is said",
            Change(
                "url: 'https://a.example', bucket: 'b', prefix: 'p', storageBudget: '8 GB'", "--local --yes --prefix p"),
            "{\"local\": true, \"prefix\": \"p\"}"),
    ])
    func aLocalDestinationIsWrittenWhole(_ row: Fact<Change, String>) async throws {
        let roots = row.input.profile.isEmpty ? "" : "roots: ['/a'], destination: {\(row.input.profile)}"
        try await CommandFixture.with([
            CommandFixture.configuration: roots.isEmpty ? "{}" : "{profiles: {default: {\(roots)}}}"
        ]) { fixture async throws in
            #expect(await fixture.run("init \(row.input.line)") == .success)
            let written = try SettingValue.parsing(Array(fixture.configuration().utf8)).line
            #expect(written.contains("\"destination\": \(row.output)"), "\(written)")
        }
    }

    /// The agent would go on to store at the former one, and the next start would find files of both.
    @Test(arguments: ["--url https://a.example --no-try", "--bucket other"])
    func anotherDestinationIsNotWrittenWhileAnAgentRuns(_ line: String) async throws {
        let text = "{profiles: {default: {roots: ['~/Pictures'], destination: {local: true}}}}"
        try await AgentDouble.holding(nil, [CommandFixture.configuration: text, "Pictures/a": "a"]) {
            fixture async throws in
            let library = fixture.home.appending(".local/state/gallery-sync/default/library.sqlite")
            try await Library(path: library).close()
            #expect(await fixture.run("init --yes --change-destination \(line)") == .locked)
            #expect(try fixture.configuration() == text)
            #expect(try fixture.notes.contains("This profile's state is held by process \(Host.processID)."))
            #expect(try fixture.results.isEmpty)
        }
    }

    /// What is stored would not be found there any more.
    @Test(arguments: ["--bucket other", "--prefix other", "--url https://a.example --no-try"])
    func filesThatAreStoredAreNotLeftUnasked(_ line: String) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("init Pictures --local --yes") == .success)
            #expect(await fixture.run("sync -q --set thumbnails.enabled=false") == .success)
            let before = try fixture.configuration()
            #expect(await fixture.run("init --yes \(line)") == .usage)
            #expect(try fixture.notes.contains("Files of this profile are stored at local media. Add --change-dest"))
            #expect(try fixture.configuration() == before)
            #expect(await fixture.run("init --yes --change-destination \(line)") == .success)
            #expect(try fixture.configuration() != before)
        }
    }

    /// Also of a profile whose library is lost.
    @Test(arguments: [false, true])
    func whatWaitsForTheFormerDestinationWaitsNoLonger(isLost: Bool) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("init Pictures --local --yes") == .success)
            #expect(await fixture.run("sync -q --set thumbnails.enabled=false") == .success)
            let state = fixture.home.appending(".local/state/gallery-sync/default")
            let queue = try UploadQueue(store: try QueueStore(state: state), now: Date())
            _ = try await queue.add(Items.pending("b.jpg"), origin: .backlog, now: Date())
            try await queue.close()
            if isLost { try Directory(state).remove(file: "library.sqlite") }
            #expect(await fixture.run("init --yes --change-destination --prefix other") == .success)
            #expect(try QueueStore(state: state).load().entries.allSatisfy { !$0.isOpen })
        }
    }

    /// `sync` refuses it, so what looks at the settings and at the destination says it, too.
    @Test(arguments: ["config check", "doctor --set thumbnails.enabled=false"])
    func anotherDestinationThatIsWrittenByHandIsAFinding(_ line: String) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("init Pictures --local --yes") == .success)
            #expect(await fixture.run("sync -q --set thumbnails.enabled=false") == .success)
            #expect(await fixture.run(line) == .success)
            #expect(try !fixture.results.contains("wrong"))
            #expect(await fixture.run("\(line) --set destination.bucket=other") == .configuration)
            let said = try fixture.results
            #expect(said.contains("This profile stores into local media, and another"), "\(said)")
        }
    }

    /// As with a desktop, which makes the mount point and takes it away with the disk.
    @Test func aDiskWhoseMountPointWentWithItIsLetGo() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one", "Pictures/card/b.jpg": "two"]) { fixture async throws in
            #expect(await fixture.run("init Pictures --local --yes") == .success)
            #expect(await fixture.run("sync -q --set thumbnails.enabled=false") == .success)
            let card = fixture.home.appending("Pictures/card")
            let library = try Library(path: fixture.home.appending(".local/state/gallery-sync/default/library.sqlite"))
            let root = try #require(try await library.roots().first)
            try await library.remember(Directory(card).identity(), of: root.id, at: "card")
            try await library.close()
            try Directory(card).remove(file: "b.jpg")
            try Directory(card.parent).remove(directory: "card")
            #expect(await fixture.run("sync -q --set thumbnails.enabled=false") == .temporary)
            #expect(await fixture.run("init Pictures/card") == .success)
            #expect(try fixture.results.contains("is taken as it is now"))
            #expect(await fixture.run("sync -q --set thumbnails.enabled=false") == .success)
        }
        try await CommandFixture.with([:]) { fixture async throws in
            #expect(await fixture.run("init Pictures/none --local --yes") == .usage)
            #expect(try fixture.notes.contains("Pictures/none is no directory."))
        }
    }

    /// The bucket is not blamed for it.
    @Test func anAddressWithoutAStorageIsAWrongAddress() async throws {
        try await CommandFixture.with { fixture async throws in
            var fixture = fixture
            let server = try fixture.storageServer()
            let url = "http://127.0.0.1:\(try #require(server.port))/elsewhere"
            fixture.environment["GALLERY_SYNC_KEY"] = server.serviceKey
            #expect(await fixture.run("init Pictures --yes --bucket b --url \(url)") == .configuration)
            await server.stop()
            #expect(try fixture.notes.contains("--url \(url): What answers is no Supabase Storage"))
        }
    }

    @Test(arguments: ["--bucket other", "--prefix other"])
    func aProfileThatHasStoredNothingIsToldNothingOfStoredFiles(_ line: String) async throws {
        try await CommandFixture.with(["Pictures/notes.txt": "no photo"]) { fixture async throws in
            #expect(await fixture.run("init Pictures --local --yes") == .success)
            #expect(await fixture.run("sync -q") == .success)
            #expect(await fixture.run("init --yes \(line)") == .success)
            #expect(await fixture.run("sync -q") == .success, "the former destination is forgotten")
        }
    }
}
