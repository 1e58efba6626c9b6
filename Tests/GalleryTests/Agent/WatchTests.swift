import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import Reporting
import TestSupport
import Testing
import Text

@Suite struct WatchTests {
    /// Runs a watching agent until its report meets `condition`.
    private func watch(
        _ fixture: AgentFixture, _ what: String, until condition: @escaping @Sendable (Report) -> Bool,
        _ change: @escaping @Sendable (Agent) async throws -> Void
    ) async throws -> Report {
        try await fixture.run(.watch) { agent in
            _ = try await agent.adopt(fixture.gallery)
            _ = try await agent.sync([fixture.gallery])
            try await change(agent)
            return try await agent.report(what, when: condition)
        }
    }

    @Test func aFileWrittenInPiecesIsStoredOnceAndWhole() async throws {
        try await AgentFixture.with(["there.jpg": "x"]) { fixture in
            let report = try await watch(fixture, "all of it is stored", until: { $0.bytes.stored == 10_002 }) {
                agent in
                let file = try OpenFile(creating: fixture.gallery.appending("slow.jpg"))
                for piece in 0..<5 { try file.append([UInt8](repeating: UInt8(piece), count: 1_000)) }
                try fixture.write("y", to: "other.jpg")
                // The file is being written for as long as the other file takes to be stored.
                _ = try await agent.report("the other file is stored") { $0.assets.stored >= 2 }
                for piece in 5..<10 { try file.append([UInt8](repeating: UInt8(piece), count: 1_000)) }
            }
            #expect(report.assets.total == 3)
            #expect(try await fixture.objects()["Pictures/slow.jpg"]?.count == 10_000)
        }
    }

    /// The report tells of a stored file that changes at this moment; one that a rule leaves out does not count.
    @Test func aStoredFileThatChangesIsTold() async throws {
        try await AgentFixture.with(["there.jpg": "x"]) { fixture in
            var fixture = fixture
            fixture.settings.scan.settle = .seconds(3_600)
            let folder = try Directory(fixture.gallery)
            try folder.open(writing: "there.jpg").setModified(FileTime(Date() - 7_200))
            let report = try await watch(fixture, "it is gone", until: { $0.settling == 0 && $0.assets.stored == 0 }) {
                [fixture] agent in
                _ = try await agent.report("it watches") { $0.settling == 0 && $0.assets.stored == 1 }
                try fixture.write("other", to: "there.jpg")
                try fixture.write("of a desktop", to: ".hidden.jpg")
                let changing = try await agent.report("it is left alone") { $0.settling == 1 }
                #expect(changing.assets == Report.Assets(stored: 1))
                #expect(changing.headline == "The one file is stored; 1 file may still be written to.")
                try folder.remove(file: "there.jpg")
            }
            #expect(report.besides.remoteOnly == 1)
        }
    }

    @Test func aBurstOfFilesAndADirectoryRenamedInAreAllStored() async throws {
        try await AgentFixture.with([:]) { fixture in
            let outside: FileTree = ["a.jpg": "a", "deep": ["b.jpg": "b"]]
            try Directory.create(at: fixture.folder.appending("outside"))
            try outside.write(to: fixture.folder.appending("outside"))
            let report = try await watch(fixture, "302 are stored", until: { $0.assets.stored == 302 }) { _ in
                try Directory.create(at: fixture.gallery.appending("burst"))
                for number in 0..<300 {
                    try OpenFile(creating: fixture.gallery.appending("burst/\(number).jpg")).append([
                        UInt8(number % 256), 1,
                    ])
                }
                try Directory(fixture.folder).rename("outside", to: "Pictures/inside")
            }
            #expect(report.assets.total == 302)
        }
    }

    @Test func aRootThatGoesAwayPausesAndChangesNothing() async throws {
        try await AgentFixture.with(["a.jpg": "x", "b.jpg": "y"]) { fixture in
            let report = try await watch(fixture, "it pauses", until: { $0.agent.paused }) { _ in
                try Directory(fixture.folder).rename("Pictures", to: "Elsewhere")
            }
            #expect(report.assets == Report.Assets(stored: 2))
            #expect(report.besides.remoteOnly == 0)
            #expect(report.agent.reason?.contains("Pictures") == true)
            #expect(try await fixture.objects().count == 2)
        }
    }

    /// Perhaps the user has deleted all of its files, perhaps its disk shows nothing; a file in it decides that.
    @Test func aRootThatIsEmptiedPausesUntilItHoldsAFile() async throws {
        try await AgentFixture.with(["a.jpg": "x", "b.jpg": "y"]) { fixture in
            let gallery = try Directory(fixture.gallery)
            let report = try await watch(fixture, "it goes on", until: { $0.assets.stored == 1 }) { agent in
                _ = try await agent.report("it watches") { $0.settling == 0 && $0.assets.stored == 2 }
                for name: FilePath in ["a.jpg", "b.jpg"] { try gallery.remove(file: name) }
                let paused = try await agent.report("it pauses") { $0.agent.paused }
                #expect(paused.agent.reason?.contains("is empty, though files were there") == true)
                #expect(paused.assets.stored == 2 && paused.besides.remoteOnly == 0)
                try fixture.write("z", to: "c.jpg")
            }
            #expect(report.besides.remoteOnly == 2 && !report.agent.paused)
        }
    }

    @Test func theLogSaysThatARootWentAwayAndCameBack() async throws {
        try await AgentFixture.with(["a.jpg": "x"]) { fixture in
            var fixture = fixture
            let said = Shared<[String]>([])
            fixture.equip = { $0.log = Log(level: .info) { line in said.change { $0.append(line.message) } } }
            let root = try Directory(fixture.folder)
            _ = try await watch(fixture, "it goes on", until: { !$0.agent.paused }) { [fixture] agent in
                try root.rename("Pictures", to: "Elsewhere")
                _ = try await agent.report("it pauses") { $0.agent.paused }
                try await eventually("it says so") { said.value.contains { $0.hasPrefix(fixture.gallery.display) } }
                try root.rename("Elsewhere", to: "Pictures")
                _ = try await agent.sync([fixture.gallery])
                try await eventually("it says that it goes on") {
                    said.value.contains("Pictures is back; it goes on.")
                }
            }
            #expect(said.value.count { $0.contains("Pictures stays") } == 1)
            #expect(said.value.count { $0.contains("back; it goes on.") } == 1)
        }
    }

    @Test func aDeletedFileIsCountedAndItsObjectStays() async throws {
        try await AgentFixture.with(["a.jpg": "x", "b.jpg": "y"]) { fixture in
            let report = try await watch(fixture, "it is remote only", until: { $0.besides.remoteOnly == 1 }) { _ in
                try Directory(fixture.gallery).remove(file: "a.jpg")
            }
            #expect(report.assets == Report.Assets(stored: 1))
            #expect(try await fixture.objects().count == 2)
        }
    }
}
