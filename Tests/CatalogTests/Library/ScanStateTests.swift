import Fixtures
import Foundation
import Platform
import Queue
import Records
import Roots
import Testing
import Text

@testable import Catalog
@testable import Reporting
@testable import Tables

/// What a look at the disk makes of an asset, whatever became of it before.
@Suite struct ScanStateTests {
    /// What a look shows of a file that the library knows.
    enum Look: CaseIterable, Sendable { case same, larger, older, missing }

    /// How it was looked at.
    enum Way: CaseIterable, Sendable {
        case walk, alone
    }

    /// In each state, what a look leads to; `nil` where it changes nothing.
    private static func next(_ state: Asset.State, _ look: Look, hasReceipt: Bool) -> Asset.State? {
        switch (look, state) {
        case (.missing, .gone), (.missing, .remoteOnly): nil
        case (.missing, _): hasReceipt ? .remoteOnly : .gone
        case (_, .excluded): nil
        case (_, .gone), (_, .remoteOnly): .seen
        case (.same, .unreadable): .seen
        case (.same, _): nil
        case (.larger, _), (.older, _): .seen
        }
    }

    private static func look(_ look: Look) -> Observation? {
        switch look {
        case .same: Shelf.observation("a.jpg")
        case .larger: Shelf.observation("a.jpg", size: 8)
        case .older: Shelf.observation("a.jpg", after: -86_400)
        case .missing: nil
        }
    }

    private func take(_ observation: Observation?, _ way: Way, _ shelf: Shelf) async throws {
        switch way {
        case .alone:
            _ = try await shelf.library.merge(
                observation, at: "a.jpg", root: shelf.root.id, origin: .arrival, now: Shelf.now + 60)
        case .walk:
            let look = DirectoryObservation(path: "", files: [observation].compactMap(\.self))
            let changes = try await shelf.library.merge(
                [look], root: shelf.root.id, origin: .arrival, at: Shelf.now + 60)
            try await shelf.library.miss(changes.absent)
        }
    }

    @Test(arguments: Asset.State.allCases, Look.allCases)
    func whatALookLeadsTo(_ state: Asset.State, _ look: Look) async throws {
        for way in Way.allCases {
            for hasReceipt in [false, true] {
                let shelf = try await Shelf()
                let item = Shelf.item("a.jpg")
                if hasReceipt {
                    try await shelf.store(item)
                } else {
                    try await shelf.library.see(item, below: shelf.root)
                }
                try await shelf.library.mark("a.jpg", as: state)
                try await take(Self.look(look), way, shelf)
                let asset = try await shelf.asset("a.jpg")
                let next = Self.next(state, look, hasReceipt: hasReceipt)
                #expect(asset.state == next ?? state, "\(way), hasReceipt: \(hasReceipt)")
                // It is known as it was seen, once that is worth a reading.
                let shown = next == .seen ? Self.look(look) : nil
                #expect(asset.size == shown?.size ?? item.size)
                #expect(asset.modifiedAt == shown?.modifiedAt ?? item.modifiedAt)
            }
        }
    }

    /// A file that is still being written is there, and nothing else is known of it.
    @Test(arguments: Asset.State.allCases)
    func aFileThatIsBeingWrittenIsOnlyThere(_ state: Asset.State) async throws {
        for way in Way.allCases {
            let shelf = try await Shelf()
            try await shelf.store(Shelf.item("a.jpg"))
            try await shelf.library.mark("a.jpg", as: state)
            try await take(Shelf.observation("a.jpg", size: 9, isSettled: false), way, shelf)
            #expect(try await shelf.state("a.jpg") == state, "\(way)")
            try await take(Shelf.observation("new.jpg", isSettled: false), .walk, shelf)
            #expect(try await shelf.state("new.jpg") == nil)
        }
    }

    /// Only what was stored counts for the brake, and does so until it is read.
    @Test(arguments: Asset.State.allCases)
    func whatWasStoredIsSuspectOnceItChanged(_ state: Asset.State) async throws {
        for mark in [nil, .suspect, .approved, .held] as [Asset.BrakeMark?] {
            let shelf = try await Shelf()
            try await shelf.store(Shelf.item("a.jpg"))
            try await shelf.library.mark("a.jpg", as: state, brake: mark)
            try await take(Shelf.observation("a.jpg", size: 9), .alone, shelf)
            let isSuspect = [.stored, .remoteOnly, .held].contains(state) || mark == .suspect
            let expected = state == .excluded ? mark : isSuspect ? .suspect : nil
            #expect(try await shelf.library.brake(of: "a.jpg") == expected?.rawValue, "\(String(describing: mark))")
        }
    }

    struct Listing: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let known: [FilePath]
        let listed: [FilePath]
        var unread: [FilePath] = []
        let seen: [FilePath]
        let absent: [FilePath]
    }

    /// Both sides are in the order of bytes, so one pass over them finds every difference.
    @Test(arguments: [
        Listing(testDescription: "nothing and nothing", known: [], listed: [], seen: [], absent: []),
        Listing(testDescription: "all is new", known: [], listed: ["a", "b"], seen: ["a", "b"], absent: []),
        Listing(testDescription: "all is gone", known: ["a", "b"], listed: [], seen: [], absent: ["a", "b"]),
        Listing(testDescription: "nothing changed", known: ["a", "b"], listed: ["a", "b"], seen: [], absent: []),
        Listing(
            testDescription: "new before, between and behind", known: ["b", "d"], listed: ["a", "b", "c", "d", "e"],
            seen: ["a", "c", "e"], absent: []),
        Listing(
            testDescription: "gone before, between and behind", known: ["a", "b", "c", "d", "e"], listed: ["b", "d"],
            seen: [], absent: ["a", "c", "e"]),
        Listing(
            testDescription: "each in the place of another", known: ["a", "c", "e"], listed: ["b", "d", "f"],
            seen: ["b", "d", "f"], absent: ["a", "c", "e"]),
        Listing(
            testDescription: "one is the beginning of the next", known: ["a", "ab"], listed: ["a", "abc"],
            seen: ["abc"], absent: ["ab"]),
        Listing(
            testDescription: "names beyond ASCII and beyond UTF-8",
            known: [FilePath(bytes: [0x7A]), FilePath(bytes: [0xC3, 0xA4]), FilePath(bytes: [0xFF])],
            listed: [FilePath(bytes: [0x80]), FilePath(bytes: [0xC3, 0xA4]), FilePath(bytes: [0xFE])],
            seen: [FilePath(bytes: [0x80]), FilePath(bytes: [0xFE])],
            absent: [FilePath(bytes: [0x7A]), FilePath(bytes: [0xFF])]),
        Listing(
            testDescription: "what could not be looked at is there", known: ["a", "b", "c"], listed: ["c"],
            unread: ["a"], seen: [], absent: ["b"]),
    ])
    func oneDirectoryIsComparedInOnePass(_ listing: Listing) async throws {
        let shelf = try await Shelf()
        for name in listing.known { try await shelf.see(name) }
        let unread = Dictionary(
            uniqueKeysWithValues: listing.unread.map { ($0.name, SystemError(call: "fstatat", code: 13)) })
        let look = DirectoryObservation(
            path: "", files: listing.listed.map { Shelf.observation($0) }, unread: unread)
        let found = try await shelf.library.preview(look, root: shelf.root.id)
        #expect(found.map { FilePath(bytes: $0.name) } == listing.seen)
        let changes = try await shelf.library.merge([look], root: shelf.root.id, origin: .backlog, at: Shelf.now)
        #expect(changes.files == listing.listed.count)
        #expect(changes.seen == listing.seen.count)
        #expect(changes.absent.map { FilePath(bytes: $0.name) } == listing.absent)
        // A listing alone takes nothing away: its disk may have gone meanwhile.
        for name in listing.absent { #expect(try await shelf.state(name) == .seen) }
        #expect(try await shelf.library.miss(changes.absent) == listing.absent.count)
        for name in listing.absent { #expect(try await shelf.state(name) == .gone) }
        for name in listing.seen { #expect(try await shelf.state(name) == .seen) }
    }

    /// What cannot be listed says nothing about its files, and is told of.
    @Test func aDirectoryThatCannotBeListedKeepsItsFiles() async throws {
        let shelf = try await Shelf()
        try await shelf.see("sub/a.jpg")
        let look = DirectoryObservation(path: "sub", files: [], failure: SystemError(call: "openat", code: 13))
        let changes = try await shelf.library.merge([look], root: shelf.root.id, origin: .backlog, at: Shelf.now)
        #expect(changes == ScanChanges())
        let troubles = try await shelf.library.unlistedDirectories()
        #expect(troubles.map(\.path) == ["/home/Pictures/sub"])
        #expect(troubles.map(\.reason) == [SystemError(call: "openat", code: 13).reason])
        // Once it can be listed, nothing of that is left.
        let again = DirectoryObservation(path: "sub", files: [Shelf.observation("a.jpg")])
        _ = try await shelf.library.merge([again], root: shelf.root.id, origin: .backlog, at: Shelf.now)
        #expect(try await shelf.library.unlistedDirectories().isEmpty)
    }

    /// Whatever its name is made of, and nothing else is taken for it.
    @Test(arguments: [
        ("sub", SystemError?.none, true), (FilePath(bytes: [0xFF, 0x2F, 0xFE]), nil, true),
        ("sub", SystemError(call: "openat", code: 13), false), ("sub", .diskAway("/home/Pictures/other"), false),
    ])
    func aDiskThatIsAwayIsKnownByItsFailure(
        _ path: FilePath, _ failure: SystemError?, isAway: Bool
    ) async throws {
        let shelf = try await Shelf()
        try await shelf.see("sub/a.jpg")
        let look = DirectoryObservation(
            path: path, files: [], failure: failure ?? .diskAway(FilePath("/home/Pictures").appending(path)))
        _ = try await shelf.library.merge([look], root: shelf.root.id, origin: .backlog, at: Shelf.now)
        #expect(try await shelf.library.unlistedDirectories().map(\.isAway) == [isAway])
    }

    struct Walk: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Seconds after `Shelf.now` at which a look found the file.
        let found: Double
        /// Whether the walk went on then.
        let isMeanwhile: Bool
        /// The same of other files that were found during the walk.
        var others: [Double] = []
        /// Whether those who miss the file name the walk.
        var isNamed = true
        var isMissed: Bool { !isMeanwhile || !isNamed }
    }

    /// A file that another look found while the walk had passed is there.
    @Test(arguments: [
        Walk(testDescription: "no walk is named", found: 0, isMeanwhile: true, isNamed: false),
        Walk(testDescription: "before it", found: 9.9, isMeanwhile: false),
        Walk(testDescription: "before it, and others meanwhile", found: 9.9, isMeanwhile: false, others: [10, 20]),
        Walk(testDescription: "before the clock was set back", found: 99, isMeanwhile: false, others: [10, 20]),
        Walk(testDescription: "meanwhile, the only one", found: 15, isMeanwhile: true),
        Walk(testDescription: "the first one", found: 10, isMeanwhile: true, others: [15, 20]),
        Walk(testDescription: "the last one", found: 20, isMeanwhile: true, others: [10, 15]),
        Walk(testDescription: "once the clock was set back", found: 5, isMeanwhile: true, others: [20]),
        Walk(testDescription: "once it was set forward", found: 1_000_000, isMeanwhile: true, others: [20]),
    ])
    func whatWasFoundDuringAWalkIsNotMissedByIt(_ row: Walk) async throws {
        for isWhole in [false, true] {
            let shelf = try await Shelf()
            let before = await shelf.library.beginWalk()
            for name in ["sub/a.jpg", "sub/cancelled.jpg"] as [FilePath] {
                try await shelf.see(name, at: Shelf.now + row.found)
            }
            let after = await shelf.library.beginWalk()
            let walk = row.isNamed ? row.isMeanwhile ? before : after : nil
            for second in row.others { try await shelf.see("b.jpg", size: Int64(second), at: Shelf.now + second) }
            try await shelf.library.exclude([try await shelf.asset("sub/cancelled.jpg")])
            let places = [try await shelf.asset("sub/a.jpg").place, try await shelf.asset("sub/cancelled.jpg").place]
            let missed =
                isWhole
                ? try await shelf.library.missDirectories(of: shelf.root.id, below: "", notIn: [""], by: walk)
                : try await shelf.library.miss(places, by: walk)
            #expect(missed == (row.isMissed ? 2 : 0))
            #expect(try await shelf.state("sub/a.jpg") == (row.isMissed ? .gone : .seen))
            #expect(try await shelf.state("sub/cancelled.jpg") == (row.isMissed ? .gone : .excluded))
            // Only of one that is gone has to be remembered that it was cancelled.
            let facts = try await shelf.library.number("SELECT count(*) FROM facts WHERE name LIKE 'cancelled %'")
            #expect(facts == (row.isMissed ? 1 : 0))
        }
    }

    struct Tree: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var top: FilePath = ""
        let visited: Set<FilePath>
        var failed: Set<FilePath> = []
        var unlisted: [FilePath] = []
        let gone: [FilePath]
    }

    private static let files: [FilePath] = [
        "a.jpg", "2024/a.jpg", "2024/05/a.jpg", "2024/05/deep/a.jpg", "2024-old/a.jpg", "2025/a.jpg",
    ]

    @Test(arguments: [
        Tree(
            testDescription: "all was visited", visited: ["", "2024", "2024/05", "2024/05/deep", "2024-old", "2025"],
            gone: []),
        Tree(
            testDescription: "a directory is not there any more, with all below it",
            visited: ["", "2024-old", "2025"], gone: ["2024/05/a.jpg", "2024/05/deep/a.jpg", "2024/a.jpg"]),
        Tree(
            testDescription: "a walk of a part speaks of that part only", top: "2024", visited: ["2024"],
            gone: ["2024/05/a.jpg", "2024/05/deep/a.jpg"]),
        Tree(
            testDescription: "a part that is gone itself", top: "2024", visited: [],
            gone: ["2024/05/a.jpg", "2024/05/deep/a.jpg", "2024/a.jpg"]),
        Tree(
            testDescription: "below what this walk could not list nothing is concluded",
            visited: ["", "2024", "2024-old", "2025"], failed: ["2024"], gone: []),
        Tree(
            testDescription: "nor below what it found noted so", visited: ["", "2024", "2024-old", "2025"],
            unlisted: ["2024"], gone: []),
        Tree(
            testDescription: "a note of an earlier walk about what is gone counts for nothing",
            visited: ["", "2024-old", "2025"], unlisted: ["2024"],
            gone: ["2024/05/a.jpg", "2024/05/deep/a.jpg", "2024/a.jpg"]),
        Tree(
            testDescription: "a name that begins alike is another directory", visited: ["", "2024-old"],
            failed: ["2024-old"], gone: ["2024/05/a.jpg", "2024/05/deep/a.jpg", "2024/a.jpg", "2025/a.jpg"]),
        Tree(testDescription: "the root could not be listed", visited: [""], failed: [""], gone: []),
    ])
    func whatAWholeWalkDidNotVisitIsGone(_ tree: Tree) async throws {
        let shelf = try await Shelf()
        for path in Self.files { try await shelf.see(path) }
        for path in tree.unlisted {
            let look = DirectoryObservation(path: path, files: [], failure: SystemError(call: "openat", code: 13))
            _ = try await shelf.library.merge([look], root: shelf.root.id, origin: .backlog, at: Shelf.now)
        }
        let missed = try await shelf.library.missDirectories(
            of: shelf.root.id, below: tree.top, notIn: tree.visited, failed: tree.failed)
        #expect(missed == tree.gone.count)
        var gone: [FilePath] = []
        for path in Self.files where try await shelf.state(path) == .gone { gone.append(path) }
        #expect(gone.sorted() == tree.gone)
        // Those of another root of the same paths are not looked at.
        #expect(try await shelf.library.missDirectories(of: shelf.root.id + 1, below: "", notIn: []) == 0)
    }

    /// What was left out of a directory that is gone is left out of nothing now.
    @Test func aDirectoryThatIsGoneLeavesNothingOut() async throws {
        let shelf = try await Shelf()
        let look = DirectoryObservation(
            path: "sub", files: [Shelf.observation("a.jpg")], leftOut: ["hidden": 3, "your rule “*.txt”": 2])
        _ = try await shelf.library.merge([look], root: shelf.root.id, origin: .backlog, at: Shelf.now)
        let before = try await shelf.library.counts()
        #expect(before.leftOut == 5)
        let rules = try await shelf.library.leftOut(of: before)
        #expect(
            rules == [Report.LeftOut(rule: "hidden", count: 3), Report.LeftOut(rule: "your rule “*.txt”", count: 2)])
        _ = try await shelf.library.missDirectories(of: shelf.root.id, below: "", notIn: [""])
        let after = try await shelf.library.counts()
        #expect(after.leftOut == 0)
        #expect(try await shelf.library.leftOut(of: after).isEmpty)
    }

    /// A path of a file or of a directory, and what waits there.
    @Test(
        arguments: [
            ("", 4, 28), ("2024", 2, 14), ("2024/a.jpg", 1, 7), ("2024/", 0, 0), ("2024/missing.jpg", 0, 0),
            ("202", 0, 0),
            ("a.jpg", 1, 7), ("2025", 1, 7),
        ] as [(FilePath, Int, Int64)])
    func whatWaitsBelowAPath(_ path: FilePath, _ files: Int, _ bytes: Int64) async throws {
        let shelf = try await Shelf()
        for path in ["a.jpg", "2024/a.jpg", "2024/05/a.jpg", "2025/a.jpg"] as [FilePath] { try await shelf.see(path) }
        try await shelf.store(Shelf.item("2024/stored.jpg"))
        try await shelf.see("2024/gone.jpg")
        try await shelf.miss("2024/gone.jpg")
        let waiting = try await shelf.library.waiting(in: shelf.root.id, below: path)
        #expect(waiting.files == files)
        #expect(waiting.bytes == bytes)
    }
}
