import Catalog
import Configuration
import Dashboard
import Foundation
import Platform
import Records
import Reporting
import Synchronization
import TestSupport
import Testing

@testable import Control
@testable import Gallery
@testable import Reconciling

/// What the page asks of an agent about certain files.
@Suite struct PageActionTests {
    private static func file(_ path: FilePath) -> RootedPath { RootedPath(root: "Pictures", path: path) }

    /// Three stored files, two of which are deleted locally.
    private func withGoneFiles(_ body: (AgentFixture) async throws -> Void) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two", "c.jpg": "three"]) { fixture in
            try await fixture.pass()
            for name: FilePath in ["a.jpg", "b.jpg"] { try Directory(fixture.gallery).remove(file: name) }
            try await fixture.pass()
            try await body(fixture)
        }
    }

    /// Has the page of an agent that sends nothing perform actions.
    private func perform(_ fixture: AgentFixture, _ actions: [PageAction]) async throws -> [PageActionResult] {
        let home = fixture.folder
        return try await fixture.run(.steering) { agent in
            let page = AgentPage(agent, agent.library, home: home, browser: nil)
            var results: [PageActionResult] = []
            for action in actions { results.append(try await page.perform(action)) }
            return results
        }
    }

    /// What a user asks for may have gone since it was last seen: that pauses nothing else.
    @Test(arguments: ["b.jpg", "trip", "trip/c.jpg", "none/d.jpg"] as [FilePath], [true, false])
    func anOrderForWhatIsGonePausesNoRoot(_ path: FilePath, _ isCancelling: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two", "trip": ["c.jpg": "three"]]) { fixture in
            try await fixture.pass()
            try Directory.removeTree(at: fixture.gallery.appending(path))
            let asked = fixture.gallery.appending(path)
            try await fixture.run(.steering) { agent in
                if isCancelling {
                    #expect(try await agent.cancel([asked]) == 0)
                } else {
                    var selection = Selection()
                    (selection.which, selection.paths) = (.all, [asked])
                    _ = try await agent.beginReupload(selection)
                }
                let report = try await agent.report(.summary)
                #expect(report.agent.reason == nil)
                #expect(report.besides.remoteOnly == (path == "none/d.jpg" ? 0 : 1))
            }
        }
    }

    @Test func whatIsOnlyInStorageGoesOnceTheWordsWereTyped() async throws {
        try await withGoneFiles { fixture in
            let files = [Self.file("a.jpg"), Self.file("c.jpg")]
            let plan = try #require(try await perform(fixture, [.prune(files, words: nil)]).first)
            #expect(plan.sentence == "Delete 1 object, 3 B from storage for good?")
            #expect(plan.question == .init(words: "delete 1", examples: ["Pictures/a.jpg"]))
            await #expect(throws: PageRefusal.self) { try await perform(fixture, [.prune(files, words: "delete 2")]) }
            #expect(try await fixture.objects().count == 3)
            let done = try await perform(fixture, [.prune(files, words: "delete 1"), .prune(files, words: nil)])
            #expect(done.map(\.sentence) == ["Deleted 1 object, 3 B.", "Nothing to delete."])
            #expect(Set(try await fixture.objects().keys) == ["Pictures/b.jpg", "Pictures/c.jpg"])
        }
    }

    @Test func aFileWithSeveralObjectsIsNamedOnce() {
        var plan = PruneResult()
        for (path, role) in [("P/a.jpg", "original"), ("P/b.jpg", "original"), ("P/a.jpg", "thumbnail-512")] {
            plan.objects.append(.init(path: path, key: path + role, role: role, size: 1, verifiedAt: nil))
        }
        #expect(plan.files == ["P/a.jpg (2 objects)", "P/b.jpg"])
    }

    @Test func storedFilesComeIntoAFolderAndStayThere() async throws {
        try await withGoneFiles { fixture in
            let home = fixture.folder
            let works = try await fixture.run(.steering) { agent in
                let page = AgentPage(agent, agent.library, home: home, browser: nil)
                let files = [Self.file("a.jpg"), Self.file("no such.jpg")]
                let first = try await page.perform(.restore(files, folder: "~/Restored"))
                #expect(first.count == 1 && first.sentence.hasPrefix("Restoring 1 file to "))
                return try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await page.work() }
                    defer { group.cancelAll() }
                    return try await eventually("it ends") {
                        page.works.last?.sentence == nil ? nil : page.works
                    }
                }
            }
            #expect(works.map(\.sentence) == ["Restored 1 file, 3 B."] && works.map(\.isFailure) == [false])
            let restored = try OpenFile(reading: home.appending(FilePath("Restored/Pictures/a.jpg"))).readAll(limit: 99)
            #expect(restored == Array("one".utf8))
        }
    }

    @Test func whatIsLeftOutComesBack() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(4)
            _ = try await fixture.run { [gallery = fixture.gallery] in try await $0.sync([gallery]) }
            let (file, other) = (Self.file("a.jpg"), Self.file("b.jpg"))
            let out = try await perform(fixture, [.leaveOut([file, other]), .leaveOut([file, other])])
            #expect(out.map(\.count) == [1, 0])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.excluded == 1)
            fixture.settings.destination.storageBudget = .unlimited
            #expect(try await perform(fixture, [.retry([file, other])]).map(\.count) == [2])
            try await fixture.pass()
            #expect(try await fixture.objects().count == 2)
        }
    }

    /// The root of those files is not known any more.
    @Test func nothingIsDoneToAllFilesInPlaceOfSomeThatAreGone() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            try fixture.write("two", to: "b.jpg")
            let gone = [RootedPath(root: "Elsewhere", path: "a.jpg")]
            let actions: [PageAction] = [.retry(gone), .resend(gone), .releaseBrake(gone), .leaveOut(gone)]
            let asked = try await fixture.requests {
                #expect(try await perform(fixture, actions).map(\.count) == [0, 0, 0, 0])
                try await fixture.pass()
            }
            #expect(asked.uploads == ["/object/media/Pictures/b.jpg"])
        }
    }

    @Test func linksAreMadeOfWhatIsStored() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let files = [Self.file("a.jpg"), Self.file("later.jpg")]
            // Objects on this computer have no address.
            await #expect(throws: PageRefusal.self) { try await perform(fixture, [.link(files, seconds: 60)]) }
            var fixture = fixture
            let distant = fixture.distantDestination
            fixture.equip = { $0.destination = distant }
            try await fixture.pass()
            let result = try #require(try await perform(fixture, [.link(files, seconds: 60)]).first)
            #expect(result.links.map(\.path) == ["Pictures/a.jpg"] && result.links[0].expiresAt != nil)
            #expect(result.sentence == "1 link made. 1 file not stored.")
        }
    }

    @Test func theFileManagerIsAskedWhereThereIsOne() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            let (home, gallery) = (fixture.folder, fixture.gallery)
            try await fixture.run(.steering) { agent in
                let browser = BrowserDouble()
                let page = AgentPage(agent, agent.library, home: home, browser: browser)
                _ = try await page.perform(.show([Self.file("a.jpg")]))
                #expect(browser.shown == [gallery.appending("a.jpg")])
                #expect(await page.ability(of: .show) == .allowed)
                let without = AgentPage(agent, agent.library, home: home, browser: nil)
                #expect(await without.ability(of: .show) != .allowed)
                await #expect(throws: PageRefusal.self) { try await without.perform(.show([Self.file("a.jpg")])) }
            }
        }
    }
}
