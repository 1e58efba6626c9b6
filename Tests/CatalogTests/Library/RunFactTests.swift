import Fixtures
import Foundation
import MediaModel
import Platform
import Queue
import Records
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog

/// Small things that outlive a run: pauses, looks, what was cancelled, how often workers were killed.
@Suite struct RunFactTests {
    private static let now = Shelf.now

    struct Pause: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Seconds from now to the end; `nil` for a pause without one.
        var lasts: Double?
        let at: Double
        let isPaused: Bool
    }

    @Test(arguments: [
        Pause(testDescription: "without an end", at: 1e9, isPaused: true),
        Pause(testDescription: "it has just begun", lasts: 60, at: 0, isPaused: true),
        Pause(testDescription: "a moment before its end", lasts: 60, at: 59.999, isPaused: true),
        Pause(testDescription: "at its end", lasts: 60, at: 60, isPaused: false),
        Pause(testDescription: "it ended before it began", lasts: -1, at: 0, isPaused: false),
    ])
    func aPauseHoldsUntilItsEnd(_ row: Pause) async throws {
        let shelf = try await Shelf()
        #expect(try await !shelf.library.isPaused(at: Self.now))
        try await shelf.library.pause(until: row.lasts.map { Self.now + $0 }, at: Self.now)
        #expect(try await shelf.library.isPaused(at: Self.now + row.at) == row.isPaused)
        #expect(try await shelf.library.pauseEnd() == row.lasts.map { Self.now + $0 })
        try await shelf.library.setFact(Library.pausedFact, to: nil)
        #expect(try await !shelf.library.isPaused(at: Self.now + row.at))
    }

    /// By a clock that was a year ahead: the pause lasts as long as it was to last, from now on.
    @Test(arguments: [-60, -60.001, -31_536_000, 0, 1_800, 9_999])
    func aPauseOfAClockThatWasSetBackBeginsNow(_ seconds: Double) async throws {
        let shelf = try await Shelf()
        try await shelf.library.pause(until: Self.now + 3_600, at: Self.now)
        let now = Self.now + seconds
        try await shelf.library.redatePause(at: now)
        let end = seconds < -60 ? now + 3_600 : Self.now + 3_600
        let known = try #require(try await shelf.library.pauseEnd())
        #expect(abs(known.timeIntervalSince(end)) < 0.002)
    }

    /// Earlier versions wrote no beginning, and what cannot be read is a pause for good.
    @Test(arguments: [
        ("until 2026-11-20T12:00:00Z", true), ("by the user", false), ("until tomorrow", false), ("until ", false),
        ("", false), ("until 2026-11-20T12:00:00Z since ", true),
        ("until 2026-11-20T12:00:00Z since yesterday", true),
    ])
    func aPauseOfAnotherVersionIsOneToo(_ text: String, _ ends: Bool) async throws {
        let shelf = try await Shelf()
        try await shelf.library.setFact(Library.pausedFact, to: text)
        #expect(try await shelf.library.isPaused(at: Self.now))
        #expect((try await shelf.library.pauseEnd() != nil) == ends)
        try await shelf.library.redatePause(at: Self.now)
        #expect(try await shelf.library.isPaused(at: Self.now))
    }

    /// A scan of a directory is one of all below it.
    @Test(
        arguments: [
            ("/home/me/Pictures/2024", 3.0), ("/home/me/Pictures/2024/05", 3), ("/home/me/Pictures", 1),
            ("/home/me/Pictures/2025", 1), ("/home/me", nil), ("/home/me/Pictures2", nil), ("/", nil),
        ] as [(FilePath, Double?)])
    func aDirectoryWasLookedAtWithTheOneAboveIt(_ path: FilePath, _ seconds: Double?) async throws {
        let shelf = try await Shelf()
        try await shelf.library.rememberScan(of: "/home/me/Pictures", at: Self.now + 1)
        try await shelf.library.rememberScan(of: "/home/me/Pictures/2024", at: Self.now + 3)
        #expect(try await shelf.library.lastScan(of: path) == seconds.map { Self.now + $0 })
        try await shelf.library.rememberScan(of: "/home/me/Pictures", at: Self.now + 9)
        #expect(try await shelf.library.lastScan(of: path) == seconds.map { _ in Self.now + 9 })
    }

    @Test func aScanOfTheWholeDiskIsOneOfAll() async throws {
        let shelf = try await Shelf()
        try await shelf.library.rememberScan(of: "/", at: Self.now)
        #expect(try await shelf.library.lastScan(of: "/") == Self.now)
        #expect(try await shelf.library.lastScan(of: "/home/me") == Self.now)
    }

    /// What a later version wrote in words of its own counts as nothing.
    @Test(arguments: ["", "{}", "[]", "null", "{\"kind\":"])
    func aRunThatCannotBeReadIsNone(_ text: String) async throws {
        let shelf = try await Shelf()
        try await shelf.library.setFact("run", to: text)
        #expect(try await shelf.library.lastRun() == nil)
        try await shelf.library.remember(nil)
        #expect(try await shelf.library.fact("run") == nil)
    }

    @Test func killsAreCountedForEachContentAndKeptOverAStart() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            for start in 0..<3 {
                let library = try Library(path: path)
                #expect(try await library.countKill(of: "a") == start + 1)
            }
            let library = try Library(path: path)
            #expect(try await library.countKill(of: "b") == 1)
            #expect(try await library.fact("killed.a") == "3")
        }
    }

    // MARK: What was cancelled

    struct Likeness: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var content = "cancelled.jpg"
        var size: Int64 = 7
        var after = 0.0
        let isLike: Bool
    }

    /// A cancelled file under another name: the same bytes, or the same size and time.
    @Test(
        arguments: [
            Likeness(testDescription: "the very same", isLike: true),
            Likeness(testDescription: "the same bytes at another time", after: 1, isLike: true),
            Likeness(testDescription: "other bytes of the same size and time", content: "x", isLike: true),
            Likeness(testDescription: "other bytes at another time", content: "x", after: 1, isLike: false),
            Likeness(testDescription: "other bytes of another size", content: "x", size: 8, isLike: false),
            Likeness(testDescription: "an empty file is like every other", size: 0, isLike: false),
        ], [true, false])
    func whichFileIsACancelledOneUnderAnotherName(_ row: Likeness, _ isGone: Bool) async throws {
        let shelf = try await Shelf()
        let cancelled = Shelf.item("cancelled.jpg", size: row.size == 0 ? 0 : 7)
        try await shelf.library.see(cancelled, below: shelf.root)
        try await shelf.library.exclude([try await shelf.asset("cancelled.jpg")])
        if isGone { try await shelf.miss("cancelled.jpg") }
        try await shelf.see("new.jpg", size: row.size, after: row.after)
        let identified = IdentifiedAsset(
            asset: try await shelf.asset("new.jpg"), identity: try #require(Self.jpeg),
            sha256: Shelf.hash(row.content), file: try OpenFile(reading: "/dev/null"))
        let likes = try await shelf.library.cancelled(like: identified)
        #expect(likes.files.map(\.path) == (row.isLike && !isGone ? ["cancelled.jpg"] : []))
        #expect(likes.hasGone == (row.isLike && isGone))
        guard row.isLike else { return }
        let former = isGone ? nil : RootedPath(root: "Pictures", path: "cancelled.jpg")
        #expect(try await shelf.library.exclude(identified, insteadOf: former))
        #expect(try await shelf.state("new.jpg") == .excluded)
        #expect(try await shelf.state("cancelled.jpg") == .gone)
        // It was one file, so another like it is sent.
        try await shelf.see("another.jpg", size: row.size, after: row.after)
        let another = IdentifiedAsset(
            asset: try await shelf.asset("another.jpg"), identity: identified.identity, sha256: identified.sha256,
            file: identified.file)
        let others = try await shelf.library.cancelled(like: another)
        #expect(!others.hasGone)
        #expect(others.files.map(\.path) == ["new.jpg"])
    }

    private static var jpeg: MediaIdentity? {
        MediaIdentity(header: [0xFF, 0xD8, 0xFF, 0xE0], fileExtension: Array("jpg".utf8))
    }

    /// What the user names is wanted again, also where it was cancelled under its former name.
    @Test func whatIsAskedForIsNoLongerCancelled() async throws {
        let shelf = try await Shelf()
        try await shelf.library.see(Shelf.item("a.jpg"), below: shelf.root)
        try await shelf.library.exclude([try await shelf.asset("a.jpg")])
        try await shelf.miss("a.jpg")
        try await shelf.library.see(Shelf.item("b.jpg", content: "a.jpg"), below: shelf.root)
        let asset = try await shelf.asset("b.jpg")
        #expect(try await shelf.library.isCurrent(asset))
        try await shelf.library.request([asset])
        let identified = IdentifiedAsset(
            asset: asset, identity: try #require(Self.jpeg), sha256: Shelf.hash("a.jpg"),
            file: try OpenFile(reading: "/dev/null"))
        #expect(try await shelf.library.cancelled(like: identified) == Library.CancelledLikes())
        // What was looked for before it was asked for, too.
        #expect(try await !shelf.library.exclude(identified, insteadOf: nil))
        #expect(try await shelf.state("b.jpg") == .seen)
    }

    // MARK: Facts

    @Test(arguments: ["", "a", "ä\u{0}\n'\";--", String(repeating: "x", count: 100_000)])
    func aFactIsKeptAsItIs(_ text: String) async throws {
        let shelf = try await Shelf()
        #expect(try await shelf.library.fact("name '\(text.prefix(9))") == nil)
        try await shelf.library.setFact("name '\(text.prefix(9))", to: text)
        #expect(try await shelf.library.fact("name '\(text.prefix(9))") == text)
        try await shelf.library.setFact("name '\(text.prefix(9))", to: nil)
        #expect(try await shelf.library.fact("name '\(text.prefix(9))") == nil)
    }
}
