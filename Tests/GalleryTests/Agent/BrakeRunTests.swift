import Catalog
import Configuration
import Foundation
import Platform
import Queue
import Records
import Reporting
import Roots
import TestSupport
import Testing

@testable import Gallery

/// The brake in whole runs: many stored files change at once.
@Suite struct BrakeRunTests {
    private static func tree(_ count: Int) -> FileTree {
        var tree = FileTree()
        for number in 0..<count { tree.nodes[FilePath("\(number).jpg")] = .file(Array("picture \(number)".utf8)) }
        return tree
    }

    private static func rewrite(_ numbers: Range<Int>, _ fixture: AgentFixture, _ text: String = "scrambled") throws {
        for number in numbers { try fixture.write("\(text) \(number)", to: FilePath("\(number).jpg")) }
    }

    /// Sixty stored files, of which `changed` have other bytes now.
    private func withChanges(_ changed: Int, _ body: (AgentFixture) async throws -> Void) async throws {
        try await AgentFixture.with(Self.tree(60)) { fixture in
            try await fixture.pass()
            try Self.rewrite(0..<changed, fixture)
            try await body(fixture)
        }
    }

    /// They are not of this hour.
    @Test func changesByAClockThatWasSetBackDoNotCount() async throws {
        try await AgentFixture.with(Self.tree(60)) { fixture in
            var ahead = fixture
            ahead.equip = { $0.clock = { Date() + 31_536_000 } }
            try await ahead.pass()
            try Self.rewrite(0..<40, fixture)
            try await ahead.pass()
            try Self.rewrite(40..<60, fixture)
            try await fixture.pass()
        }
    }

    @Test func fiftyChangedFilesAreSent() async throws {
        try await withChanges(50) { fixture in
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.count == 50)
        }
    }

    @Test func fiftyOneAreHeldAndNamedAndTheSumsAddUp() async throws {
        try await withChanges(51) { fixture in
            let asked = try await fixture.requests {
                let ending = try await fixture.sync()
                #expect(ending == .held(51))
            }
            #expect(asked.changes.isEmpty)
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.assets == Report.Assets(stored: 9, waiting: 51))
            #expect(report.blocked.isEmpty, "the brake says itself once")
            let brake = try #require(report.brake)
            #expect(brake.reason == "51 of 60 stored files changed within one hour")
            #expect(Set(brake.files) == Set((0..<51).map { "Pictures/\($0).jpg" }))
            #expect(report.reasons().first?.kind == .someFailed)
            #expect(TextReport(report).lines.count { $0.contains("brake") } == 1)
            #expect(TextReport(report).lines.contains("Held by the brake: 51 files, none of which is sent"))
            #expect(TextReport(report).lines.contains { $0.contains("Pictures/0.jpg") })
            #expect(HTMLReport(report).text.contains("Pictures/50.jpg"))
            #expect(report.redacted.brake?.files == [])
        }
    }

    @Test func aRestartHoldsOnAndSoDoesWhatChangesLater() async throws {
        try await withChanges(51) { fixture in
            _ = try await fixture.sync()
            try fixture.write("changed later", to: "59.jpg")
            try fixture.write("new", to: "new.jpg")
            let asked = try await fixture.requests { _ = try await fixture.sync() }
            // New files are no sign of damage.
            #expect(asked.uploads.map { $0.hasSuffix("/new.jpg") } == [true])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.brake?.count == 52)
        }
    }

    @Test func whatIsAskedForAgainStillCountsAsStored() async throws {
        try await AgentFixture.with(Self.tree(520)) { fixture in
            try await fixture.pass()
            try Self.rewrite(0..<51, fixture)
            var selection = Selection()
            (selection.which, selection.isForced) = (.all, true)
            let asked = try await fixture.requests {
                let everything = selection
                let (_, ending) = try await fixture.run { try await $0.reupload(everything) }
                #expect(ending == .done)
            }
            #expect(asked.uploads.count == 520)
        }
    }

    @Test func reuploadChangedGoesOn() async throws {
        try await withChanges(51) { fixture in
            _ = try await fixture.sync()
            var selection = Selection()
            selection.which = .changed
            let asked = try await fixture.requests {
                let chosen = selection
                let (result, ending) = try await fixture.run { try await $0.reupload(chosen) }
                #expect(ending == .done)
                #expect(result.files == 51)
            }
            #expect(asked.uploads.count == 51)
            let report = try await fixture.run { try await $0.report(.summary) }
            #expect(report.assets == Report.Assets(stored: 60))
            #expect(report.brake == nil)
            // Counting starts again.
            try Self.rewrite(0..<10, fixture, "mine")
            try await fixture.pass()
        }
    }

    @Test func filesThatCameBackAsTheyWereAreNotHeldAnyMore() async throws {
        try await withChanges(51) { fixture in
            _ = try await fixture.sync()
            try Self.rewrite(0..<51, fixture, "picture")
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            let report = try await fixture.run { try await $0.report(.summary) }
            #expect(report.brake == nil)
            #expect(report.assets == Report.Assets(stored: 60))
        }
    }

    @Test func filesThatWereOnlyTouchedAreNoChange() async throws {
        try await AgentFixture.with(Self.tree(60)) { fixture in
            try await fixture.pass()
            try Self.rewrite(0..<60, fixture, "picture")
            try fixture.write("really changed", to: "0.jpg")
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.count == 1)
        }
    }

    /// The original may be sent already, and its file is not held then.
    @Test func thePicturesOfAFileThatWasQueuedBeforeAreOwed() async throws {
        try await withChanges(1) { fixture in
            var hasty = fixture
            hasty.settings.sync.patience = .zero
            let passing = hasty
            try await fixture.run(.steering) { try await $0.pause() }
            /// Lets passes follow one another until the file is in `state`; each may end before all is read.
            @Sendable func passUntil(_ state: Asset.State) async throws {
                try await eventually("the file is \(state)") {
                    _ = try await passing.sync()
                    return try await Self.record(of: "0.jpg", passing)?.asset.state == state
                }
            }
            try await passUntil(.queued)
            let picture = Item(
                root: "Pictures", path: "0.jpg", role: .thumbnail(512), contentType: "image/jpeg", size: 3,
                sha256: SHA256.hash("one".utf8).hexadecimal, modifiedAt: FileTime(nanoseconds: 0), bucket: "media",
                objectKey: ObjectKey(text: ".thumbnails/512/Pictures/0.jpg.jpg"), now: Date())
            try await fixture.run(.steering) { agent in
                _ = try await agent.queue.add(picture, origin: .backlog, now: Date())
                let asset = try #require(try await agent.library.asset(root: "Pictures", path: "0.jpg"))
                try await agent.library.setPictures(of: asset.place, to: .made)
                try await agent.library.commit()
            }
            try Self.rewrite(1..<60, fixture)
            try await passUntil(.held)
            #expect(try await Self.record(of: "0.jpg", fixture)?.pictures == .wanted)
        }
    }

    private static func record(of path: FilePath, _ fixture: AgentFixture) async throws -> FileRecord? {
        let library = try Library(path: fixture.locations.library, isReadOnly: true)
        return try await library.fileRecord(root: "Pictures", path: path)
    }

    @Test func whyTellsOfTheBrake() async throws {
        try await withChanges(51) { fixture in
            _ = try await fixture.sync()
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let known = try #require(try await library.roots().first)
            let explanation = try await Explanation(
                of: fixture.gallery.appending("0.jpg"), root: (Root(known: known), "0.jpg"), library: library,
                items: [])
            #expect(explanation.decisions.contains { $0.contains("the brake holds it: 51 of 60 stored files changed") })
        }
    }
}
