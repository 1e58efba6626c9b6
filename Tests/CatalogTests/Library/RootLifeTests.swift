import Database
import Fixtures
import Foundation
import Platform
import Queue
import Records
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog

/// Roots as the library keeps them: their names and disks, and what becomes of their files without them.
@Suite struct RootLifeTests {
    struct Place: CustomTestStringConvertible, Sendable {
        let path: FilePath
        var name: String?
        let root: String
        let below: FilePath
        var testDescription: String { "\(path) is \(root), and below it \"\(below)\"" }
    }

    /// Beside `/home/Pictures`.
    @Test(arguments: [
        Place(path: "/home/Pictures", root: "Pictures", below: ""),
        Place(path: "/home/Pictures/2024", root: "Pictures", below: "2024"),
        Place(path: "/home/Pictures/2024/05", root: "Pictures", below: "2024/05"),
        Place(path: "/home/Pictures2", root: "Pictures2", below: ""),
        Place(path: "/media/Pictures", root: "Pictures-2", below: ""),
        Place(path: "/media/Other", name: "Pictures", root: "Pictures-2", below: ""),
        Place(path: "/media/Other", name: "Card", root: "Card", below: ""),
        Place(path: "/home/Pictures/2024", name: "Card", root: "Pictures", below: "2024"),
        Place(path: "/", root: "root", below: ""),
    ])
    func aPathIsARootOrAPartOfOne(_ place: Place) async throws {
        let shelf = try await Shelf()
        if place.path == "/" { return try await aRootAroundAnotherIsRefused(shelf) }
        let found = try await shelf.library.root(at: place.path, name: place.name)
        #expect(found.root.name == place.root)
        #expect(found.below == place.below)
        // The same is found again, whatever it is to be called now.
        let again = try await shelf.library.root(at: place.path, name: "another")
        #expect(again.root == found.root)
        #expect(try await shelf.library.roots().count == (place.root == "Pictures" ? 1 : 2))
    }

    private func aRootAroundAnotherIsRefused(_ shelf: Shelf) async throws {
        await #expect(throws: OverlappingRoot.self) { try await shelf.library.root(at: "/") }
        await #expect(throws: OverlappingRoot.self) { try await shelf.library.root(at: "/home") }
        #expect(try await shelf.library.roots() == [shelf.root])
    }

    @Test func manyRootsOfOneNameAreToldApartForGood() async throws {
        let shelf = try await Shelf()
        for number in 2...12 {
            let root = try await shelf.library.root(at: FilePath("/media/\(number)/Pictures")).root
            #expect(root.name == "Pictures-\(number)")
        }
        let forgotten = try await shelf.library.roots()[3]
        #expect(try await shelf.library.forget(forgotten))
        // A name that is free again may be given again, since nothing of it is stored anywhere.
        #expect(try await shelf.library.root(at: "/media/13/Pictures").root.name == forgotten.name)
    }

    /// A walk that began before the prune would write into the next root.
    @Test func anIdentifierIsNeverGivenAgain() async throws {
        let shelf = try await Shelf()
        var given = [shelf.root.id]
        for number in 2...4 {
            let root = try await shelf.library.root(at: FilePath("/media/\(number)")).root
            #expect(!given.contains(root.id))
            given.append(root.id)
            #expect(try await shelf.library.forget(root))
        }
        #expect(try await shelf.library.forget(shelf.root))
        let last = try await shelf.library.root(at: "/media/5").root
        #expect(!given.contains(last.id))
    }

    @Test(
        arguments: [
            ("/home//me/Pictures", "/home/me/Pictures"), ("/home/./me/Pictures/", "/home/me/Pictures"),
            ("/home/you/../me/Pictures", "/home/me/Pictures"), ("/home/me/Pictures", "/home/me/Pictures"),
        ] as [(FilePath, FilePath)])
    func aRootIsSpeltAsTheSettingsSpellIt(_ kept: FilePath, _ spelt: FilePath) async throws {
        let shelf = try await Shelf()
        try await shelf.library.setPath(of: shelf.root.id, to: kept)
        try await shelf.library.respellRoots()
        #expect(try await shelf.library.roots().map(\.path) == [spelt])
        #expect(try await shelf.library.root(at: spelt).root.id == shelf.root.id)
    }

    /// Two roots may not become one: each has keys of its own.
    @Test func aSpellingThatAnotherRootHasIsLeftAsItIs() async throws {
        let shelf = try await Shelf()
        let other = try await shelf.library.addRoot(at: "/home/./Pictures")
        try await shelf.library.respellRoots()
        #expect(try await shelf.library.roots().map(\.path) == [shelf.root.path, other.path])
    }

    // MARK: Without a root

    @Test(arguments: Asset.State.allCases)
    func ofARootThatIsLetGoNothingWaits(_ state: Asset.State) async throws {
        for hasReceipt in [false, true] {
            let shelf = try await Shelf()
            let item = Shelf.item("a.jpg")
            if hasReceipt { try await shelf.store(item) } else { try await shelf.library.see(item, below: shelf.root) }
            try await shelf.library.mark("a.jpg", as: state)
            let other = try await shelf.library.root(at: "/media/Card").root
            _ = try await shelf.library.merge(
                Shelf.observation("a.jpg"), at: "a.jpg", root: other.id, origin: .backlog, now: Shelf.now)
            try await shelf.library.letGo(of: shelf.root)
            let waits = [.seen, .identifying, .queued, .failed, .unreadable, .held].contains(state)
            #expect(try await shelf.state("a.jpg") == (waits ? (hasReceipt ? .remoteOnly : .gone) : state))
            // Those of other roots wait on.
            #expect(try await shelf.library.asset(root: "Card", path: "a.jpg") != nil)
        }
    }

    /// Pictures are looked for, and files sent, once a root that was only indexed is stored by itself; each once.
    @Test(arguments: [true, false])
    func whatIsIndexedIsSentOnceItsRootIs(_ isNoted: Bool) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Shelf.item("a.jpg"))
        try await shelf.store(Shelf.item("b.jpg"))
        let roles = [Item.Role.thumbnail(512)]
        try await shelf.library.findOwedPictures(roles: roles, destination: Shelf.destination)
        if isNoted { try await shelf.library.noteUnsentPictures(of: shelf.root) }
        try await shelf.library.setPictures(of: try await shelf.asset("a.jpg").place, to: .made)
        try await shelf.library.mark("b.jpg", as: .indexed)
        for isFirst in [true, false] {
            try await shelf.library.sendIndexed(of: shelf.root)
            try await shelf.library.takeUp(shelf.root)
            #expect(try await shelf.state("a.jpg") == .stored)
            #expect(try await shelf.state("b.jpg") == (isFirst ? .seen : .gone))
            try await shelf.library.mark("b.jpg", as: .gone)
        }
        try await shelf.library.findOwedPictures(roles: roles, destination: Shelf.destination)
        #expect(try await shelf.library.pictures(of: "a.jpg") == (isNoted ? .wanted : .made))
    }

    @Test func whatIsBeingSentIsLeftToItsEnd() async throws {
        let shelf = try await Shelf()
        for path in ["a.jpg", "b.jpg"] as [FilePath] {
            try await shelf.library.see(Shelf.item(path), below: shelf.root)
        }
        try await shelf.library.letGo(of: shelf.root, besides: ["b.jpg", "unknown.jpg"])
        #expect(try await shelf.state("a.jpg") == .gone)
        #expect(try await shelf.state("b.jpg") == .queued)
    }

    /// Pictures are looked for again once the root takes part again, and only then.
    @Test(arguments: [true, false])
    func picturesOfARootThatIsLetGoAreLookedForLater(_ areOwed: Bool) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Shelf.item("a.jpg"))
        let roles = [Item.Role.thumbnail(512)]
        try await shelf.library.setPictures(of: try await shelf.asset("a.jpg").place, to: areOwed ? .wanted : .failed)
        try await shelf.library.findOwedPictures(roles: roles, destination: Shelf.destination)
        try await shelf.library.letGo(of: shelf.root)
        #expect(try await shelf.library.picturesOwed(roles: roles) == 0)
        try await shelf.library.takeUp(shelf.root)
        try await shelf.library.findOwedPictures(roles: roles, destination: Shelf.destination)
        #expect(try await shelf.library.picturesOwed(roles: roles) == (areOwed ? 1 : 0))
    }

    enum Need: CaseIterable, Sendable { case nothing, receipt, receiptElsewhere, attempt, waitingItem }

    @Test(arguments: Need.allCases)
    func aRootIsForgottenOnlyWhereNothingOfItMayBeStored(_ need: Need) async throws {
        let shelf = try await Shelf()
        let item = Shelf.item("2024/a.jpg")
        try await shelf.library.see(item, below: shelf.root)
        try await shelf.library.remember(try Directory("/").identity(), of: shelf.root.id, at: "")
        try await shelf.library.rememberScan(of: shelf.root.path, at: Shelf.now)
        switch need {
        case .nothing: break
        case .receipt: try await shelf.library.record([(Shelf.receipt(item), item)])
        case .receiptElsewhere: try await shelf.library.record([(Shelf.receipt(item, at: "elsewhere"), item)])
        case .attempt: try await shelf.library.remember(item, destination: Shelf.destination)
        case .waitingItem:
            _ = try await shelf.library.keep(
                blocked: [Items.with(item) { $0.blocked = .budget }], destination: Shelf.destination)
        }
        let before = try await shelf.library.rows()
        let isForgotten = try await shelf.library.forget(shelf.root)
        #expect(isForgotten == (need == .nothing))
        guard isForgotten else { return #expect(try await shelf.library.rows() == before) }
        // Nothing is left of it but its identifier, not even in the sums.
        let facts = ["destination", "pictures", "machine", "formats", "receipts"]
        let others = ["contents:"] + facts.map { "facts: '\($0)'" }
        let left = try await shelf.library.rows().filter { row in !others.contains(where: row.hasPrefix) }
        #expect(left == ["facts: 'roots.forgotten'|'\(shelf.root.id)'"])
        #expect(try await shelf.library.lastScan(of: shelf.root.path) == nil)
        #expect(try await shelf.library.complaints() == [])
    }

    /// The walk began before: a pass would wait for its files for ever, as they are of no root.
    @Test(arguments: [true, false])
    func whatAWalkFindsOfAForgottenRootIsLeft(isWhole: Bool) async throws {
        let shelf = try await Shelf()
        #expect(try await shelf.library.forget(shelf.root))
        let found = Shelf.observation("a.jpg")
        let look = DirectoryObservation(path: "", files: [found])
        let changes =
            isWhole
            ? try await shelf.library.merge([look], root: shelf.root.id, origin: .backlog, at: Shelf.now)
            : try await shelf.library.merge(
                found, at: "a.jpg", root: shelf.root.id, origin: .backlog, now: Shelf.now)
        #expect(changes == ScanChanges())
        #expect(try await shelf.library.take(1).isEmpty)
        #expect(try await shelf.library.isBacklogEmpty())
        // It is a root again, with nothing of before.
        let root = try await shelf.library.root(at: shelf.root.path).root
        #expect(try await shelf.library.asset(root: root.name, path: "a.jpg") == nil)
    }

    /// Another disk was seen at the same path: when that was last looked at is still of interest.
    @Test func theTimeOfAScanStaysWhereAnotherRootHasThePath() async throws {
        let shelf = try await Shelf()
        let other = try await shelf.library.addRoot(at: shelf.root.path)
        try await shelf.library.rememberScan(of: shelf.root.path, at: Shelf.now)
        #expect(try await shelf.library.forget(other))
        #expect(try await shelf.library.lastScan(of: shelf.root.path) == Shelf.now)
        #expect(try await shelf.library.forget(shelf.root))
        #expect(try await shelf.library.lastScan(of: shelf.root.path) == nil)
    }

    // MARK: Disks

    @Test func disksAreRememberedReplacedAndForgotten() async throws {
        try await FileTree().withDirectory { folder in
            let shelf = try await Shelf()
            let (here, slash) = (try Directory(folder).identity(), try Directory("/").identity())
            #expect(try await shelf.library.disks(of: shelf.root.id) == [:])
            try await shelf.library.remember(here, of: shelf.root.id, at: "")
            try await shelf.library.remember(here, of: shelf.root.id, at: FilePath(bytes: [0xFF, 0x2F, 0x61]))
            try await shelf.library.remember(slash, of: shelf.root.id + 1, at: "")
            try await shelf.library.remember(slash, of: shelf.root.id, at: "")
            #expect(
                try await shelf.library.disks(of: shelf.root.id)
                    == ["": slash, FilePath(bytes: [0xFF, 0x2F, 0x61]): here])
            try await shelf.library.remember(nil, of: shelf.root.id, at: "")
            #expect(try await shelf.library.disks(of: shelf.root.id).count == 1)
            #expect(try await shelf.library.disks(of: shelf.root.id + 1) == ["": slash])
        }
    }

    /// What a later or a damaged version left is no disk that is away: it is learned again.
    @Test(arguments: ["", "{}", "null", "{\"fileSystem\":", "[1,2]"])
    func aDiskThatCannotBeReadIsNone(_ text: String) async throws {
        let shelf = try await Shelf()
        try await shelf.library.change(
            "INSERT INTO disks (root, path, identity) VALUES (?, ?, ?)", .integer(shelf.root.id), .blob([]), .text(text)
        )
        #expect(try await shelf.library.disks(of: shelf.root.id) == [:])
    }

    /// Only what was there at the last look can be found again.
    @Test(arguments: Asset.State.allCases)
    func witnessesAreFilesThatWereThere(_ state: Asset.State) async throws {
        let shelf = try await Shelf()
        try await shelf.see("2024/a.jpg", size: 9, after: 5)
        try await shelf.library.mark("2024/a.jpg", as: state)
        let isThere = ![.gone, .remoteOnly].contains(state)
        let witness = Library.Witness(path: "2024/a.jpg", size: 9, modifiedAt: FileTime(Shelf.now + 5))
        #expect(try await shelf.library.witnesses(of: shelf.root.id) == (isThere ? [witness] : []))
        #expect(try await shelf.library.holdsFiles(below: shelf.root.id) == isThere)
        #expect(try await shelf.library.witnesses(of: shelf.root.id + 1) == [])
        // It has had files, for all that.
        #expect(try await shelf.library.knowsFiles(below: shelf.root.id))
    }

    @Test func afterManyFilesNoMoreWitnessesAreHeard() async throws {
        let shelf = try await Shelf()
        for number in 0..<70 { try await shelf.see(FilePath("\(number).jpg")) }
        #expect(try await shelf.library.witnesses(of: shelf.root.id).count == 64)
        #expect(try await shelf.library.witnesses(of: shelf.root.id, limit: 3).count == 3)
    }

    struct Absence: CustomTestStringConvertible, Sendable {
        let away: [FilePath]
        let read: [FilePath]
        var testDescription: String { "\(away) are away" }
    }

    /// A slash is 0x2F: names just before and behind it in byte order lie elsewhere.
    @Test(arguments: [
        Absence(away: [], read: ["a.jpg", "sub-old/a.jpg", "sub/a.jpg", "sub/deep/a.jpg", "sub0/a.jpg"]),
        Absence(away: ["sub"], read: ["a.jpg", "sub-old/a.jpg", "sub0/a.jpg"]),
        Absence(away: ["sub/deep"], read: ["a.jpg", "sub-old/a.jpg", "sub/a.jpg", "sub0/a.jpg"]),
        Absence(away: ["sub", "sub/deep"], read: ["a.jpg", "sub-old/a.jpg", "sub0/a.jpg"]),
        Absence(away: ["sub0", "none"], read: ["a.jpg", "sub-old/a.jpg", "sub/a.jpg", "sub/deep/a.jpg"]),
        Absence(away: [""], read: []),
    ])
    func whatIsAwayIsNotReadAndDoesNotHoldUpAPass(_ row: Absence) async throws {
        let shelf = try await Shelf()
        for path in ["a.jpg", "sub/a.jpg", "sub/deep/a.jpg", "sub0/a.jpg", "sub-old/a.jpg"] as [FilePath] {
            try await shelf.see(path)
        }
        for path in row.away { await shelf.library.beginAbsence(of: shelf.root.id, below: path) }
        #expect(try await shelf.library.unsettled(foundBefore: Shelf.now, now: Shelf.now) == row.read.count)
        #expect(try await shelf.library.isBacklogEmpty() == row.read.isEmpty)
        #expect(try await shelf.library.take(10).map(\.path).sorted() == row.read)
        await shelf.library.endAbsence(of: shelf.root.id)
        #expect(try await shelf.library.take(10).count == 5 - row.read.count)
    }

    /// What lies at the place of a disk that is away is not read, though its directory is new to the library.
    @Test(arguments: [("sub/new/a.jpg", true), ("sub/a.jpg", true), ("sub0/new/a.jpg", false)] as [(FilePath, Bool)])
    func aDirectoryThatIsFoundBelowWhatIsAwayIsAwayToo(_ path: FilePath, _ isAway: Bool) async throws {
        let shelf = try await Shelf()
        await shelf.library.beginAbsence(of: shelf.root.id, below: "sub")
        #expect(try await shelf.library.take(1).isEmpty)
        try await shelf.see(path)
        #expect(try await shelf.library.take(1).isEmpty == isAway)
        await shelf.library.endAbsence(of: shelf.root.id)
        #expect(try await shelf.library.take(1).isEmpty != isAway)
    }
}
