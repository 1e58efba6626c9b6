import Catalog
import Configuration
import Gallery
import Platform
import Records
import Reporting
import Sync
import TestSupport
import Testing

/// The program's own files below a root.
@Suite struct OwnPlaceTests {
    @Test func theStateInsideARootIsLeftOutAndCounted() async throws {
        let tree: FileTree = [
            "a.jpg": "a", "backup": ["state": ["default": [:]], "storage": ["objects": ["x.jpg": "one of ours"]]],
        ]
        try await AgentFixture.with(tree) { fixture in
            let request = LocationRequest(
                environment: ["HOME": fixture.folder.display], stateDirectory: fixture.gallery.appending("backup"),
                user: Host.userID)
            var fixture = fixture
            fixture.equip = { [locations = try Locations(for: request)] in $0.locations = locations }
            for _ in 0..<3 { try await fixture.pass() }
            #expect(Array(try await fixture.objects().keys) == ["Pictures/a.jpg"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            let rule = "this program's own state, cache or storage"
            #expect(report.besides.leftOut == [Report.LeftOut(rule: rule, count: 2)])
        }
    }

    @Test func theStateItselfIsNoRoot() async throws {
        try await AgentFixture.with([:]) { fixture in
            let state = try fixture.locations.state
            try Directory.create(at: state.appending("photos"))
            for path in [state, state.appending("photos")] {
                let ending = try await fixture.run { try await $0.sync([path]) }
                guard case .usage(let sentence) = ending else {
                    Issue.record("ended as \(ending)")
                    continue
                }
                #expect(sentence.contains("where gallery-sync keeps its own files"))
            }
        }
    }

    @Test func aStateThatASymlinkLeadsToIsFoundByItsDirectory() async throws {
        try await FileTree(["root": ["real": ["state": ["default": [:]]]], "link": .symlink(to: "root/real")])
            .withDirectory { folder in
                let request = LocationRequest(
                    environment: ["HOME": folder.display], stateDirectory: folder.appending("link"), user: 1)
                let own = OwnPlaces(try Locations(for: request))
                #expect(own.below(folder.appending("root")) == ["real/state"])
                #expect(own.holds(folder.appending("root/real/state/default")))
                #expect(!own.holds(folder.appending("root/real")))
                #expect(own.below(folder.appending("root/real/state/default")).isEmpty)
            }
    }
}
