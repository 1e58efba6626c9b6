import Database
import Fixtures
import MediaModel
import Platform
import Records
import Roots
import TestSupport
import Testing

@testable import Catalog
@testable import Queue

/// An editor's notes date the photo that they belong to, unless it says itself when it was taken.
@Suite struct SidecarDateTests {
    private static let noted = 1_700_500_000.0
    private static let own = 1_600_000_000.0
    private static let modified: Int64 = 1_700_000_000

    private static func notes(_ path: FilePath, _ date: Double? = noted, state: Asset.State = .stored) -> MadeAsset {
        MadeAsset(path, takenAt: date, state: state, type: .xmp)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let assets: [MadeAsset]
        /// Seconds since 1970, and whether they are a date in a file.
        let taken: Int64
        var isDated = true
    }

    @Test(arguments: [
        Row(
            testDescription: "no notes", assets: [MadeAsset("a.jpg")], taken: modified, isDated: false),
        Row(testDescription: "the notes last", assets: [MadeAsset("a.jpg"), notes("a.jpg.xmp")], taken: Int64(noted)),
        Row(testDescription: "the notes first", assets: [notes("a.jpg.xmp"), MadeAsset("a.jpg")], taken: Int64(noted)),
        Row(testDescription: "of the stem", assets: [MadeAsset("a.jpg"), notes("a.xmp")], taken: Int64(noted)),
        Row(
            testDescription: "of the whole name before those of the stem",
            assets: [notes("a.jpg.xmp"), notes("a.xmp", 1_650_000_000), MadeAsset("a.jpg")], taken: Int64(noted)),
        Row(
            testDescription: "a photo with its own date",
            assets: [MadeAsset("a.jpg", takenAt: own), notes("a.jpg.xmp")], taken: Int64(own)),
        Row(
            testDescription: "notes without a date", assets: [MadeAsset("a.jpg"), notes("a.jpg.xmp", nil)],
            taken: modified, isDated: false),
        Row(
            testDescription: "notes about another", assets: [MadeAsset("a.jpg"), notes("b.jpg.xmp")],
            taken: modified, isDated: false),
        Row(
            testDescription: "notes in another folder", assets: [MadeAsset("a.jpg"), notes("x/a.jpg.xmp")],
            taken: modified, isDated: false),
        Row(
            testDescription: "notes in storage alone, of a photo that is here",
            assets: [MadeAsset("a.jpg"), notes("a.jpg.xmp", state: .remoteOnly)], taken: modified, isDated: false),
        Row(
            testDescription: "both in storage alone",
            assets: [MadeAsset("a.jpg", state: .remoteOnly), notes("a.jpg.xmp", state: .remoteOnly)],
            taken: Int64(noted)),
        Row(
            testDescription: "a video", assets: [MadeAsset("a.jpg", type: .mp4), notes("a.xmp")],
            taken: Int64(noted)),
    ])
    func thePhotoHasTheDate(_ row: Row) async throws {
        try await withLibrary(row.assets) { library, _ in
            let face = try #require(try await library.stored("a.jpg"))
            #expect(face.isDated == row.isDated)
            // The timeline has the local clock, which is at most 14 hours off.
            #expect(abs(face.taken - row.taken) <= 14 * 3600)
        }
    }

    /// By what the photo says itself, and by what its notes say, in a zone that this computer need not be in.
    @Test(arguments: [true, false])
    func theTimelineHasTheClockWhereItWasTaken(isNoted: Bool) async throws {
        var dated = isNoted ? Self.notes("a.jpg.xmp") : MadeAsset("a.jpg", takenAt: Self.noted)
        dated.takenAtOffset = -34_200
        try await withLibrary((isNoted ? [MadeAsset("a.jpg")] : []) + [dated]) { library, _ in
            let face = try #require(try await library.stored("a.jpg"))
            #expect(face.taken == Int64(Self.noted) - 34_200)
        }
    }

    @Test func notesThatChangeDateItAnew() async throws {
        try await withLibrary([MadeAsset("a.jpg"), Self.notes("a.jpg.xmp")]) { library, root in
            var edited = Self.notes("a.jpg.xmp", Self.own)
            (edited.modified, edited.content) = (1_700_000_100, "edited")
            try await library.make([edited], below: root)
            let face = try #require(try await library.stored("a.jpg"))
            #expect(abs(face.taken - Int64(Self.own)) <= 14 * 3600 && face.isDated)

            edited = Self.notes("a.jpg.xmp", nil)
            (edited.modified, edited.content) = (1_700_000_200, "without a date")
            try await library.make([edited], below: root)
            #expect(try await library.stored("a.jpg")?.isDated == false)
        }
    }

    struct Loss: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What vanishes, in this order.
        let lost: [[FilePath]]
        var others: [MadeAsset] = []
        /// Whether the notes still date the photo.
        let isDated: Bool
    }

    @Test(arguments: [
        Loss(testDescription: "the notes", lost: [["a.jpg.xmp"]], isDated: false),
        Loss(
            testDescription: "the better notes", lost: [["a.jpg.xmp"]], others: [notes("a.xmp", noted)], isDated: true),
        Loss(testDescription: "both at once", lost: [["a.jpg", "a.jpg.xmp"]], isDated: true),
        Loss(testDescription: "first the photo", lost: [["a.jpg"], ["a.jpg.xmp"]], isDated: true),
        Loss(testDescription: "other notes", lost: [["b.xmp"]], others: [notes("b.xmp", own)], isDated: true),
    ])
    func notesThatAreDeletedDateNoPhotoThatIsKept(_ loss: Loss) async throws {
        let assets = [MadeAsset("a.jpg", state: .stored), Self.notes("a.jpg.xmp")] + loss.others
        try await withLibrary(assets) { library, root in
            for names in loss.lost {
                var places: [Asset.Place] = []
                for name in names {
                    places.append(try #require(try await library.asset(root: root.name, path: name)).place)
                }
                try await library.miss(places)
            }
            let face = try #require(try await library.stored("a.jpg"))
            #expect(face.isDated == loss.isDated)
            #expect(abs(face.taken - (loss.isDated ? Int64(Self.noted) : Self.modified)) <= 14 * 3600)
        }
    }

    /// The move may be known before any walk misses the notes where they were.
    @Test(arguments: [true, false])
    func notesThatAreMovedAwayDateThePhotoNoMore(isFoundOutLater: Bool) async throws {
        let assets = [MadeAsset("a.jpg", state: .stored), Self.notes("a.jpg.xmp"), Self.notes("x/b.xmp")]
        try await withLibrary(assets) { library, _ in
            let (former, moved) = (Shelf.item("a.jpg.xmp"), Shelf.item("x/b.xmp", content: "a.jpg.xmp"))
            try await library.record([(Shelf.receipt(former), former)])
            #expect(try await library.stored("a.jpg")?.isDated == true)
            if isFoundOutLater {
                try await library.noteMove(
                    of: moved, from: former.objectKey, destination: Shelf.destination, at: Shelf.now)
                let move = try #require(try await library.expectedMoves(destination: Shelf.destination).first)
                let held = HeldObject(id: nil, size: 7, eTag: nil, version: nil, updatedAt: nil)
                try await library.settle(
                    moved: move, from: Shelf.receipt(former), held: held, isGone: true, at: Shelf.now)
            } else {
                try await library.forgetMoved(Shelf.receipt(former), to: moved.objectKey)
            }
            #expect(try await library.asset(root: "Pictures", path: "a.jpg.xmp") == nil)
            #expect(try await library.stored("a.jpg")?.isDated == false)
        }
    }

    @Test func notesThatComeBackDateThePhotoAgain() async throws {
        try await withLibrary([MadeAsset("a.jpg"), Self.notes("a.jpg.xmp")]) { library, root in
            let notes: FilePath = "a.jpg.xmp"
            _ = try await library.merge(nil, at: notes, root: root.id, origin: .backlog, now: Items.now)
            #expect(try await library.stored("a.jpg")?.isDated == false)
            try await library.make([Self.notes(notes)], below: root)
            #expect(try await library.stored("a.jpg")?.isDated == true)
        }
    }

    private func withLibrary(_ assets: [MadeAsset], _ body: (Library, KnownRoot) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            try await library.make(assets, below: root)
            try await body(library, root)
        }
    }
}

extension Library {
    /// When the file of this name was taken, as the timeline has it.
    fileprivate func stored(_ name: FilePath) throws -> (taken: Int64, isDated: Bool)? {
        try database.first("SELECT taken, dated FROM assets WHERE name = ?", .blob(name.bytes)) {
            ($0.integer(0), $0.flag(1))
        }
    }
}
