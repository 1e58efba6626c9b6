import Catalog
import Configuration
import FoundationEssentials
import Gallery
import MediaModel
import Platform
import Records
import Reporting
import Roots
import Sync
import TestSupport
import Testing

/// Live Photos and editors' notes: each file is stored as it is, and `why` shows which belong together.
@Suite struct CompanionTests {
    private static let notes = "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>"
    private static let tree: FileTree = [
        "IMG_1.HEIC": "picture", "IMG_1.MOV": "moments", "IMG_1.HEIC.xmp": .init(stringLiteral: notes),
        "IMG_10.MOV": "another", "alone.xmp": .init(stringLiteral: notes),
        "sub": ["IMG_1.xmp": .init(stringLiteral: notes)],
    ]

    @Test func allOfThemAreStored() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            let report = try await fixture.run { agent in
                _ = try await agent.sync([fixture.gallery])
                return try await agent.report(.summary)
            }
            #expect(report.assets == Report.Assets(stored: 6))
            #expect(report.besides.ignored == 0)
            let objects = try await fixture.objects()
            #expect(objects["Pictures/IMG_1.HEIC.xmp"] == Array(Self.notes.utf8))
            #expect(objects["Pictures/IMG_1.MOV"] == Array("moments".utf8))
        }
    }

    /// Reads notes only once there is a process for it.
    private struct NoteReader: MediaExamining {
        let isReady: Shared<Bool>

        func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
            guard job.type.kind == .sidecar else { return await PainterDouble().examine(file, job) }
            guard isReady.value else { return .unavailable("no memory for a process") }
            var facts = MediaFacts(kind: .sidecar, type: job.type)
            (facts.takenAt, facts.takenAtSource) = (Date(timeIntervalSince1970: 1_000_000), .xmp)
            return .examined(facts, [])
        }

        func tend() async {}
    }

    /// As after a crash between the two: the notes are stored and were not read.
    @Test func notesThatCouldNotBeReadAreReadByTheNextPass() async throws {
        try await AgentFixture.with(["a.jpg": "picture", "a.jpg.xmp": .init(stringLiteral: Self.notes)]) { fixture in
            var fixture = fixture
            fixture.settings.thumbnails.enabled = true
            let isReady = Shared(false)
            fixture.equip = { $0.workers = NoteReader(isReady: isReady) }
            let notes = SHA256.hash(Self.notes.utf8).hexadecimal
            _ = try await fixture.sync()
            isReady.change { $0 = true }
            _ = try await fixture.sync()
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            #expect(try await library.content(notes)?.facts?.takenAt != nil)
            let record = try #require(try await library.fileRecord(root: "Pictures", path: "a.jpg.xmp"))
            #expect(record.pictures == .unwanted)
        }
    }

    @Test(
        arguments: [
            (
                "IMG_1.HEIC",
                ["An editor's notes about it are IMG_1.HEIC.xmp.", "It is a Live Photo: its movie is IMG_1.MOV."]
            ),
            ("IMG_1.MOV", ["It is the movie of the Live Photo IMG_1.HEIC."]),
            ("IMG_1.HEIC.xmp", ["It is an editor's notes about IMG_1.HEIC."]), ("IMG_10.MOV", []), ("alone.xmp", []),
            ("sub/IMG_1.xmp", []),
        ] as [(String, [String])])
    func whyTellsWhatBelongsTogether(path: String, sentences: [String]) async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            _ = try await fixture.run { try await $0.sync([fixture.gallery]) }
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let known = try #require(try await library.roots().first)
            let explanation = try await Explanation(
                of: fixture.gallery.appending(path), root: (Root(known: known), FilePath(path)), library: library,
                items: [])
            let told = explanation.decisions.filter { $0.contains("Live Photo") || $0.contains("editor's notes") }
            #expect(told == sentences)
        }
    }
}
