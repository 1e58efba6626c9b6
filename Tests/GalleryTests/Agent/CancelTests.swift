import Catalog
import Configuration
import Dispatch
import Gallery
import Platform
import Records
import Reporting
import Roots
import Sync
import TestSupport
import Testing

/// Files that the user leaves out with `queue cancel`.
@Suite struct CancelTests {
    @Test(arguments: [
        ("a file of a root that was never looked at", false, "a.jpg", 1),
        ("a new file of a known root", true, "a.jpg", 1), ("a directory of such files", true, "2026", 2),
        ("a file that is not there", true, "none.jpg", 0),
    ])
    func whatNoScanHasSeenIsLeftOut(_ fact: String, isKnown: Bool, path: String, count: Int) async throws {
        try await AgentFixture.with(["keep.jpg": "kept"]) { fixture in
            var fixture = fixture
            fixture.settings.roots = [Settings.Root(path: fixture.gallery)]
            if isKnown { try await fixture.pass() }
            try fixture.write("one", to: "a.jpg")
            try Directory.create(at: fixture.gallery.appending("2026"))
            for name in ["b", "c"] { try fixture.write(name, to: FilePath("2026/\(name).jpg")) }
            let wanted = fixture.gallery.appending(FilePath(path))
            #expect(try await fixture.run(.steering) { try await $0.cancel([wanted]) } == count, "\(fact)")
            try await fixture.pass()
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.excluded == count)
            #expect(try await fixture.objects().count == 4 - count)
            #expect(try await !fixture.objects().keys.contains { $0.hasPrefix("Pictures/\(path)") })
        }
    }

    /// A pass over another folder is under way, which sends what it finds in the queue; the cancelled folder is out of the
    /// configuration.
    @Test func nothingThatIsFoundForItIsSent() async throws {
        try await AgentFixture.with(["a.jpg": "kept"]) { fixture in
            var fixture = fixture
            try await fixture.pass()
            let other = fixture.folder.appending("Other")
            for (root, name) in [(fixture.gallery, "new"), (other, "picture")] {
                try Directory.create(at: root)
                for number in 0..<150 {
                    let folder = root.appending(FilePath("\(number)"))
                    try Directory.create(at: folder)
                    try OpenFile(creating: folder.appending("a.jpg")).write(Array("\(name) \(number)".utf8), at: 0)
                }
            }
            fixture.settings.roots = [Settings.Root(path: other)]
            let asked = try await fixture.requests { [fixture] in
                try await fixture.run { agent in
                    async let pass = agent.sync([])
                    #expect(try await agent.cancel([fixture.gallery]) == 150)
                    _ = try await pass
                }
            }
            #expect(asked.uploads.count == 150)
            #expect(!asked.uploads.contains { $0.contains("/Pictures/") })
        }
    }

    /// Stored files that changed all at once wait for a word, and a new one for room.
    @Test func whatIsHeldIsLeftOut() async throws {
        var tree = FileTree()
        for number in 0..<60 { tree.nodes[FilePath("\(number).jpg")] = .file(Array("picture \(number)".utf8)) }
        try await AgentFixture.with(tree) { fixture in
            try await fixture.pass()
            for number in 0..<51 { try fixture.write("scrambled \(number)", to: FilePath("\(number).jpg")) }
            #expect(try await fixture.sync() == .held(51))
            let cancelled = fixture.gallery.appending("7.jpg")
            #expect(try await fixture.run(.steering) { try await $0.cancel([cancelled]) } == 1)
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.brake?.count == 50)
            #expect(report.besides.excluded == 1)
        }
    }

    @Test func whatWaitsForRoomIsLeftOut() async throws {
        try await AgentFixture.with(["a.jpg": .file([UInt8](repeating: 1, count: 600))]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(500)
            guard case .full = try await fixture.sync() else { return #expect(Bool(false), "it has no room") }
            let cancelled = fixture.gallery.appending("a.jpg")
            #expect(try await fixture.run(.steering) { try await $0.cancel([cancelled]) } == 1)
            try await fixture.pass()
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.excluded == 1)
        }
    }

    /// How a cancelled file comes to another name.
    enum Renaming: CaseIterable {
        /// It was never read, or read before it was cancelled.
        case unread, read
        /// A scan has missed it meanwhile.
        case goneForAWhile
        /// It is back under the same name.
        case back
    }

    @Test(arguments: Renaming.allCases)
    func aCancelledFileStaysSoUnderAnotherName(_ renaming: Renaming) async throws {
        try await AgentFixture.with(["keep.jpg": "kept", "trip": ["a.jpg": "private"]]) { fixture in
            if renaming != .unread {
                try await fixture.run(.steering) { try await $0.pause() }
                var hasty = fixture
                hasty.settings.sync.patience = .zero
                #expect(try await hasty.sync() != .done)
                try await fixture.run(.steering) { try await $0.resume() }
            } else {
                _ = try await fixture.run(.steering) { try await $0.adopt(fixture.gallery).below }
            }
            let cancelled = fixture.gallery.appending("trip/a.jpg")
            #expect(try await fixture.run(.steering) { try await $0.cancel([cancelled]) } == 1)
            let (here, away) = (try Directory(fixture.gallery), try Directory(fixture.folder))
            if [.goneForAWhile, .back].contains(renaming) {
                try away.rename("Pictures/trip/a.jpg", to: "a.jpg")
                try await fixture.pass()
                try away.rename("a.jpg", to: "Pictures/trip/a.jpg")
            }
            if renaming != .back { try here.rename("trip", to: "Alps") }
            try await fixture.pass()
            try await fixture.pass()
            #expect(Set(try await fixture.objects().keys) == ["Pictures/keep.jpg"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.excluded == 1)
            // Once it is asked for, it is a file like any other.
            guard renaming != .back else { return }
            var selection = Selection()
            selection.paths = [fixture.gallery.appending("Alps/a.jpg")]
            selection.which = .all
            let asked = selection
            #expect(try await fixture.run { try await $0.reupload(asked).ending } == .done)
            try here.rename("Alps", to: "Tyrol")
            try await fixture.pass()
            #expect(Set(try await fixture.objects().keys) == ["Pictures/keep.jpg", "Pictures/Tyrol/a.jpg"])
        }
    }

    /// To read a large file takes minutes.
    @Test func aFileIsLeftOutThatIsBeingReadAtThatMoment() async throws {
        try await AgentFixture.with(["keep.jpg": "kept", "a.jpg": "private"]) { fixture in
            let (begun, goOn) = (Shared(false), DispatchSemaphore(value: 0))
            var fixture = fixture
            fixture.equip = {
                $0.identifier = Identifier { root, path throws(SystemError) in
                    if path == "a.jpg" {
                        begun.change { $0 = true }
                        goOn.wait()
                    }
                    return try root.open(path)
                }
            }
            let gallery = fixture.gallery
            try await fixture.run { agent in
                try await withThrowingTaskGroup(of: Ending.self) { group in
                    group.addTask { try await agent.sync([gallery]) }
                    try await eventually("it is being read") { begun.value }
                    #expect(try await agent.cancel([gallery.appending("a.jpg")]) == 1)
                    goOn.signal()
                    #expect(try await group.next() == .done)
                }
            }
            #expect(Set(try await fixture.objects().keys) == ["Pictures/keep.jpg"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.excluded == 1)
        }
    }

    @Test func aCopyOfACancelledFileIsStored() async throws {
        try await AgentFixture.with(["a.jpg": "private"]) { fixture in
            // It is read, so that its bytes are known.
            try await fixture.run(.steering) { try await $0.pause() }
            var hasty = fixture
            hasty.settings.sync.patience = .zero
            #expect(try await hasty.sync() != .done)
            try await fixture.run(.steering) { try await $0.resume() }
            let cancelled = fixture.gallery.appending("a.jpg")
            #expect(try await fixture.run(.steering) { try await $0.cancel([cancelled]) } == 1)
            try fixture.write("private", to: "copy.jpg")
            try await fixture.pass()
            #expect(Set(try await fixture.objects().keys) == ["Pictures/copy.jpg"])
        }
    }
}
