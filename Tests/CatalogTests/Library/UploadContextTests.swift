import Database
import Fixtures
import Foundation
import MediaModel
import Platform
import Queue
import Records
import Roots
import Testing
import Text

@testable import Catalog
@testable import Reporting

/// What a sender is told of an item, and of which objects its bytes may be moved or copied.
@Suite struct UploadContextTests {
    private static let destination = Shelf.destination
    private static let item = Shelf.item("new.jpg", content: "same")

    /// What is there beside the file.
    enum Beside: CaseIterable, Sendable { case gone, goneAndMarked, changed, stored }

    private func store(_ name: FilePath, _ beside: Beside, in shelf: Shelf) async throws {
        let item = Shelf.item(name, content: "same")
        try await shelf.store(item)
        switch beside {
        case .stored: break
        case .gone: try await shelf.miss(name)
        case .goneAndMarked:
            try await shelf.miss(name)
            try await shelf.library.outdate(Shelf.receipt(item))
        case .changed: try await shelf.see(name, size: 9)
        }
    }

    /// Objects without a file come first, since they can be moved; then those that stay as they are.
    @Test(arguments: 0..<24)
    func theBestOfEqualObjectsComesFirst(_ order: Int) async throws {
        let shelf = try await Shelf()
        var rest = Array(zip(["a.jpg", "b.jpg", "c.jpg", "d.jpg"] as [FilePath], Beside.allCases))
        var number = order
        while !rest.isEmpty {
            let (name, beside) = rest.remove(at: number % rest.count)
            number /= rest.count + 1
            try await store(name, beside, in: shelf)
        }
        let found = try await shelf.library.duplicates(of: Self.item, destination: Self.destination)
        #expect(found.map(\.path) == ["a.jpg", "b.jpg", "d.jpg", "c.jpg"])
        #expect(found.map(\.name).first == "Pictures/a.jpg")
    }

    /// Of the same kind, a file of the same name comes first, wherever it lies.
    @Test func aFileThatWentToAnotherDirectoryIsFoundByItsName() async throws {
        let shelf = try await Shelf()
        for path in ["a.jpg", "sub/new.jpg", "z.jpg"] as [FilePath] { try await store(path, .gone, in: shelf) }
        let found = try await shelf.library.duplicates(of: Self.item, destination: Self.destination)
        #expect(found.map(\.path) == ["sub/new.jpg", "a.jpg", "z.jpg"])
    }

    /// Of thousands of equal files only some are compared; one that is gone is among them, whatever its key.
    @Test func aFileThatIsGoneIsFoundAmongManyThatAreEqual() async throws {
        let shelf = try await Shelf()
        for number in 100..<180 { try await store(FilePath("a\(number).jpg"), .stored, in: shelf) }
        try await store("z.jpg", .gone, in: shelf)
        let found = try await shelf.library.duplicates(of: Self.item, destination: Self.destination)
        #expect(found.map(\.path).prefix(3) == ["z.jpg", "a100.jpg", "a101.jpg"] && found.count == 8)
    }

    /// As when a folder of many equal files is moved: each keeps the object and the picture of its name.
    @Test(arguments: [Item.Role.original, .thumbnail(512)])
    func theNameDecidesAmongManyThatAreGone(_ role: Item.Role) async throws {
        let shelf = try await Shelf()
        for name in (100..<180).map({ FilePath("a\($0).jpg") }) + ["z/new.jpg"] {
            try await shelf.store(Shelf.item(name, content: "same"))
            if role != .original { try await shelf.store(Shelf.item(name, content: "picture", role: role)) }
            try await shelf.miss(name)
        }
        // The file's own object goes before its picture, and takes the former row with it.
        try await shelf.library.change(
            "DELETE FROM assets WHERE directory IN (SELECT id FROM directories WHERE path = x'7A')")
        let item = Shelf.item("new.jpg", content: role == .original ? "same" : "picture", role: role)
        let found = try await shelf.library.duplicates(of: item, destination: Self.destination)
        #expect(found.map(\.path).prefix(2) == ["z/new.jpg", "a100.jpg"])
    }

    /// As when equal files get other names: the object of each has its time.
    @Test func aFileThatGotAnotherNameIsFoundByItsTime() async throws {
        let shelf = try await Shelf()
        for (number, name) in (["a.jpg", "b.jpg", "c.jpg"] as [FilePath]).enumerated() {
            try await store(name, .gone, in: shelf)
            let time = Self.item.modifiedAt.nanoseconds + Int64(1 - number)
            try await shelf.library.change(
                "UPDATE assets SET mtime = ? WHERE name = ?", .integer(time), .blob(name.name))
        }
        let found = try await shelf.library.duplicates(of: Self.item, destination: Self.destination)
        #expect(found.map(\.path) == ["b.jpg", "a.jpg", "c.jpg"])
    }

    struct Other: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let item: Item
        var destination = Shelf.destination
        var isFound = false
    }

    @Test(arguments: [
        Other(testDescription: "the same bytes", item: Shelf.item("a.jpg", content: "same"), isFound: true),
        Other(testDescription: "other bytes", item: Shelf.item("a.jpg")),
        Other(testDescription: "another size", item: Shelf.item("a.jpg", content: "same", size: 8)),
        Other(testDescription: "a picture", item: Shelf.item("a.jpg", content: "same", role: .thumbnail(512))),
        Other(testDescription: "at another destination", item: Shelf.item("a.jpg", content: "same"), destination: "x"),
        Other(testDescription: "under its own key", item: Shelf.item("new.jpg", content: "same")),
    ])
    func onlyTheSameBytesInTheSameRoleCount(_ row: Other) async throws {
        let shelf = try await Shelf()
        try await shelf.store(row.item, Shelf.receipt(row.item, at: row.destination))
        let found = try await shelf.library.duplicates(of: Self.item, destination: Self.destination)
        #expect(found.isEmpty != row.isFound)
    }

    /// Of very many copies a few are enough.
    @Test func noMoreThanEightAreNamed() async throws {
        let shelf = try await Shelf()
        for number in 0..<12 { try await store(FilePath("\(number).jpg"), .stored, in: shelf) }
        #expect(try await shelf.library.duplicates(of: Self.item, destination: Self.destination).count == 8)
    }

    /// An empty file gains nothing by a copy, and what its own receipt proves needs none.
    @Test(arguments: [(7, false, 1), (0, false, 0), (7, true, 0)] as [(Int64, Bool, Int)])
    func whereNothingIsToBeSentNoOtherObjectIsNamed(_ size: Int64, _ hasReceipt: Bool, _ count: Int) async throws {
        let shelf = try await Shelf()
        let other = Shelf.item("a.jpg", content: "same", size: size)
        try await shelf.store(other)
        let item = Shelf.item("new.jpg", content: "same", size: size)
        if hasReceipt { try await shelf.store(item) }
        let context = try await shelf.library.uploadContext(of: item, destination: Self.destination)
        #expect(context.duplicates.count == count)
        #expect((context.receipt != nil) == hasReceipt)
        #expect(context.isNew == (!hasReceipt && count == 0))
        #expect(context.facts == nil)
    }

    /// A move that may have taken place comes before everything else.
    @Test func anUnsettledMoveIsToldFirst() async throws {
        let shelf = try await Shelf()
        try await shelf.library.noteMove(
            of: Self.item, from: ObjectKey(text: "Pictures/former.jpg"), destination: Self.destination,
            at: Shelf.now)
        let context = try await shelf.library.uploadContext(of: Self.item, destination: Self.destination)
        #expect(context.unsettledMove?.source.text == "Pictures/former.jpg")
        let elsewhere = try await shelf.library.uploadContext(of: Self.item, destination: "elsewhere")
        #expect(elsewhere.unsettledMove == nil)
    }

    /// A file that went to another root leaves an object with a root of that name, or none.
    @Test func aRootThatIsNotKnownAnyMoreHasNoName() async throws {
        let shelf = try await Shelf()
        try await store("sub/a.jpg", .stored, in: shelf)
        try await shelf.library.change("DELETE FROM directories")
        await shelf.library.reopenPlaces()
        let found = try #require(
            try await shelf.library.duplicates(of: Self.item, destination: Self.destination).first)
        #expect(found.root == "")
        #expect(found.path == "a.jpg")
    }

    // MARK: Stray pictures

    struct Stray: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What became of the file that has the same bytes.
        var other: Asset.State?
        var hasOriginal = false
        var isGone = true
        let isStray: Bool
        var isHere = false
    }

    /// The picture of a file that went before its original was stored; its content has another name.
    @Test(arguments: [
        Stray(testDescription: "stored under another name that is here", other: .stored, isStray: true, isHere: true),
        Stray(testDescription: "stored under another name that is gone", other: .remoteOnly, isStray: true),
        Stray(testDescription: "stored nowhere: the picture is all there is", isStray: false),
        Stray(testDescription: "its original is stored", other: .stored, hasOriginal: true, isStray: false),
        Stray(testDescription: "its file is here", other: .stored, isGone: false, isStray: false),
    ])
    func aPictureIsStray(_ row: Stray) async throws {
        let shelf = try await Shelf()
        try await shelf.library.see(Shelf.item("a.jpg", content: "same"), below: shelf.root)
        let picture = Shelf.item("a.jpg", role: .thumbnail(512))
        try await shelf.store(picture)
        if row.hasOriginal { try await shelf.store(Shelf.item("a.jpg", content: "same")) }
        if let other = row.other {
            try await store("other.jpg", .stored, in: shelf)
            try await shelf.library.mark("other.jpg", as: other)
        }
        if row.isGone { try await shelf.miss("a.jpg") }
        let stray = try await shelf.library.strayPictures(destination: Self.destination)
        #expect(stray.map(\.duplicate.receipt.key) == (row.isStray ? [picture.objectKey] : []))
        #expect(stray.map(\.isHere) == (row.isStray ? [row.isHere] : []))
        #expect(try await shelf.library.strayPictures(destination: "elsewhere").isEmpty)
    }

    // MARK: Pictures that are owed

    private static let roles = [Item.Role.thumbnail(256), .thumbnail(512)]

    /// Pictures without a receipt are made again, once for each destination and each set of sizes.
    @Test(arguments: Asset.State.allCases, [0, 1, 2])
    func whatLacksAPictureIsFoundOnce(_ state: Asset.State, _ stored: Int) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Shelf.item("a.jpg"))
        for role in Self.roles.prefix(stored) { try await shelf.store(Shelf.item("a.jpg", role: role)) }
        try await shelf.library.setPictures(of: try await shelf.asset("a.jpg").place, to: .made)
        try await shelf.library.mark("a.jpg", as: state)
        try await shelf.library.doubtPictures()
        let isLacking = stored < 2 && state == .stored
        #expect(try await shelf.library.picturesOwed(roles: Self.roles) == (isLacking ? 1 : 0))
        try await shelf.library.findOwedPictures(roles: Self.roles, destination: Self.destination)
        // Until the original is stored, pictures that are stored may show what the file held before.
        let isFound = isLacking || state == .queued
        #expect(try await shelf.library.pictures(of: "a.jpg") == (isFound ? .wanted : .made))
        // Looked for once, it is not looked for again, until that is doubted, the sizes are others, or the destination is
        // another one, which holds none.
        let isLooked = [.queued, .stored].contains(state)
        for (roles, destination, isAgain) in [
            (Self.roles, Self.destination, false), ([], Self.destination, false), (Self.roles, "elsewhere", isLooked),
            (Self.roles + [.thumbnail(9)], Self.destination, isLooked),
        ] {
            try await shelf.library.setPictures(of: try await shelf.asset("a.jpg").place, to: .unwanted)
            try await shelf.library.setPictures(of: try await shelf.asset("a.jpg").place, to: .made)
            try await shelf.library.findOwedPictures(roles: roles, destination: destination)
            #expect(try await shelf.library.pictures(of: "a.jpg") == (isAgain ? .wanted : .made))
        }
    }

    /// A run with other sizes makes pictures of some files and ends; the next has the former sizes again.
    @Test(arguments: [true, false])
    func filesOfARunWithOtherSizesAreLookedAt(_ wasOther: Bool) async throws {
        let shelf = try await Shelf()
        let library = shelf.library
        try await library.findOwedPictures(roles: Self.roles, destination: Self.destination)
        let roles = wasOther ? [Item.Role.thumbnail(9)] : Self.roles
        try await library.expectPictures(roles: roles, destination: Self.destination)
        try await shelf.store(Shelf.item("a.jpg"))
        try await shelf.store(Shelf.item("a.jpg", role: .thumbnail(9)))
        try await library.setPictures(of: try await shelf.asset("a.jpg").place, to: .made)
        try await library.expectPictures(roles: Self.roles, destination: Self.destination)
        try await library.findOwedPictures(roles: Self.roles, destination: Self.destination)
        #expect(try await library.pictures(of: "a.jpg") == (wasOther ? .wanted : .made))
    }

    /// The pictures of a changed file may be lost while those of its former content are stored.
    @Test(arguments: [(0.0, false), (-1, true), (0.001, false), (-0.001, true)])
    func picturesOfFormerContentDoNotCount(_ seconds: Double, _ isFound: Bool) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Shelf.item("a.jpg"))
        for role in Self.roles {
            try await shelf.store(Shelf.item("a.jpg", role: role, made: Shelf.now + seconds))
        }
        try await shelf.library.setPictures(of: try await shelf.asset("a.jpg").place, to: .made)
        try await shelf.library.doubtPictures()
        #expect(try await shelf.library.picturesOwed(roles: Self.roles) == (isFound ? 1 : 0))
        try await shelf.library.findOwedPictures(roles: Self.roles, destination: Self.destination)
        #expect(try await shelf.library.pictures(of: "a.jpg") == (isFound ? .wanted : .made))
    }

    /// The file held other bytes for a while, whose pictures were stored, and the queue lost those of its bytes now.
    @Test(arguments: [("b.jpg", true), ("a.jpg", false)])
    func picturesOfContentInBetweenDoNotCount(_ lastKnown: String, _ isFound: Bool) async throws {
        let shelf = try await Shelf()
        let library = shelf.library
        let item = Shelf.item("a.jpg")
        try await shelf.store(item)
        for role in Self.roles { try await shelf.store(Shelf.item("a.jpg", role: role, made: Shelf.now + 1)) }
        let between = Shelf.item("a.jpg", content: lastKnown)
        try await library.change("UPDATE assets SET sha256 = ?", Value([UInt8](hexadecimal: between.sha256)))
        let wrong = Discrepancy(.different, of: Shelf.receipt(item), isDeep: false)
        try await library.remember(
            [wrong], destination: Self.destination, isComplete: true, wasDownloaded: { _ in false }, at: Shelf.now)
        try await library.renewReceipt(of: try await shelf.asset("a.jpg"), content: item.sha256, at: Shelf.now + 2)
        try await library.setPictures(of: try await shelf.asset("a.jpg").place, to: .made)
        try await library.doubtPictures()
        #expect(try await library.picturesOwed(roles: Self.roles) == (isFound ? 1 : 0))
        // What is known of the object stays known.
        let receipt = try #require(
            try await library.receipt(destination: Self.destination, key: item.objectKey))
        #expect(try await library.isFoundWrong(receipt))
    }

    /// A file renamed to the name of another one is stored under it by a move, which a crash leaves to be found out.
    @Test func picturesOfAFileThatAMoveReplacedDoNotCount() async throws {
        let shelf = try await Shelf()
        let library = shelf.library
        let former = Shelf.item("former.jpg", content: "b.jpg", made: Shelf.now - 60)
        let replaced = Shelf.item("a.jpg")
        try await shelf.store(former)
        try await shelf.store(replaced)
        for role in Self.roles { try await shelf.store(Shelf.item("a.jpg", role: role)) }
        try await library.forget(Shelf.receipt(replaced))
        let renamed = Shelf.item("a.jpg", content: "b.jpg")
        try await library.noteMove(
            of: renamed, from: former.objectKey, destination: Self.destination, at: Shelf.now)
        let move = try #require(try await library.expectedMoves(destination: Self.destination).first)
        let held = HeldObject(id: "n", size: 5, eTag: nil, version: "w", updatedAt: nil)
        try await library.settle(moved: move, from: Shelf.receipt(former), held: held, isGone: true, at: Shelf.now + 5)
        try await shelf.library.mark("a.jpg", as: .stored)
        try await library.setPictures(of: try await shelf.asset("a.jpg").place, to: .made)
        try await library.doubtPictures()
        #expect(try await library.picturesOwed(roles: Self.roles) == 1)
        for role in Self.roles { try await shelf.store(Shelf.item("a.jpg", role: role, made: Shelf.now + 6)) }
        #expect(try await library.picturesOwed(roles: Self.roles) == 0)
    }

    /// An earlier version took the kill of a worker for a crash, and never made those pictures.
    @Test(
        arguments: [
            ("No thumbnail: the decoder crashed (signal 9)", .failed, true),
            ("No thumbnail: the decoder crashed (signal 11)", .failed, false),
            ("No thumbnail: the decoder crashed (signal 9)", .unwanted, false), (nil, .failed, false),
        ] as [(String?, Asset.Pictures, Bool)])
    func whatAnotherProgramKilledIsMadeAgain(_ note: String?, _ pictures: Asset.Pictures, _ isFound: Bool)
        async throws
    {
        let shelf = try await Shelf()
        try await shelf.store(Shelf.item("a.jpg"))
        try await shelf.library.setPictures(of: try await shelf.asset("a.jpg").place, to: pictures, note: note)
        try await shelf.library.findOwedPictures(roles: [], destination: Self.destination)
        #expect(try await shelf.library.pictures(of: "a.jpg") == (isFound ? .wanted : pictures))
        let record = try await shelf.library.fileRecord(root: "Pictures", path: "a.jpg")
        #expect(record?.note == (isFound ? nil : note))
    }

    /// Of several reasons the one that keeps most files from having pictures is told.
    @Test func whatKeepsMostFilesFromHavingPicturesIsTold() async throws {
        let shelf = try await Shelf()
        #expect(try await shelf.library.pictureTrouble() == nil)
        let reasons = ["full", "slow", "full", nil, "slow", "slow"]
        for (number, reason) in reasons.enumerated() {
            let path = FilePath("\(number).jpg")
            try await shelf.store(Shelf.item(path))
            try await shelf.library.setPictures(
                of: try await shelf.asset(path).place, to: .wanted, note: reason.map(Asset.noThumbnail) ?? "odd")
        }
        #expect(try await shelf.library.pictureTrouble() == "No thumbnail: slow")
        try await shelf.library.change("UPDATE assets SET thumbnails = 3 WHERE note LIKE '%slow'")
        #expect(try await shelf.library.pictureTrouble() == "No thumbnail: full")
        try await shelf.library.change("UPDATE assets SET state = 8 WHERE note LIKE '%full'")
        #expect(try await shelf.library.pictureTrouble() == nil)
    }

    @Test func theFormatsOfStoredPicturesAreKnownByTheirKeys() async throws {
        let shelf = try await Shelf()
        try await shelf.store(Shelf.item("a.jpg"))
        let formats: [(Int, ThumbnailFormat)] = [(256, .jpeg), (512, .jpeg), (512, .webp)]
        for (size, format) in formats {
            let original = ObjectKey(root: "Pictures", path: "a.jpg")
            let picture = Items.with(Shelf.item("a.jpg", role: .thumbnail(size))) {
                $0.objectKey = ObjectKey(thumbnail: size, of: original, format: format)
            }
            try await shelf.store(picture)
        }
        let odd = Items.with(Shelf.item("a.jpg", role: .thumbnail(9))) { $0.objectKey = ObjectKey(text: "odd") }
        try await shelf.store(odd)
        let known = try await shelf.library.knownPictures(
            of: try await shelf.asset("a.jpg").place, content: Shelf.hash("a.jpg"))
        #expect(known.formats == [.thumbnail(256): [.jpeg], .thumbnail(512): [.jpeg, .webp]])
        #expect(known.facts == nil)
    }

    // MARK: Oddities

    /// What is odd about existing files, the most frequent first.
    @Test func whatIsOddIsToldWithAnExample() async throws {
        let shelf = try await Shelf()
        for (number, note) in ["b", "a", "b", "c", "a", "b", "gone"].enumerated() {
            let path = FilePath("\(number).jpg")
            try await shelf.store(Shelf.item(path))
            try await shelf.library.setPictures(of: try await shelf.asset(path).place, to: .failed, note: note)
            if note == "gone" { try await shelf.miss(path) }
        }
        let odd = try await shelf.library.oddities(limit: 9)
        #expect(
            odd.first.map(\.sentence) == [
                "b: 3 files, such as Pictures/0.jpg", "a: 2 files, such as Pictures/1.jpg", "c: Pictures/3.jpg",
            ])
        #expect(odd.count == 3)
        let most = try await shelf.library.oddities(limit: 1)
        #expect(most.first.map(\.note) == ["b"] && most.count == 3)
    }
}

extension Library {
    /// Forgets what it knows of rows without a query, as another process would.
    fileprivate func reopenPlaces() { memory.forgetPlaces() }
}
