import Catalog
import Configuration
import Gallery
import Platform
import Queue
import Reconciling
import Records
import Reporting
import Roots
import StorageServer
import TestSupport
import Testing

/// What a pass leaves out, and how it reports that.
@Suite struct IgnoringRunTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

    private static func tree() -> FileTree {
        var tree: FileTree = [
            "thumb_drive_2019": ["a.jpg": "a"], "Summer~": ["b.jpg": "b"], "Season 1.part": ["c.jpg": "c"],
            ".hidden": ["d.jpg": "d"], "@eaDir": ["e.jpg": "e"], "half.jpg.part": "half", "notes.txt~": "notes",
            "readme.txt": "readme",
        ]
        tree.nodes["IMG_1.jpg~"] = .file(jpeg + [1])
        tree.nodes["thumb_wrestling.jpg"] = .file(jpeg + [2])
        return tree
    }

    @Test func foldersAndMediaStayWhateverTheirNames() async throws {
        try await AgentFixture.with(Self.tree()) { fixture in
            try await fixture.pass()
            #expect(
                Set(try await fixture.objects().keys) == [
                    "Pictures/thumb_drive_2019/a.jpg", "Pictures/Summer!7E/b.jpg", "Pictures/Season 1.part/c.jpg",
                    "Pictures/IMG_1.jpg!7E", "Pictures/thumb_wrestling.jpg",
                ])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.ignored == 5)
            #expect(
                report.besides.leftOut == [
                    Report.LeftOut(rule: "a NAS index directory", count: 1),
                    Report.LeftOut(rule: "an editor's backup", count: 1),
                    Report.LeftOut(rule: "an unfinished download", count: 1), Report.LeftOut(rule: "hidden", count: 1),
                    Report.LeftOut(rule: "no media", count: 1),
                ])
            let text = TextReport(report, width: 200).lines.joined(separator: "\n")
            #expect(text.contains("Left out     1 × a NAS index directory · 1 × an editor's backup"))
        }
    }

    @Test func whatWasOnlyIndexedIsStoredOnceItsRootIsStoredByItself() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.roots = [Settings.Root(path: fixture.gallery, autoUpload: false)]
            for isOn in [false, false, true] {
                fixture.settings.roots[0].autoUpload = isOn
                try await fixture.pass()
                let counts = try await fixture.run(.steering) { try await $0.library.counts() }
                #expect([counts[.indexed], counts[.stored]] == (isOn ? [0, 1] : [1, 0]))
            }
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg"])
        }
    }

    /// Unless its user has named it.
    @Test(arguments: [false, true])
    func whatWaitsIsNotSentOnceItsRootIsOnlyIndexed(isNamed: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.roots = [Settings.Root(path: fixture.gallery)]
            fixture.settings.sync.patience = .zero
            let hasty = fixture
            _ = try await fixture.requests(failing: { _ in .drop(afterReading: 0) }) {
                try await eventually("its item waits") {
                    _ = try await hasty.sync()
                    return try QueueStore(state: hasty.locations.state).load().entries.contains(where: \.isOpen)
                }
                guard isNamed else { return }
                var all = Selection()
                (all.which, all.paths) = (.all, [hasty.gallery])
                _ = try await hasty.run { [all] in try await $0.beginReupload(all) }
            }
            fixture.settings.roots[0].autoUpload = false
            fixture.settings.sync.patience = .seconds(100)
            let patient = fixture
            let asked = try await fixture.requests { try await patient.pass() }
            #expect(asked.uploads == (isNamed ? ["/object/media/Pictures/a.jpg"] : []))
            let counts = try await fixture.run(.steering) { try await $0.library.counts() }
            #expect([counts[.indexed], counts[.stored]] == (isNamed ? [0, 1] : [1, 0]))
        }
    }

    /// A rule that comes later takes nothing out of storage, and says so wherever it is asked about.
    @Test func whatARuleLeavesOutLaterStaysStored() async throws {
        try await AgentFixture.with(["a.jpg": "one", "drafts": ["b.jpg": "two"], "c.jpg": "three"]) { fixture in
            var fixture = fixture
            try await fixture.pass()
            fixture.settings.scan.ignore = ["a.jpg", "drafts/"]
            try await fixture.pass()
            let pruned = try await fixture.run(.steering) { try await $0.prune(deleting: true) }
            #expect(pruned.ending == .done && pruned.result.objects.isEmpty)
            #expect(
                pruned.result.kept.map(\.reason) == [
                    "its file may be there, left out now: your rule “a.jpg”",
                    "its file may be there, left out now: your rule “drafts/”",
                ])
            #expect(try await fixture.objects().count == 3)
            #expect(try await Self.counts(fixture) == [0, 2])
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let known = try #require(try await library.roots().first)
            let root = Root(known: known, rules: IgnoreRules(fixture.settings.scan))
            let words = try await Explanation(
                of: fixture.gallery.appending("a.jpg"), root: (root, "a.jpg"), library: library, items: []
            ).decisions.dropFirst()
            #expect(words.first == "It is left out: your rule “a.jpg”.")
            #expect(words.last?.hasPrefix("The file is stored as Pictures/a.jpg, 3 B, verified ") == true, "\(words)")
        }
    }

    /// A file that is left out counts as only in storage once it is gone, as `prune` lists it, and not before.
    @Test func whatIsLeftOutIsOnlyInStorageOnceItIsGone() async throws {
        try await AgentFixture.with(["a.jpg": "one", "drafts": ["b.jpg": "two"], "c.jpg": "three"]) { fixture in
            var fixture = fixture
            try await fixture.pass()
            fixture.settings.scan.ignore = ["a.jpg", "drafts/"]
            for (name, counts) in [("c.jpg", [1, 2]), ("drafts/b.jpg", [2, 1]), ("a.jpg", [3, 0])] {
                try Directory(fixture.gallery).remove(file: FilePath(name))
                try fixture.write("other", to: "other.jpg")
                try await fixture.pass()
                #expect(try await Self.counts(fixture) == counts, "\(name)")
                let listed = try await fixture.run(.steering) { try await $0.prune(deleting: false) }.result
                #expect([listed.objects.count, listed.kept.count] == counts, "\(name)")
            }
        }
    }

    /// Between two walks, too: what is counted is the files themselves, and no number that a walk left behind.
    @Test func whatIsLeftOutAndPrunedIsCountedNoMore() async throws {
        try await AgentFixture.with(["a.jpg": "one", "drafts": ["b.jpg": "two"], "c.jpg": "three"]) { fixture in
            var fixture = fixture
            try await fixture.pass()
            fixture.settings.scan.ignore = ["a.jpg", "drafts/"]
            try Directory(fixture.gallery).remove(file: "c.jpg")
            try fixture.write("other", to: "other.jpg")
            try await fixture.pass()
            #expect(try await Self.counts(fixture) == [1, 2])
            try Directory(fixture.gallery).remove(file: "a.jpg")
            let pruned = try await fixture.run(.steering) { try await $0.prune(deleting: true) }.result
            #expect(pruned.objects.count == 2)
            #expect(try await Self.counts(fixture) == [0, 1])
        }
    }

    @Test func aRuleThatIsTakenBackLetsItsFilesCountAsStored() async throws {
        try await AgentFixture.with(["a.jpg": "one", "c.jpg": "three"]) { fixture in
            var fixture = fixture
            try await fixture.pass()
            for (rules, counts) in [(["a.jpg"], [0, 1]), ([], [0, 0])] {
                fixture.settings.scan.ignore = rules
                try await fixture.pass()
                #expect(try await Self.counts(fixture) == counts)
            }
        }
    }

    /// Files only in storage, and stored files that are left out now, as a status counts them.
    private static func counts(_ fixture: AgentFixture) async throws -> [Int] {
        let besides = try await fixture.run(.steering) { try await $0.report(.summary) }.besides
        return [besides.remoteOnly, besides.leftOutStored]
    }

    @Test func withoutTheDefaultRulesOnlyHiddenNamesAreLeftOut() async throws {
        try await AgentFixture.with(Self.tree()) { fixture in
            var fixture = fixture
            fixture.settings.scan.defaultRules = false
            let ending = try await fixture.run { [fixture] in try await $0.sync([fixture.gallery]) }
            #expect(ending == .done)
            #expect(try await fixture.objects().keys.contains("Pictures/@eaDir/e.jpg") == false)
            #expect(try await fixture.objects().keys.contains("Pictures/!40eaDir/e.jpg"))
            #expect(try await !fixture.objects().keys.contains { $0.contains(".hidden") })
        }
    }
}
